// The handshake of ASP.NET Core SignalR: the client's first message, always JSON, that names its protocol, and the
// responses.

import type { ProtocolName } from '../../options.ts';
import { Payload } from '../../sending/payload.ts';
import { ByteQueue } from './byte-queue.ts';
import { findRecord, jsonProtocol, parseObject, writeRecord } from './json-protocol.ts';
import { messagePackProtocol } from './messagepack-protocol.ts';
import { InvalidMessage } from './messages.ts';
import { CoreEncoding, protocolVersion } from './protocol.ts';

type HandshakeRequest = { readonly protocol: string; readonly version: number };

/** Its messages are those of the original server, which clients know. */
export class HandshakeFailed extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'HandshakeFailed';
  }
}

export const canceledText = 'Handshake was canceled.';
const unexpectedText = 'An unexpected error occurred during connection handshake.';

/** Shared by all connections, so that a broadcast is serialized once. */
const encodings = [new CoreEncoding(jsonProtocol), new CoreEncoding(messagePackProtocol)] as const;

export class HandshakeReader {
  readonly #maxBytes: number;
  readonly #bytes = new ByteQueue();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the request and the bytes after it; undefined while it is incomplete. Throws `HandshakeFailed`. */
  read(chunk: Buffer): { readonly request: HandshakeRequest; readonly rest: Buffer } | undefined {
    this.#bytes.append(chunk);
    const bytes = this.#bytes.view;
    // Fails at once if the first byte does not open an object: it may be a client resuming a connection that is gone.
    if (bytes.length > 0 && bytes[0] !== 0x7b) throw new HandshakeFailed(unexpectedText);
    const record = this.#findRecord(bytes);
    if (record === undefined) return undefined;
    return { request: requestOf(record.body), rest: bytes.subarray(record.length) };
  }

  #findRecord(bytes: Buffer) {
    try {
      return findRecord(bytes, this.#maxBytes);
    } catch {
      throw new HandshakeFailed(canceledText);
    }
  }
}

function requestOf(body: Buffer): HandshakeRequest {
  try {
    const { protocol, version } = parseObject(body);
    if (typeof protocol === 'string' && Number.isInteger(version)) return { protocol, version: version as number };
  } catch (error) {
    if (!(error instanceof InvalidMessage)) throw error;
  }
  throw new HandshakeFailed(unexpectedText);
}

/** Returns the encoding of the requested protocol. Throws `HandshakeFailed` when it is not available. */
export function chooseEncoding(
  { protocol, version }: HandshakeRequest,
  offered: readonly ProtocolName[],
  canBeBinary: boolean,
): CoreEncoding {
  const encoding = encodings.find((one) => one.protocol.name === protocol);
  if (encoding === undefined || !offered.includes(encoding.protocol.name)) {
    throw new HandshakeFailed(`The protocol '${protocol}' is not supported.`);
  }
  if (version > protocolVersion) {
    throw new HandshakeFailed(`The server does not support version ${version} of the '${protocol}' protocol.`);
  }
  if (encoding.protocol.isBinary && !canBeBinary) {
    throw new HandshakeFailed(
      `Cannot use the '${protocol}' protocol on the current transport. ` +
        "The transport does not support 'Binary' transfer format.",
    );
  }
  return encoding;
}

export function acceptance(isBinary: boolean): Payload {
  return new Payload(writeRecord({}), isBinary);
}

export function rejection(text: string): Payload {
  return new Payload(writeRecord({ error: text }), false);
}
