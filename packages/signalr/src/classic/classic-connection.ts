// A classic client of a hub: it keeps its connection while transports come and go, and says with a cursor where to go on.

import { type CloseOptions, type Cursor, HubException } from '../hub.ts';
import type { LiveHub, Member, SharedCall } from '../live-hub.ts';
import type { Settings } from '../options.ts';
import { isExpired, type Principal } from '../principal.ts';
import { Progress } from '../wait-until.ts';
import { answerCall, readCall } from './hub-calls.ts';
import type { HubPush, HubPushEncoding } from './messages.ts';
import { keepAliveEvery } from './negotiate.ts';
import { RecentPushes } from './recent-pushes.ts';
import type { ClassicTransport, TransportOwner } from './transport.ts';

/** From this backlog on, whoever has much to send waits. */
const comfortableBacklog = 16;

type ConnectionOptions = {
  readonly id: string;
  readonly hub: LiveHub;
  readonly principal: Principal;
  /** Whether the client listens to the hub; if not it can only call. */
  readonly isListening: boolean;
  readonly encoding: HubPushEncoding;
  readonly settings: Settings;
  /** Called when it has ended, and when its last transport is gone too. */
  readonly onEnded: () => void;
  readonly onGone: () => void;
};

export class ClassicConnection implements Member, TransportOwner {
  readonly id: string;
  readonly hub: LiveHub;
  principal: Principal;
  readonly #options: ConnectionOptions;
  readonly #settings: Settings;
  /** Only when the hub cannot tell itself what a client has missed. */
  readonly #recent: RecentPushes | undefined;
  readonly #closed = new AbortController();
  readonly #progress = new Progress();
  #transport: ClassicTransport | undefined;
  /** Since when it has no transport. */
  #lostAt: number | undefined;
  #lastSentAt: number;
  /** How far the client is when it has got everything that was sent. */
  #cursor: Cursor = '';
  /** What its client keeps, or is on its way to it, with the number of the time. */
  #clientState = '';
  /** Counts how often the client started over from a cursor: what was on its way before must not come after. */
  #round = 0;
  /** Whether the hub has let it in; undefined when it has not been asked yet. */
  #welcome: Promise<boolean> | undefined;

  constructor(options: ConnectionOptions) {
    this.id = options.id;
    this.hub = options.hub;
    this.principal = options.principal;
    this.#options = options;
    this.#settings = options.settings;
    this.#recent = options.hub.definition.recovery === undefined ? new RecentPushes() : undefined;
    this.#lostAt = this.#lastSentAt = options.settings.now();
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get transport() {
    return this.#transport;
  }

  /** Takes the place of the transport before it. */
  attach(transport: ClassicTransport): void {
    const previous = this.#transport;
    this.#transport = transport;
    this.#lostAt = undefined;
    this.#lastSentAt = this.#settings.now();
    if (previous !== transport) previous?.destroy();
    this.onProgress();
  }

  /** Tells a client that has just connected over this transport where it stands. */
  async greet(transport: ClassicTransport): Promise<void> {
    await this.#attempt(async () => {
      const cursor = this.#recent?.cursor ?? (await this.hub.definition.recovery?.currentCursor()) ?? '';
      if (transport !== this.#transport) return;
      this.#cursor = cursor;
      transport.greet(cursor);
    });
  }

  /** Makes it a member of the hub, once; false when the hub refused it. */
  start(): Promise<boolean> {
    const cursor = this.#recent === undefined ? this.#cursor : undefined;
    this.#welcome ??= this.#join(() => this.hub.definition.onConnected?.(this, cursor));
    return this.#welcome;
  }

