// What a raw connection is to those who write a handler of them: bytes in and out, below hubs and their protocols.

import type { Principal } from './principal.ts';

/**
 * One client of a handler, whatever transport it has. It is a stream of bytes: neither side may rely on getting them in
 * the pieces in which they were sent.
 */
export interface ByteConnection {
  readonly id: string;
  readonly principal: Principal;
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal;
  /**
   * What the client sends, to be read by one reader; over when the connection has ended. While nobody reads it, little is
   * taken from the client, and that it leaves may go unnoticed.
   */
  readonly received: AsyncIterable<Buffer>;
  /**
   * A string goes as text, anything else as binary where the transport tells the two apart. Server-sent events carry
   * text alone, and know one end of line: there it throws for bytes that are no UTF-8, and every end of line becomes a
   * line feed. A client that lets too much pile up is cut.
   */
  send(data: string | Uint8Array): void;
  /** Resolves when what was sent has left so far that there is room for more, or the connection has ended. */
  untilSent(): Promise<void>;
  /** Ends the connection after what was sent. */
  close(): void;
}

export type ConnectionsDefinition = {
  /** What was negotiated for one name opens nothing of another. */
  readonly name: string;
  /** Speaks with a client; the connection ends when it returns or fails. */
  onConnected(connection: ByteConnection): unknown;
};
