// Carries out calling: takes what has come due, hands each attempt to its channel, and records what became of it.

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Channel, leaseLost } from '../channels/channel.ts';
import type { Clock } from '../clock.ts';
import type { CallMessage, Delivery } from '../domain/calls/delivery.ts';
import { endAttempt, renewLeases, startCalls, stepCalls, takeAttempts } from '../operations/calls/advance.ts';
import { findDueWork } from '../operations/calls/queries.ts';
import { reportChannelDown } from '../operations/system/system-alarms.ts';
import type { EventFeed } from '../store/event-feed.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';

/** Clocks move without telling. */
const pollEveryMs = 200;
const leaseMs = 10_000;
const renewEveryMs = 3_000;
/** Without a renewal for so long, somebody else may have taken over. */
const doubtMs = leaseMs - 2_000;
/** What is asked for so soon after it was taken was not acknowledged long ago. */
const promptMs = 500;
/** Telephones ring for half a minute: some room is kept for what is most urgent. */
const mostInHand = 2_000;
const mostUnhurried = 1_500;
const takenAtOnce = 100;
const tryAgainMs = 500;
/** A stop waits so long for what is being delivered: half of what a server has to end in. */
const seenThroughMs = 5_000;

const endsOfTurns: ReadonlySet<string> = new Set(['call.acknowledged', 'call.failed', 'call.later']);

export type CallingParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly feed: EventFeed;
  readonly nodeId: string;
  /** By the channel of a number; `otherwise` for those that have none. */
  readonly channels: ReadonlyMap<string, Channel>;
  readonly otherwise: Channel | undefined;
  readonly onTrouble: (error: unknown) => void;
};

type InHand = { readonly message: CallMessage; readonly controller: AbortController; renewedAt: number };

export class CallDispatcher {
  readonly #parts: CallingParts;
  readonly #inHand = new Map<number, InHand>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #loop: PollingLoop;
  readonly #renewing: NodeJS.Timeout;
  readonly #forget: () => void;
  #stopped: Promise<void> | undefined;
  #isOver = false;

