// The WebSocket transport of ASP.NET Core SignalR.

import type { Intervals, Limits } from '../../options.ts';
import type { Payload } from '../../payload.ts';
import { StreamWriter } from '../../send-queue.ts';
import type { OpenSocket } from '../../websocket.ts';
import type { Transport, TransportOwner } from './transport.ts';

const normalClosure = 1000;
/** Reported by the library when the socket closed without a close frame. */
const noCloseFrame = 1006;

export class WebSocketTransport implements Transport {
  readonly name = 'WebSockets';
  readonly #open: OpenSocket;
  readonly #intervals: Intervals;
  readonly #writer: StreamWriter;
  #isEnding = false;
  #endingSince: number | undefined;

  constructor(open: OpenSocket, intervals: Intervals, limits: Limits, owner: TransportOwner) {
    this.#open = open;
    this.#intervals = intervals;
    this.#writer = new StreamWriter(open.socket, limits, () => owner.onProgress());
    let brokeRules = false;
    open.webSocket.on('message', (data: Buffer) => owner.onData(data));
    // Pongs are sent here because the library would queue them without limit for a client that does not read.
    open.webSocket.on('ping', (data: Buffer) => {
      if (!this.isFull) open.webSocket.pong(data);
    });
    open.webSocket.on('error', () => {
      brokeRules = true;
    });
    open.webSocket.on('close', (code) => owner.onGone(this, code === noCloseFrame && !brokeRules));
  }

  get backlog(): number {
    return this.#writer.backlog;
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  send(payload: Payload): void {
    const { webSocket, socket } = this.#open;
    if (webSocket.readyState === webSocket.OPEN && socket.writable) {
      this.#writer.write(payload.frame, payload.messageCount);
    }
  }

  keepAlive(): void {
    const { webSocket } = this.#open;
    if (webSocket.readyState === webSocket.OPEN && !this.isFull) webSocket.ping();
  }

  pause(): void {
    this.#open.webSocket.pause();
  }

  resume(): void {
    this.#open.webSocket.resume();
  }

  end(): void {
    this.#isEnding = true;
    // A paused socket would never receive the client's close frame.
    this.resume();
    this.#open.webSocket.close(normalClosure);
  }

  destroy(): void {
    this.#open.webSocket.terminate();
  }

  tick(now: number): void {
    if (this.#isEnding) this.#endingSince ??= now;
    const isLate = this.#endingSince !== undefined && now - this.#endingSince > this.#intervals.closeTimeout;
    if (isLate || this.#writer.isStalled(now, this.#intervals.sendTimeout)) this.destroy();
  }
}
