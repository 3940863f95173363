// The common part of both kinds of channels: what they pass on from their connection, and their cursor.

import type { Cursor } from '../hub.ts';
import type { OpeningRequest } from '../opening-request.ts';
import type { Principal } from '../principal.ts';
import type { Carrier } from './channel.ts';
import type { RecentPushes } from './recent-pushes.ts';

export abstract class CarriedChannel {
  protected readonly carrier: Carrier;
  /** The cursor of a client that has received everything sent so far. */
  protected position: Cursor = '';

  constructor(carrier: Carrier) {
    this.carrier = carrier;
  }

  get id(): string {
    return this.carrier.id;
  }

  get principal(): Principal {
    return this.carrier.principal;
  }

  get request(): OpeningRequest {
    return this.carrier.request;
  }

  get closed(): AbortSignal {
    return this.carrier.closed;
  }

  get cursor(): Cursor {
    return this.position;
  }

  untilSent(): Promise<void> {
    return this.carrier.untilSent();
  }

  /** Sends the buffered messages after the current cursor; if there are none, only the new cursor. */
  protected resend(recent: RecentPushes): void {
    const known = this.position;
    const missed = recent.after(known);
    this.position = recent.cursor;
    if (missed.length > 0) this.carrier.pushAll(missed);
    else if (known !== this.position) this.carrier.sendCursor();
  }
}
