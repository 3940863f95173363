// The interface of a hub protocol of ASP.NET Core SignalR, and reading messages from a stream of chunks.

import type { Encoding } from '../../live/shared-call.ts';
import type { ProtocolName } from '../../options.ts';
import { Payload } from '../../sending/payload.ts';
import { ByteQueue } from './byte-queue.ts';
import { type HubMessage, messageType } from './messages.ts';

/** The first message of a stream without its framing, and its length with it. */
export type Framed = { readonly body: Buffer; readonly length: number };

export interface Protocol {
  readonly name: ProtocolName;
  readonly isBinary: boolean;
  encode(message: HubMessage): Buffer;
  /** Returns the first message in `bytes`; undefined while it is incomplete. Throws above `maxBytes`. */
  findFirst(bytes: Buffer, maxBytes: number): Framed | undefined;
  /** Returns the message; undefined for a type of a later version. Throws when it is invalid. */
  decode(body: Buffer): HubMessage | undefined;
}

/** Both protocols are at version 2, which added stateful reconnect. */
export const protocolVersion = 2;

export class CoreEncoding implements Encoding {
  readonly protocol: Protocol;

  constructor(protocol: Protocol) {
    this.protocol = protocol;
  }

  encode(message: HubMessage): Payload {
    return new Payload(this.protocol.encode(message), this.protocol.isBinary);
  }

  encodeCall(target: string, args: readonly unknown[]): Payload {
    return this.encode({ type: messageType.invocation, target, args });
  }
}

/** Reads the messages of one connection from the chunks as they arrive. */
export class MessageReader {
  readonly #protocol: Protocol;
  readonly #maxBytes: number;
  readonly #bytes = new ByteQueue();

  constructor(protocol: Protocol, maxBytes: number) {
    this.#protocol = protocol;
    this.#maxBytes = maxBytes;
  }

  /** Yields the complete messages. The caller must consume them before it passes the next chunk. */
  *read(chunk: Buffer): Generator<HubMessage> {
    this.#bytes.append(chunk);
    for (;;) {
      const first = this.#protocol.findFirst(this.#bytes.view, this.#maxBytes);
      if (first === undefined) return;
      const message = this.#protocol.decode(first.body);
      this.#bytes.drop(first.length);
      if (message !== undefined) yield message;
    }
  }

  /** Drops an incomplete message whose rest will not arrive. */
  reset(): void {
    this.#bytes.clear();
  }
}
