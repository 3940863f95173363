// The types a handler of raw connections is written with: bytes in and out, without hubs and their protocols.

import type { OpeningRequest } from './opening-request.ts';
import type { Principal } from './principal.ts';

/**
 * One client of a handler, on any transport. It is a stream of bytes: the chunks that arrive may be split differently
 * from the chunks that were sent.
 */
export interface ByteConnection {
  readonly id: string;
  /** The holder of the newest token that the client sent; its `id` never changes. */
  readonly principal: Principal;
  /** The request that opened the connection's transport. */
  readonly request: OpeningRequest;
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal;
  /**
   * The bytes that the client sends, for a single reader; ends with the connection. While nothing reads it, the server
   * stops reading from the client and may not notice that it has left.
   */
  readonly received: AsyncIterable<Buffer>;
  /**
   * Sends a string as text, and anything else as binary where the transport distinguishes the two. Server-Sent Events
   * carry text with one kind of line end: there it throws for bytes that are not UTF-8, and every line end becomes a
   * line feed. A client whose queue overflows is cut.
   */
  send(data: string | Uint8Array): void;
  /** Resolves when the send queue has room for more, or the connection has ended. */
  untilSent(): Promise<void>;
  /** Ends the connection after everything sent so far. */
  close(): void;
}

export type ConnectionsDefinition = {
  /** Connection tokens negotiated for one name open nothing of another. */
  readonly name: string;
  /** Handles one client; the connection ends when it returns or throws. */
  onConnected(connection: ByteConnection): unknown;
};
