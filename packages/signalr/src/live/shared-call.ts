// Calls of client functions that go to many connections, serialized once per encoding.

import type { Cursor } from '../hub.ts';
import { Payload } from '../sending/payload.ts';

/** Serializes calls of client functions in one protocol. */
export interface Encoding<P extends Payload = Payload> {
  encodeCall(target: string, args: readonly unknown[]): P;
}

/** A call of a client function to many connections, serialized once per encoding. */
export class SharedCall {
  readonly target: string;
  readonly args: readonly unknown[];
  readonly cursor: Cursor | undefined;
  readonly #payloads = new Map<Encoding, Payload>();
  #closed: CallBundle | undefined;

  constructor(target: string, args: readonly unknown[], cursor?: Cursor) {
    this.target = target;
    this.args = args;
    this.cursor = cursor;
  }

  payloadFor<P extends Payload>(encoding: Encoding<P>): P {
    const known = this.#payloads.get(encoding);
    if (known !== undefined) return known as P;
    const payload = encoding.encodeCall(this.target, this.args);
    this.#payloads.set(encoding, payload);
    return payload;
  }

  /** Returns the call followed by a call of `target` with its cursor, one bundle for all connections that want that. */
  closedBy(target: string): CallBundle {
    this.#closed ??= closed([this], target);
    return this.#closed;
  }
}

/** Several calls to many connections, serialized as one payload, once per encoding. */
export class CallBundle {
  readonly calls: readonly SharedCall[];
  readonly #payloads = new Map<Encoding, Payload>();
  #closed: CallBundle | undefined;

  constructor(calls: readonly SharedCall[]) {
    this.calls = calls;
  }

  payloadFor(encoding: Encoding): Payload {
    const known = this.#payloads.get(encoding);
    if (known !== undefined) return known;
    const payload = Payload.join(this.calls.map((call) => call.payloadFor(encoding)));
    this.#payloads.set(encoding, payload);
    return payload;
  }

  /**
   * Returns the calls followed by a call of `target` with the newest cursor, one bundle for all connections that want
   * that.
   */
  closedBy(target: string): CallBundle {
    this.#closed ??= closed(this.calls, target);
    return this.#closed;
  }
}

function closed(calls: readonly SharedCall[], target: string): CallBundle {
  const newest = calls.findLast(({ cursor }) => cursor !== undefined);
  if (newest === undefined || newest.target === target) return new CallBundle(calls);
  return new CallBundle([...calls, new SharedCall(target, [newest.cursor])]);
}