  /** Goes on after the cursor, with a transport that has just been attached, for a client that keeps what it says. */
  resume(cursor: Cursor | undefined, kept = ''): void {
    const { recovery } = this.hub.definition;
    if (cursor === undefined || recovery === undefined) {
      void this.start();
      if (cursor !== undefined) this.#sendAgain(cursor);
      return;
    }
    this.#round += 1;
    this.#cursor = cursor;
    // From before a restart, or from another node since.
    if (timeOf(kept) > timeOf(this.#clientState)) this.#clientState = kept;
    this.remind(kept);
    const goOn = () => recovery.onResumed(this, cursor, textOf(this.#clientState));
    if (this.#welcome === undefined) this.#welcome = this.#join(goOn);
    else if (this.#options.isListening) void this.#attempt(goOn);
  }

  /** Leaves with a client that keeps something older what it should keep. */
  remind(kept = ''): void {
    if (timeOf(kept) < timeOf(this.#clientState)) this.#transport?.setClientState(this.#clientState, this.#cursor);
  }

  /** The answer to a text of the client; undefined when it is no call. */
  async answer(text: string): Promise<string | undefined> {
    const call = readCall(text);
    if (call === undefined || !(await this.start())) return undefined;
    return answerCall(call, this.hub, this, this.#settings.onError);
  }

  send(target: string, args: readonly unknown[], cursor?: Cursor): void {
    const push = this.#options.encoding.encodeCall(target, args);
    this.#post(() => this.#push(push, cursor));
  }

  advance(cursor: Cursor): void {
    this.#post(() => {
      if (this.#recent !== undefined || cursor === this.#cursor) return;
      this.#cursor = cursor;
      this.#transport?.advance(cursor);
    });
  }

  setClientState(text: string): void {
    if (text === textOf(this.#clientState)) return;
    this.#clientState = `${timeOf(this.#clientState) + 1}.${text}`;
    this.#post(() => this.#transport?.setClientState(this.#clientState, this.#cursor));
  }

  untilSent(): Promise<void> {
    return this.#progress.until(() => {
      const backlog = this.#transport?.backlog ?? Number.POSITIVE_INFINITY;
      return this.#closed.signal.aborted || backlog < comfortableBacklog;
    });
  }

  async invoke(): Promise<never> {
    throw new Error('Clients of this generation return nothing');
  }

  close({ allowReconnect = false, error = 'The server has closed the connection.' }: CloseOptions = {}): void {
    this.hub.scheduler.post(() => {
      this.#transport?.end(this.#cursor, allowReconnect ? undefined : error);
      this.end();
      return true;
    });
  }

  joinGroup(name: string): void {
    this.hub.join(this, name);
  }

  leaveGroup(name: string): void {
    this.hub.leave(this, name);
  }

  deliver(call: SharedCall): void {
    this.#push(call.payloadFor(this.#options.encoding), call.cursor);
  }

  onProgress(): void {
    this.#progress.made();
  }

  onGone(transport: ClassicTransport): void {
    if (transport !== this.#transport) return;
    this.#transport = undefined;
    this.#lostAt = this.#settings.now();
    if (this.#closed.signal.aborted) this.#options.onGone();
  }

  tick(now: number): void {
    const { intervals } = this.#settings;
    const isLost = this.#lostAt !== undefined && now - this.#lostAt > intervals.disconnect;
    this.#transport?.tick(now);
    if (this.#closed.signal.aborted) return;
    if (isLost || this.#transport?.isAbandoned(now)) this.destroy();
    else if (isExpired(this.principal, now)) this.close({ allowReconnect: true });
    else if (now - this.#lastSentAt >= keepAliveEvery(intervals)) {
      this.#lastSentAt = now;
      this.#transport?.keepAlive();
    }
  }

  /** The client has gone for good, or has to: its transport may still be saying its last word. */
  end(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.hub.remove(this);
    this.onProgress();
    this.#options.onEnded();
    if (this.#transport === undefined) this.#options.onGone();
    void this.#sayFarewell();
  }

  destroy(): void {
    this.#transport?.destroy();
    this.end();
  }

  async #sayFarewell(): Promise<void> {
    if (this.#options.isListening && (await this.#welcome)) await this.hub.bidFarewell(this, undefined);
  }

  #join(begin: () => unknown): Promise<boolean> {
    // Its client may have gone while it was greeted.
    if (this.#closed.signal.aborted) return Promise.resolve(false);
    if (!this.#options.isListening) return Promise.resolve(true);
    this.hub.add(this);
    return this.#attempt(begin);
  }

  /** False, and the end of the connection, when the hub does not want it. */
  async #attempt(work: () => unknown): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof HubException)) this.#settings.onError(error);
      this.destroy();
      return false;
    }
  }

  /** In the order of the hub, so that nothing overtakes a broadcast. */
  #post(work: () => void): void {
    const round = this.#round;
    this.hub.scheduler.post(() => {
      if (round === this.#round && !this.#closed.signal.aborted) work();
      return true;
    });
  }

  #push(push: HubPush, given: Cursor | undefined): void {
    this.#cursor = this.#recent?.add(push) ?? given ?? this.#cursor;
    if (this.#transport === undefined) return;
    this.#lastSentAt = this.#settings.now();
    // The client comes back and says how far it got.
    if (this.#transport.isFull) this.#transport.destroy();
    else this.#transport.push(push, this.#cursor);
  }

  #sendAgain(cursor: Cursor): void {
    const missed = this.#recent?.after(cursor) ?? [];
    this.#cursor = this.#recent?.cursor ?? '';
    if (missed.length > 0) this.#transport?.pushAll(missed, this.#cursor);
    else if (cursor !== this.#cursor) this.#transport?.advance(this.#cursor);
  }
}

/** How often something has been left with the client; never is 0. */
function timeOf(clientState: string): number {
  return Number.parseInt(clientState, 10) || 0;
}

function textOf(clientState: string): string | undefined {
  return clientState === '' ? undefined : clientState.slice(clientState.indexOf('.') + 1);
}
