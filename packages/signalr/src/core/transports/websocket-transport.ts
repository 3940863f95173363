// The WebSocket transport of ASP.NET Core SignalR.

import type { Intervals } from '../../options.ts';
import type { Payload } from '../../sending/payload.ts';
import type { StreamWriter } from '../../sending/stream-writer.ts';
import { frameWriter, type OpenSocket } from '../../websocket.ts';
import type { Transport, TransportOwner } from './transport.ts';

const normalClosure = 1000;
/** Reported by the library when the socket closed without a close frame. */
const noCloseFrame = 1006;

export class WebSocketTransport implements Transport {
  readonly name = 'WebSockets';
  readonly #open: OpenSocket;
  readonly #intervals: Intervals;
  readonly #owner: TransportOwner;
  readonly #writer: StreamWriter;

  constructor(open: OpenSocket, intervals: Intervals, owner: TransportOwner) {
    this.#open = open;
    this.#intervals = intervals;
    this.#owner = owner;
    this.#writer = frameWriter(open, owner, () => owner.onProgress());
    let brokeRules = false;
    open.webSocket.on('message', (data: Buffer) => owner.guard(() => owner.onData(data)));
    open.webSocket.on('error', () =>
      owner.guard(() => {
        brokeRules = true;
      }),
    );
    open.webSocket.on('close', (code) =>
      owner.guard(() => {
        this.discard();
        owner.onGone(this, code === noCloseFrame && !brokeRules);
      }),
    );
  }

  get hasRoom(): boolean {
    return this.#writer.hasRoom;
  }

  send(payload: Payload): void {
    this.#writer.send(payload);
  }

  discard(): void {
    this.#writer.discard();
  }

  keepAlive(): void {
    const { webSocket } = this.#open;
    if (webSocket.readyState === webSocket.OPEN && this.hasRoom) webSocket.ping();
  }

  pause(): void {
    this.#open.webSocket.pause();
  }

  resume(): void {
    this.#open.webSocket.resume();
  }

  end(): void {
    // A paused socket would never receive the client's close frame.
    this.resume();
    this.#writer.end(() => this.#open.webSocket.close(normalClosure));
  }

  destroy(): void {
    this.discard();
    this.#open.webSocket.terminate();
  }

  tick(now: number): void {
    const state = this.#writer.check(now, this.#intervals);
    if (state === 'late') this.destroy();
    else if (state === 'stalled') this.#owner.onStalled(this);
  }
}
