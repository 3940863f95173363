// A classic client of one hub: the messages of the hub to it, and the cursor at which it resumes.

import type { CloseOptions, Cursor } from '../hub.ts';
import type { Member } from '../live/broadcast-batch.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { SharedCall } from '../live/shared-call.ts';
import { CarriedChannel } from './carried-channel.ts';
import { type Carrier, type Channel, versionOf } from './channel.ts';
import type { HubPush, HubPushEncoding } from './messages.ts';
import { RecentPushes } from './recent-pushes.ts';

export class HubMembership extends CarriedChannel implements Member, Channel {
  readonly #hub: LiveHub;
  readonly #encoding: HubPushEncoding;
  /** Undefined when the hub itself can resend the messages a client missed. */
  readonly #recent: RecentPushes | undefined;
  /** Whether the client subscribed to the hub; a client that did not can only call methods. */
  readonly #isListening: boolean;
  #clientState = '';
  /** Counts how often the client resumed at a cursor: messages queued before a resumption must not be sent after it. */
  #resumeCount = 0;
  /** Resolves to whether the hub accepted the connection; undefined before the hub was asked. */
  #admitted: Promise<boolean> | undefined;

  constructor(carrier: Carrier, hub: LiveHub, encoding: HubPushEncoding, isListening: boolean) {
    super(carrier);
    this.#hub = hub;
    this.#encoding = encoding;
    this.#isListening = isListening;
    this.#recent = hub.definition.recovery === undefined ? new RecentPushes() : undefined;
  }

  get clientState(): string {
    return this.#clientState;
  }

  get hub(): LiveHub {
    return this.#hub;
  }

  currentCursor(): Cursor | Promise<Cursor> {
    return this.#recent?.cursor ?? this.#hub.definition.recovery?.currentCursor() ?? '';
  }

  beginAt(cursor: Cursor): void {
    this.position = this.#recent?.cursor ?? cursor;
  }

  start(): Promise<boolean> {
    const cursor = this.#recent === undefined ? this.position : undefined;
    this.#admitted ??= this.#join(() => this.#hub.definition.onConnected?.(this, cursor));
    return this.#admitted;
  }

  rewind(cursor: Cursor, clientState: string): void {
    if (this.#recent === undefined) this.#resumeCount += 1;
    this.position = cursor;
    // The client received it before a restart of this server, or from another node meanwhile.
    if (versionOf(clientState) > versionOf(this.#clientState)) this.#clientState = clientState;
  }

  resume(): void {
    if (this.#recent !== undefined) {
      void this.start();
      this.resend(this.#recent);
      return;
    }
    const cursor = this.position;
    const resume = () => this.#hub.definition.recovery?.onResumed(this, cursor, textOf(this.#clientState));
    if (this.#admitted === undefined) this.#admitted = this.#join(resume);
    else void this.carrier.attempt(resume);
  }

  send(target: string, args: readonly unknown[], cursor?: Cursor): void {
    const push = this.#encoding.encodeCall(target, args);
    this.#post(() => this.#push(push, cursor));
  }

  advance(cursor: Cursor): void {
    this.#post(() => {
      if (this.#recent !== undefined || cursor === this.position) return;
      this.position = cursor;
      this.carrier.sendCursor();
    });
  }

  setClientState(text: string): void {
    if (text === textOf(this.#clientState)) return;
    this.#clientState = `${versionOf(this.#clientState) + 1}.${text}`;
    this.#post(() => this.carrier.sendClientState());
  }

  async invoke(): Promise<never> {
    throw new Error('Functions of classic SignalR clients return nothing');
  }

  close(options?: CloseOptions): void {
    this.carrier.close(options);
  }

  joinGroup(name: string): void {
    this.#hub.join(this, name);
  }

  leaveGroup(name: string): void {
    this.#hub.leave(this, name);
  }

  deliver(call: SharedCall): void {
    this.#push(call.payloadFor(this.#encoding), call.cursor);
  }

  end(): void {
    this.#hub.remove(this);
    void this.#callDisconnected();
  }

  async #callDisconnected(): Promise<void> {
    if (await this.#admitted) await this.#hub.callDisconnected(this, undefined);
  }

  #join(begin: () => unknown): Promise<boolean> {
    // The client may have left before the init message was sent.
    if (this.carrier.closed.aborted) return Promise.resolve(false);
    this.#hub.add(this);
    return this.carrier.attempt(begin);
  }

  /** Queues the work in the hub's scheduler, so that no message overtakes a broadcast. */
  #post(work: () => void): void {
    // A client that did not subscribe has no functions for this hub, and no place for its cursor.
    if (!this.#isListening) return;
    const resumeCount = this.#resumeCount;
    this.#hub.scheduler.post(() => {
      if (resumeCount === this.#resumeCount && !this.carrier.closed.aborted) work();
      return true;
    });
  }

  #push(push: HubPush, given: Cursor | undefined): void {
    this.position = this.#recent?.add(push) ?? given ?? this.position;
    this.carrier.push(push);
  }
}

function textOf(clientState: string): string | undefined {
  return clientState === '' ? undefined : clientState.slice(clientState.indexOf('.') + 1);
}
