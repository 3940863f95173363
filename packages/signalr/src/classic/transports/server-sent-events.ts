// The Server-Sent Events transport of classic ASP.NET SignalR 2; its client sends by POST.

import type { ServerResponse } from 'node:http';
import type { Intervals, Limits } from '../../options.ts';
import { initialized, type Message } from '../messages.ts';
import { StreamTransport } from './stream-transport.ts';
import type { TransportOwner } from './transport.ts';

export class ServerSentEventsTransport extends StreamTransport {
  readonly name = 'ServerSentEvents';
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, intervals: Intervals, limits: Limits, owner: TransportOwner) {
    super(response, intervals, limits, owner);
    this.#response = response;
    response.on('error', () => response.destroy());
    response.on('close', () => owner.onGone(this));
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=UTF-8',
      'Cache-Control': 'no-cache,no-store',
      'Content-Encoding': 'identity',
      // nginx would buffer the events without this header.
      'X-Accel-Buffering': 'no',
    });
    this.write(initialized);
  }

  destroy(): void {
    this.#response.destroy();
  }

  protected bytesOf(message: Message): Buffer {
    return message.event;
  }

  protected close(): void {
    this.#response.end();
  }
}
