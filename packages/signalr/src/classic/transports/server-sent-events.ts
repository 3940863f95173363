// The Server-Sent Events transport of classic ASP.NET SignalR 2; its client sends by POST.

import type { ServerResponse } from 'node:http';
import type { Intervals } from '../../options.ts';
import { StreamWriter } from '../../sending/stream-writer.ts';
import { initialized } from '../messages.ts';
import { StreamTransport } from './stream-transport.ts';
import type { TransportOwner } from './transport.ts';

export class ServerSentEventsTransport extends StreamTransport {
  readonly name = 'ServerSentEvents';
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, intervals: Intervals, owner: TransportOwner) {
    const writer = new StreamWriter({
      ...{
        stream: response,
        formOf: ({ event }) => event,
        share: owner.share,
        guard: owner.guard,
        isOpen: () => response.writable,
      },
      onProgress: () => owner.onProgress(),
    });
    super(intervals, writer);
    this.#response = response;
    response.on('error', () => response.destroy());
    response.on('close', () =>
      owner.guard(() => {
        this.discard();
        owner.onGone(this);
      }),
    );
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=UTF-8',
      'Cache-Control': 'no-cache,no-store',
      'Content-Encoding': 'identity',
      // nginx would buffer the events without this header.
      'X-Accel-Buffering': 'no',
    });
    this.write(initialized());
  }

  protected cut(): void {
    this.#response.destroy();
  }

  protected close(): void {
    this.#response.end();
  }
}
