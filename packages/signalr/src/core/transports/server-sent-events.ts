// The Server-Sent Events transport of ASP.NET Core SignalR; its client sends by POST.

import type { ServerResponse } from 'node:http';
import type { Intervals, Limits } from '../../options.ts';
import type { Payload } from '../../payload.ts';
import { StreamWriter } from '../../send-queue.ts';
import type { Transport, TransportOwner } from './transport.ts';

const comment = Buffer.from(':\r\n');

export class ServerSentEventsTransport implements Transport {
  readonly name = 'ServerSentEvents';
  readonly #response: ServerResponse;
  readonly #intervals: Intervals;
  readonly #writer: StreamWriter;
  #endingSince: number | undefined;

  constructor(response: ServerResponse, intervals: Intervals, limits: Limits, owner: TransportOwner) {
    this.#response = response;
    this.#intervals = intervals;
    this.#writer = new StreamWriter(response, limits, () => owner.onProgress());
    response.on('error', () => response.destroy());
    // Event streams cannot be resumed, so it makes no difference how they ended.
    response.on('close', () => owner.onGone(this, false));
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache,no-store',
      'Content-Encoding': 'identity',
    });
    // Firefox considers the stream open only after the first bytes.
    response.write(comment);
  }

  get backlog(): number {
    return this.#writer.backlog;
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  send(payload: Payload): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    this.#writer.write(payload.event, payload.messageCount);
  }

  keepAlive(): void {
    if (!this.#response.writableEnded && !this.#response.destroyed && !this.isFull) this.#writer.write(comment);
  }

  /** The client sends by POST, and the POST queue waits itself. */
  pause(): void {}
  resume(): void {}

  end(): void {
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }

  tick(now: number): void {
    if (this.#response.writableEnded) this.#endingSince ??= now;
    const isLate = this.#endingSince !== undefined && now - this.#endingSince > this.#intervals.closeTimeout;
    if (isLate || this.#writer.isStalled(now, this.#intervals.sendTimeout)) this.destroy();
  }
}
