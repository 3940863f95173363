// ASP.NET Core SignalR by hand: negotiation, WebSockets with the JSON protocol, and refused upgrades.

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { untilEqual } from './until.ts';

/** Negotiates and returns the token for `id=`. */
export async function negotiate(url: string, query = 'negotiateVersion=1', init: RequestInit = {}): Promise<string> {
  const response = await fetch(`${url}/negotiate?${query}`, { method: 'POST', ...init });
  assert.equal(response.status, 200);
  const negotiated = (await response.json()) as { connectionToken?: string; connectionId: string };
  return negotiated.connectionToken ?? negotiated.connectionId;
}

export const json = {
  handshake: (protocol = 'json', version = 1) => `${JSON.stringify({ protocol, version })}\x1e`,
  message: (message: unknown) => `${JSON.stringify(message)}\x1e`,
};

/** A hand-made WebSocket client that collects the records of the JSON protocol. */
export class HandSocket {
  readonly socket: WebSocket;
  readonly records: string[] = [];
  closeCode: number | undefined;
  #rest = '';

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      const parts = (this.#rest + data.toString()).split('\x1e');
      this.#rest = parts.pop() ?? '';
      this.records.push(...parts);
    });
    socket.on('close', (code) => {
      this.closeCode = code;
    });
    socket.on('error', () => {});
  }

  static open(url: string, headers: Record<string, string> = {}): Promise<HandSocket> {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
    return new Promise((resolve, reject) => {
      const hand = new HandSocket(socket);
      socket.on('open', () => resolve(hand));
      socket.once('error', reject);
    });
  }

  /** Bytes that the server has not read from this end yet. */
  get unsent(): number {
    return (this.socket as unknown as { _socket: Socket })._socket.writableLength;
  }

  /** Stops reading from the network. */
  stopReading(): void {
    this.socket.pause();
  }

  /** Opens a socket and does the handshake. */
  static async connect(url: string, headers: Record<string, string> = {}): Promise<HandSocket> {
    const hand = await HandSocket.open(url, headers);
    hand.socket.send(json.handshake());
    await untilEqual(() => hand.records[0], '{}');
    return hand;
  }
}

/** Sends an upgrade that must be refused, and returns the response. */
export function refusedUpgrade(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = httpRequest(url, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version': '13',
        ...headers,
      },
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The upgrade was not refused'));
    });
    request.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    request.on('error', reject);
    request.end();
  });
}