  constructor(parts: CallingParts) {
    this.#parts = parts;
    this.#loop = new PollingLoop(pollEveryMs, () => this.#work(), parts.onTrouble);
    const ends = [
      parts.feed.subscribe((event) => this.#hear(event), 'but-alarms'),
      parts.store.onEvents(() => this.#loop.wakeSoon()),
    ];
    this.#forget = () => ends.forEach((end) => void end());
    this.#renewing = setInterval(() => void this.#renew().catch(parts.onTrouble), renewEveryMs);
  }

  poll(): void {
    this.#loop.poll();
  }

  /**
   * Takes nothing more and sees through what is being delivered, so that nobody is called twice for a stop. What takes too
   * long is cut off; what became of it is found out at the next start.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#seeThrough();
    return this.#stopped;
  }

  async #seeThrough(): Promise<void> {
    await this.#loop.stop();
    for (const held of this.#inHand.values())
      if (this.#channelOf(held.message)?.survivesShutdown(held.message)) this.#letGo(held);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, seenThroughMs);
    await Promise.race([Promise.all(this.#underWay), late]);
    clearTimeout(timer);
    this.#isOver = true;
    clearInterval(this.#renewing);
    this.#forget();
    for (const channel of this.#channels()) channel.stop();
    for (const { controller } of this.#inHand.values()) controller.abort();
    this.#inHand.clear();
  }

  #channelOf({ channel }: CallMessage): Channel | undefined {
    const { channels, otherwise } = this.#parts;
    return channels.get(channel) ?? otherwise;
  }

  #channels(): ReadonlySet<Channel> {
    const { channels, otherwise } = this.#parts;
    return new Set([...channels.values(), ...(otherwise ? [otherwise] : [])]);
  }

  async #work(): Promise<void> {
    const { store, clock } = this.#parts;
    for (const channel of this.#channels()) channel.poll();
    for (;;) {
      const due = await store.read(findDueWork, { now: clock.now() });
      if (due.causes) await store.write(startCalls, {});
      if (due.calls) await store.write(stepCalls, {});
      const taken = due.attempts && !this.#loop.isStopped ? await this.#take() : 0;
      if (this.#loop.isStopped || !(due.causes || due.calls || taken > 0)) return;
    }
  }

  async #take(): Promise<number> {
    const { store, nodeId } = this.#parts;
    const room = Math.min(takenAtOnce, mostInHand - this.#inHand.size);
    if (room <= 0) return 0;
    const replyCodes = Array.from({ length: room }, () => String(randomInt(1000, 10_000)));
    const since = performance.now();
    const inHand = [...this.#inHand.keys()];
    const isOnlyUrgent = this.#inHand.size >= mostUnhurried;
    const messages = await store.write(takeAttempts, { node: nodeId, leaseMs, replyCodes, inHand, isOnlyUrgent });
    for (const message of messages) {
      const held = { message, controller: new AbortController(), renewedAt: since };
      this.#inHand.set(message.attemptId, held);
      const delivery = this.#deliver(held)
        .catch(this.#parts.onTrouble)
        .finally(() => this.#underWay.delete(delivery));
      this.#underWay.add(delivery);
    }
    return messages.length;
  }

  async #deliver(held: InHand): Promise<void> {
    const { message, controller } = held;
    const { attemptId } = message;
    try {
      if (!(await this.#mayAsk(held))) return;
      const delivery = await this.#ask(message, controller.signal);
      if (this.#inHand.has(attemptId)) await this.#record(attemptId, delivery);
    } finally {
      this.#inHand.delete(attemptId);
      this.poll();
    }
  }

  /** A node that was stopped in between must not call for what another has taken over, or somebody has acknowledged. */
  async #mayAsk({ message: { attemptId }, renewedAt }: InHand): Promise<boolean> {
    if (performance.now() - renewedAt <= promptMs) return true;
    const { store, nodeId } = this.#parts;
    const command = { node: nodeId, leaseMs, attemptIds: [attemptId], isBeforeRequest: true };
    return (await store.write(renewLeases, command)).length > 0;
  }

  async #ask(message: CallMessage, signal: AbortSignal): Promise<Delivery> {
    const channel = this.#channelOf(message);
    if (channel === undefined) {
      const reason = `no channel "${message.channel}" is set up`;
      await this.#tellDown(message.channel, reason);
      return { kind: 'failed', retry: 'never', reason };
    }
    try {
      return await channel.deliver(message, signal);
    } catch (error) {
      this.#parts.onTrouble(error);
      await this.#tellDown(message.channel, 'it failed');
      return { kind: 'failed', retry: 'later', reason: 'the channel failed' };
    }
  }

  async #tellDown(channel: string, reason: string): Promise<void> {
    const { store, onTrouble } = this.#parts;
    await store.write(reportChannelDown, { channel, reason }).catch(onTrouble);
  }

  /** Until it is on stable storage: nobody may have taken over while the store was away. A stop gives it up in the end. */
  async #record(attemptId: number, delivery: Delivery): Promise<void> {
    const { store, nodeId, onTrouble } = this.#parts;
    while (!this.#isOver) {
      try {
        await store.write(endAttempt, { node: nodeId, attemptId, delivery });
        return;
      } catch (error) {
        onTrouble(error);
        await pause(tryAgainMs);
      }
    }
  }

  /** What is not this node's any more is let go of; when nobody can say, as well. */
  async #renew(): Promise<void> {
    const asked = [...this.#inHand.values()];
    if (asked.length === 0) return;
    const { store, nodeId } = this.#parts;
    const since = performance.now();
    try {
      const attemptIds = asked.map(({ message }) => message.attemptId);
      const held = new Set(await store.write(renewLeases, { node: nodeId, leaseMs, attemptIds }));
      for (const entry of asked) {
        if (held.has(entry.message.attemptId)) entry.renewedAt = since;
        else this.#letGo(entry);
      }
    } finally {
      for (const entry of asked) if (performance.now() - entry.renewedAt > doubtMs) this.#letGo(entry);
    }
  }

  #letGo({ message, controller }: InHand): void {
    this.#inHand.delete(message.attemptId);
    controller.abort(leaseLost);
  }

  /** A call that is over rings no longer, nor does a person's turn: it may have been answered by text. */
  #hear({ kind, subjectId, data }: StoredEvent): void {
    if (kind !== 'call.ended' && !endsOfTurns.has(kind)) return;
    for (const { message, controller } of this.#inHand.values())
      if (message.callId === subjectId && (kind === 'call.ended' || message.cycleId === data.cycleId))
        controller.abort();
  }
}
