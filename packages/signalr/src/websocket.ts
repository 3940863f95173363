// WebSocket upgrades: accepts them within limits, and refuses them with a plain HTTP response.

import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { Guard } from './guard.ts';
import type { Limits } from './options.ts';
import type { RequestRefused } from './request.ts';
import type { BacklogShare } from './sending/backlog.ts';
import { StreamWriter } from './sending/stream-writer.ts';

/** TCP chunks that may wait for the rest of their frame: tiny ones cost far more memory than they have bytes. */
const bufferedChunks = 1_024;

const normalClosure = 1000;

/**
 * A WebSocket that confirms the close frame of its client with 1000, as ASP.NET does. The library would repeat the
 * client's code, or send none if the client sent none, which browsers report as 1005.
 */
class ConfirmingWebSocket extends WebSocket {
  /** The library closes with the client's reason, or without a code, only to confirm; this server gives no reasons. */
  override close(code = normalClosure, clientReason?: string | Buffer): void {
    super.close(clientReason === undefined ? code : normalClosure);
  }
}

/**
 * An open WebSocket and the socket below it. Prepared frames are written to the socket itself: with compression off,
 * the library writes only whole control frames in between, so the two never mix within a frame.
 */
export type OpenSocket = { readonly webSocket: WebSocket; readonly socket: Duplex };

/**
 * Returns the writer of a WebSocket. It also answers pings, the newest one alone and never within a message: the library
 * would queue pongs without limit for a client that does not read.
 */
export function frameWriter(
  { webSocket, socket }: OpenSocket,
  { share, guard }: { readonly share: BacklogShare; readonly guard: Guard },
  onProgress: () => void,
) {
  let ping: Buffer | undefined;
  const answer = () => {
    if (ping === undefined || !writer.isOpenToOthers) return;
    webSocket.pong(ping);
    ping = undefined;
  };
  const writer = new StreamWriter({
    ...{ stream: socket, share, guard, formOf: ({ frame }) => frame },
    isOpen: () => webSocket.readyState === webSocket.OPEN && socket.writable,
    onProgress: () => {
      answer();
      onProgress();
    },
  });
  webSocket.on('ping', (data: Buffer) =>
    guard(() => {
      ping = data;
      answer();
    }),
  );
  return writer;
}

export class WebSocketUpgrader {
  readonly #server: WebSocketServer;

  constructor(limits: Pick<Limits, 'chunkBytes' | 'fragments'>) {
    this.#server = new WebSocketServer({
      noServer: true,
      WebSocket: ConfirmingWebSocket,
      clientTracking: false,
      autoPong: false,
      perMessageDeflate: false,
      maxPayload: limits.chunkBytes,
      maxFragments: limits.fragments,
      maxBufferedChunks: bufferedChunks,
    });
  }

  /** Calls `onOpen` in the same turn, or responds to an invalid upgrade and closes the socket. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, onOpen: (open: OpenSocket) => void): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => onOpen({ webSocket, socket }));
  }
}

export function refuseUpgrade(socket: Duplex, { status, message, headers }: RequestRefused): void {
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'text/plain',
    'Content-Length': String(Buffer.byteLength(message)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${message}`);
}
