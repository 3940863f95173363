// A hand-made client of classic ASP.NET SignalR 2, over plain HTTP and WebSockets.

import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { untilEqual } from './until.ts';

export type Query = Readonly<Record<string, string>>;

type TextResponse = { readonly status: number; readonly text: string; readonly headers: Headers };

/** A client of the hub `trades` that sends one request at a time. */
export class HandClient {
  readonly url: string;
  readonly query: Query;
  token = '';
  id = '';

  constructor(url: string, query: Query = {}) {
    this.url = url;
    this.query = { clientProtocol: '2.1', connectionData: '[{"name":"trades"}]', ...query };
  }

  static async negotiated(url: string, query: Query = {}): Promise<HandClient> {
    const client = new HandClient(url, query);
    const response = await client.ask('negotiate');
    assert.equal(response.status, 200, response.text);
    const { ConnectionToken, ConnectionId } = JSON.parse(response.text);
    client.token = ConnectionToken;
    client.id = ConnectionId;
    return client;
  }

  address(path: string, query: Query = {}): string {
    const token: Query = this.token === '' ? {} : { connectionToken: this.token };
    return `${this.url}/${path}?${new URLSearchParams({ ...this.query, ...token, ...query })}`;
  }

  async ask(path: string, query: Query = {}, init: RequestInit = {}): Promise<TextResponse> {
    const response = await fetch(this.address(path, query), init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** Sends a request of long polling as the published client does. */
  async poll(path: 'connect' | 'poll' | 'reconnect', messageId = ''): Promise<TextResponse> {
    const body = new URLSearchParams(messageId === '' ? {} : { messageId });
    return this.ask(path, { transport: 'longPolling' }, { method: 'POST', body });
  }

  start(transport: string): Promise<TextResponse> {
    return this.ask('start', { transport });
  }

  send(transport: string, call: unknown): Promise<TextResponse> {
    const body = new URLSearchParams({ data: JSON.stringify(call) });
    return this.ask('send', { transport }, { method: 'POST', body });
  }

  /** Connects over Server-Sent Events. */
  async events(path: 'connect' | 'reconnect' = 'connect', query: Query = {}): Promise<HandEvents> {
    const stopper = new AbortController();
    const response = await fetch(this.address(path, { transport: 'serverSentEvents', ...query }), {
      signal: stopper.signal,
    });
    assert.equal(response.status, 200);
    return new HandEvents(response, stopper);
  }

  async webSocket(path: 'connect' | 'reconnect' = 'connect', query: Query = {}): Promise<HandFrames> {
    const socket = new WebSocket(this.address(path, { transport: 'webSockets', ...query }).replace('http', 'ws'));
    const frames = new HandFrames(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return frames;
  }

  /** Connects over a WebSocket, starts, and drops the init message. */
  async started(): Promise<HandFrames> {
    const frames = await this.webSocket();
    await untilEqual(() => frames.texts.length, 1);
    await this.start('webSockets');
    frames.texts.length = 0;
    return frames;
  }
}

export class HandEvents {
  readonly response: Response;
  readonly #stopper: AbortController;
  text = '';
  isOver = false;

  constructor(response: Response, stopper: AbortController) {
    this.response = response;
    this.#stopper = stopper;
    void this.#read();
  }

  stop(): void {
    this.#stopper.abort();
  }

  async #read(): Promise<void> {
    try {
      for await (const chunk of this.response.body ?? []) this.text += Buffer.from(chunk).toString();
    } catch {
      // The stream was stopped or cut.
    }
    this.isOver = true;
  }
}

export class HandFrames {
  readonly socket: WebSocket;
  readonly texts: string[] = [];
  closeCode: number | undefined;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.texts.push(data.toString()));
    socket.on('close', (code) => {
      this.closeCode = code;
    });
  }

  call(method: string, args: readonly unknown[] = [], id: number | string = 0, hub = 'trades'): void {
    this.socket.send(JSON.stringify({ H: hub, M: method, A: args, I: id }));
  }
}

/** Returns the cursor of a message. */
export function cursorOf(text: string): string {
  return JSON.parse(text).C;
}
