// WebSocket upgrades: accepting them within limits, and refusing them with a plain HTTP answer.

import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Limits } from './options.ts';
import type { RequestRefused } from './request.ts';

/** Chunks of TCP that may wait for their frame to become whole: tiny ones cost far more memory than they have bytes. */
const bufferedChunks = 1_024;

/**
 * An open WebSocket and the socket below it. Prepared frames are written to the socket itself: with compression off, the
 * library writes only whole control frames in between, so the two never mix within a frame.
 */
export type OpenSocket = { readonly webSocket: WebSocket; readonly socket: Duplex };

export class WebSocketUpgrader {
  readonly #server: WebSocketServer;

  constructor(limits: Pick<Limits, 'chunkBytes' | 'fragments'>) {
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      autoPong: false,
      perMessageDeflate: false,
      maxPayload: limits.chunkBytes,
      maxFragments: limits.fragments,
      maxBufferedChunks: bufferedChunks,
    });
  }

  /** Calls back in the same turn, or not at all: what is no proper upgrade is answered and closed here. */
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
