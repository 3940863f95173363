// What a hub protocol must do: write messages, and read them out of a stream of bytes that is cut anywhere.

import type { Encoding } from '../../live-hub.ts';
import type { ProtocolName } from '../../options.ts';
import { Payload } from '../../payload.ts';
import { ByteQueue } from './byte-queue.ts';
import { type HubMessage, messageType } from './messages.ts';

/** The bytes of the first message of a stream, framing excluded, and how many bytes it takes with it. */
export type Framed = { readonly body: Buffer; readonly length: number };

export interface Protocol {
  readonly name: ProtocolName;
  readonly isBinary: boolean;
  encode(message: HubMessage): Buffer;
  /** The first message in `bytes`; undefined while it is not whole. Throws when it is over `maxBytes`. */
  findFirst(bytes: Buffer, maxBytes: number): Framed | undefined;
  /** The message of a body; undefined when its type is not known, as of a later version. Throws when it is none. */
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

/** Reads the messages of one connection as their bytes come in. */
export class MessageReader {
  readonly #protocol: Protocol;
  readonly #maxBytes: number;
  readonly #bytes = new ByteQueue();

  constructor(protocol: Protocol, maxBytes: number) {
    this.#protocol = protocol;
    this.#maxBytes = maxBytes;
  }

  /** The messages that are whole now. They must be consumed before the next bytes are given. */
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

  /** Forgets the beginning of a message whose rest will not come. */
  reset(): void {
    this.#bytes.clear();
  }
}
