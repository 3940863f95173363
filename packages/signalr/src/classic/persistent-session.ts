// A classic client of a persistent connection: texts both ways, without hubs.

import { isUtf8 } from 'node:buffer';
import { ConditionVariable } from '../condition-variable.ts';
import type { ByteConnection } from '../connections.ts';
import type { Cursor } from '../hub.ts';
import type { LiveConnections } from '../live/live-connections.ts';
import { ReceiveQueue } from '../live/receive-queue.ts';
import type { Settings } from '../options.ts';
import { CarriedChannel } from './carried-channel.ts';
import type { Carrier, Channel, Service } from './channel.ts';
import { HubPush } from './messages.ts';
import { RecentPushes } from './recent-pushes.ts';

export class PersistentSession extends CarriedChannel implements ByteConnection, Channel, Service {
  readonly channels = [this];
  /** The protocol stores nothing in clients of persistent connections. */
  readonly clientState = '';
  readonly received: ReceiveQueue<Buffer>;
  readonly #connections: LiveConnections;
  readonly #settings: Settings;
  readonly #recent = new RecentPushes();
  readonly #condition = new ConditionVariable();
  #hasStarted = false;

  constructor(carrier: Carrier, connections: LiveConnections, settings: Settings) {
    super(carrier);
    this.#connections = connections;
    this.#settings = settings;
    this.received = new ReceiveQueue(() => this.#condition.notifyAll());
  }

  currentCursor(): Cursor {
    return this.#recent.cursor;
  }

  beginAt(): void {
    this.position = this.#recent.cursor;
  }

  async start(): Promise<boolean> {
    if (this.carrier.closed.aborted) return false;
    if (!this.#hasStarted) void this.#connections.serve(this);
    this.#hasStarted = true;
    return true;
  }

  rewind(cursor: Cursor): void {
    this.position = cursor;
  }

  resume(): void {
    void this.start();
    this.resend(this.#recent);
  }

  /** Waits while the handler is behind with reading. */
  async handle(text: string): Promise<undefined> {
    if (!(await this.carrier.start())) return;
    const { uploadItems } = this.#settings.limits;
    await this.#condition.until(() => this.closed.aborted || this.received.unread < uploadItems);
    if (!this.closed.aborted) this.received.add(Buffer.from(text));
  }

  /** Each call is one message of the protocol, which carries text alone. */
  send(data: string | Uint8Array): void {
    if (typeof data !== 'string' && !isUtf8(data)) {
      throw new TypeError('Persistent connections of classic SignalR carry text alone');
    }
    if (this.closed.aborted) return;
    const push = new HubPush(JSON.stringify(typeof data === 'string' ? data : Buffer.from(data).toString()));
    this.position = this.#recent.add(push);
    this.carrier.push(push);
  }

  close(): void {
    this.carrier.close();
  }

  end(): void {
    this.received.end();
    this.#condition.notifyAll();
  }
}
