// The Server-Sent Events transport of ASP.NET Core SignalR; its client sends by POST.

import type { ServerResponse } from 'node:http';
import type { Intervals } from '../../options.ts';
import type { Payload } from '../../sending/payload.ts';
import { StreamWriter } from '../../sending/stream-writer.ts';
import type { Transport, TransportOwner } from './transport.ts';

const comment = Buffer.from(':\r\n');

export class ServerSentEventsTransport implements Transport {
  readonly name = 'ServerSentEvents';
  readonly #response: ServerResponse;
  readonly #intervals: Intervals;
  readonly #owner: TransportOwner;
  readonly #writer: StreamWriter;

  constructor(response: ServerResponse, intervals: Intervals, owner: TransportOwner) {
    this.#response = response;
    this.#intervals = intervals;
    this.#owner = owner;
    this.#writer = new StreamWriter({
      ...{
        stream: response,
        formOf: ({ event }) => event,
        share: owner.share,
        guard: owner.guard,
        isOpen: () => this.#isOpen,
      },
      onProgress: () => owner.onProgress(),
    });
    response.on('error', () => response.destroy());
    response.on('close', () =>
      owner.guard(() => {
        this.discard();
        // Event streams cannot be resumed, so it makes no difference how they ended.
        owner.onGone(this, false);
      }),
    );
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache,no-store',
      'Content-Encoding': 'identity',
    });
    // Firefox considers the stream open only after the first bytes.
    response.write(comment);
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
    if (this.#isOpen && this.hasRoom) this.#response.write(comment);
  }

  /** The client sends by POST, and the POST queue waits itself. */
  pause(): void {}
  resume(): void {}

  end(): void {
    this.#writer.end(() => this.#response.end());
  }

  destroy(): void {
    this.discard();
    this.#response.destroy();
  }

  tick(now: number): void {
    const state = this.#writer.check(now, this.#intervals);
    if (state === 'late') this.destroy();
    else if (state === 'stalled') this.#owner.onStalled(this);
  }

  get #isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }
}
