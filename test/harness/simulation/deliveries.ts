// The deliveries of the nodes of a simulation: attempts are taken under a lease and delivered by providers that fail or not, to
// telephones that ring, are picked up or not, and answered by key. A node that crashes leaves its deliveries to the others.

import { systemCaller } from '../../../src/domain/access/access.ts';
import { announcedItem } from '../../../src/domain/calls/announced.ts';
import { type CallMessage, type Delivery, isSpoken, type Progress } from '../../../src/domain/calls/delivery.ts';
import { AppError } from '../../../src/errors.ts';
import { answerCall } from '../../../src/operations/calls/answer.ts';
import { selectAttempt } from '../../../src/operations/calls/attempts.ts';
import { endAttempt } from '../../../src/operations/calls/delivery/end-attempt.ts';
import { failOver } from '../../../src/operations/calls/delivery/fail-over.ts';
import { renewLeases } from '../../../src/operations/calls/delivery/leases.ts';
import { noteProgress } from '../../../src/operations/calls/delivery/progress.ts';
import { takeAttempts } from '../../../src/operations/calls/delivery/take-attempts.ts';
import { openTriesOf } from '../../../src/operations/calls/engine/open-tries.ts';
import { announceNow, noteAnnounced } from '../../../src/operations/calls/messages/announced-now.ts';
import { hasDueAttempts } from '../../../src/operations/calls/queries.ts';
import { reportChannelDown } from '../../../src/operations/providers/channel-alarms.ts';
import type { Operation, Query } from '../../../src/store/store.ts';
import type { Chance } from '../chance.ts';
import type { Mood, Organisation } from '../escalation/organisation.ts';
import type { RowWatch } from './row-watch.ts';

export const leaseMs = 10_000;
/** A node that crashed by itself is back after so long at most. */
export const longestDownMs = 15_000;
const slackMs = 2_000;

export type Node = {
  readonly name: string;
  isUp: boolean;
  /** Counts its crashes. */
  epoch: number;
  readonly held: Set<number>;
};

export type Site = {
  readonly chance: Chance;
  readonly watch: RowWatch;
  readonly organisation: Organisation;
  readonly nodes: readonly Node[];
  write<I, O>(operation: Operation<I, O>, input: I): Promise<O>;
  /** Wakes nobody if no call has changed. */
  poll<I, O>(operation: Operation<I, O>, input: I): Promise<O>;
  read<A, R>(query: Query<A, R>, args: A): Promise<R>;
  later(afterMs: number, run: () => Promise<void>): void;
  crashSometimes(node: Node): void;
  readonly clockNow: number;
  readonly engineNow: number;
};

type Failed = Extract<Delivery, { readonly kind: 'failed' }>;
type Key = 'heard' | 'decline' | 'later' | 'take' | 'all' | 'nothing';

const noMood: Mood = { picksUp: 0, takes: 0, answers: 0, replies: 0 };
const noAnswer: Failed = { kind: 'failed', retry: 'later', outcome: 'noAnswer', reason: 'no answer' };
const delivered: Delivery = { kind: 'delivered', detail: '' };

export class Deliveries {
  /** Ids of providers that fail, whether that is known or not. */
  readonly dead = new Set<number>();
  /** Ids of numbers at which somebody enters a wrong PIN next. */
  readonly wrongPins = new Set<number>();
  readonly #site: Site;
  readonly #stopping = new Set<number>();
  /** By id of an attempt: how often it was made, and how often a node crashed over it. */
  readonly #made = new Map<number, { count: number; crashes: number }>();

  constructor(site: Site) {
    this.#site = site;
  }

  /** How often attempts were made beyond the first time. */
  get repeated(): number {
    return [...this.#made.values()].reduce((sum, { count }) => sum + count - 1, 0);
  }

  async take(node: Node): Promise<void> {
    const site = this.#site;
    while (node.isUp && site.watch.hasWork && (await site.read(hasDueAttempts, { now: site.clockNow }))) {
      const messages = await site.poll(takeAttempts, {
        ...{ node: node.name, nodeName: node.name, leaseMs, heldAttemptIds: [...node.held] },
        replyCodes: Array.from({ length: 50 }, () => String(site.chance.int(1_000, 10_000))),
      });
      for (const message of messages) this.#hold(node, message);
      if (messages.length === 0) return;
    }
  }

  #hold(node: Node, { attemptId, providerId }: CallMessage): void {
    const { watch, engineNow } = this.#site;
    const made = this.#made.get(attemptId) ?? { count: 0, crashes: 0 };
    made.count++;
    this.#made.set(attemptId, made);
    if (made.count > 1 + made.crashes)
      this.#flaw(`attempt ${attemptId} was made ${made.count} times over ${made.crashes} crashes`);
    const over = watch.overSince(attemptId);
    if (over !== undefined && engineNow - over > slackMs + leaseMs * made.crashes)
      this.#flaw(`attempt ${attemptId} was made ${engineNow - over} ms after its alarms were over`);
    node.held.add(attemptId);
    this.#site.crashSometimes(node);
    this.#deliver(node, attemptId, providerId);
  }

  async renew(node: Node): Promise<void> {
    if (!node.isUp || node.held.size === 0) return;
    const attemptIds = [...node.held];
    const held = await this.#site.poll(renewLeases, { node: node.name, leaseMs, attemptIds });
    for (const id of attemptIds)
      if (!held.includes(id)) this.#flaw(`node ${node.name} lost attempt ${id} while it was alive`);
  }

  crash(node: Node): void {
    node.isUp = false;
    node.epoch++;
    this.#site.watch.counts.restarts++;
    for (const id of node.held) {
      const trace = this.#site.watch.attempts.get(id);
      if (trace !== undefined) trace.isLost = true;
      const made = this.#made.get(id);
      if (made !== undefined) made.crashes++;
    }
    node.held.clear();
  }

  /** Hangs up what somebody stopped; a conversation goes on. */
  stopUnwanted(): void {
    const { watch, nodes, chance } = this.#site;
    for (const id of watch.stopped) {
      const node = nodes.find(({ held }) => held.has(id));
      if (node === undefined || this.#stopping.has(id)) continue;
      this.#stopping.add(id);
      const stopped: Delivery = { kind: 'failed', retry: 'later', outcome: 'cancelled', reason: 'stopped' };
      this.#then(node, id, chance.int(0, 300), () => this.#end(node, id, stopped));
    }
  }

  #deliver(node: Node, id: number, providerId: number | undefined): void {
    this.#then(node, id, this.#seconds(0.2, 1), async () => {
      if (providerId === undefined) return this.#failWithoutProvider(node, id);
      const { number, attempt } = this.#traceOf(id);
      if (this.dead.has(providerId) || this.#site.organisation.failing.has(number.id))
        return this.#failOver(node, id, providerId);
      await this.#progress(id, { kind: 'accepted', ref: `${id}` });
      if (isSpoken(attempt.channel)) return this.#ring(node, id);
      await this.#end(node, id, delivered);
      this.#awaitReply(id);
    });
  }

  async #failWithoutProvider(node: Node, id: number): Promise<void> {
    const { channel } = this.#traceOf(id).attempt;
    const reason = `no provider of the channel "${channel}" works`;
    await this.#site.write(reportChannelDown, { channel, reason });
    await this.#end(node, id, { kind: 'failed', retry: 'channel-up', outcome: 'providerDown', reason });
  }

  async #failOver(node: Node, id: number, leavingId: number): Promise<void> {
    const reason = 'the provider does not answer';
    const failed = {
      node: node.name,
      nodeName: node.name,
      attemptId: id,
      leavingId,
      fault: 'down',
      outcome: 'providerDown',
      reason,
    } as const;
    const next = await this.#site.write(failOver, failed);
    if (next.kind === 'use') this.#deliver(node, id, next.providerId);
    else if (next.kind === 'none') {
      await this.#site.write(reportChannelDown, { channel: this.#traceOf(id).attempt.channel, reason });
      const delivery = {
        kind: 'failed',
        retry: 'channel-up',
        outcome: 'providerDown',
        fault: 'down',
        reason,
      } as const;
      await this.#end(node, id, delivery);
    } else {
      node.held.delete(id);
      // It is made by whoever takes it next, as if for the first time.
      this.#made.delete(id);
    }
  }

  async #ring(node: Node, id: number): Promise<void> {
    const { chance } = this.#site;
    await this.#progress(id, { kind: 'ringing' });
    const mood = this.#moodOf(id);
    const isPinWrong = this.wrongPins.has(this.#traceOf(id).attempt.numberId);
    if (!isPinWrong && !chance.percent(mood.picksUp)) {
      const isRefused = chance.percent(8);
      const afterMs = isRefused ? this.#seconds(1, 4) : this.#seconds(15, 31);
      this.#then(node, id, afterMs, () => this.#end(node, id, this.#failure(isRefused)));
      return;
    }
    this.#then(node, id, this.#seconds(2, 25), async () => {
      await this.#progress(id, { kind: 'answered' });
      this.#then(node, id, this.#seconds(2, 6), () => (isPinWrong ? this.#lock(node, id) : this.#speak(node, id)));
    });
  }

  #failure(isRefused: boolean): Delivery {
    const { chance } = this.#site;
    if (chance.percent(1)) return { kind: 'failed', retry: 'never', outcome: 'badNumber', reason: 'bad number' };
    const failed: Failed = isRefused
      ? { kind: 'failed', retry: 'later', outcome: 'declined', reason: 'declined' }
      : noAnswer;
    return chance.percent(3) ? { ...failed, retryAfterSeconds: chance.int(30, 200) } : failed;
  }

  async #lock(node: Node, id: number): Promise<void> {
    this.wrongPins.delete(this.#traceOf(id).attempt.numberId);
    const reason = 'wrong PIN three times';
    await this.#end(node, id, { kind: 'failed', retry: 'later', outcome: 'locked', failure: 'wrong-pin', reason });
  }

  async #speak(node: Node, id: number): Promise<void> {
    // A voicemail proves nothing.
    if (this.#site.chance.percent(10))
      return this.#end(node, id, { kind: 'failed', retry: 'later', outcome: 'voicemail', reason: 'voicemail' });
    await this.#site.write(announce, { attemptId: id });
    this.#then(node, id, this.#seconds(3, 40), async () => {
      await this.#press(id, this.#keyOf(this.#moodOf(id)));
      this.#then(node, id, this.#seconds(1, 6), () => this.#end(node, id, delivered));
    });
  }

  #awaitReply(id: number): void {
    const { chance } = this.#site;
    const mood = this.#moodOf(id);
    if (!chance.percent(mood.replies) || this.#traceOf(id).attempt.kind === 'bundle') return;
    this.#site.later(this.#seconds(5, chance.pick([60, 200, 1_800])), () =>
      this.#press(id, this.#keyOf({ ...mood, answers: 100 })),
    );
  }

  #keyOf({ answers, takes }: Mood): Key {
    const { chance } = this.#site;
    if (!chance.percent(answers)) return 'nothing';
    if (chance.percent(takes)) return chance.pick(['take', 'take', 'all']);
    return chance.pick(['heard', 'heard', 'decline', 'later']);
  }

  async #press(id: number, key: Key): Promise<void> {
    if (key === 'nothing') return;
    const [first] = this.#traceOf(id).attempt.announced ?? [];
    const items = first === undefined ? [] : this.#itemOf(first);
    const answer = key === 'all' ? 'take' : key;
    const given = { attemptId: id, answer, caller: systemCaller } as const;
    await this.#tolerate(this.#site.write(answerCall, key === 'take' ? { ...given, items } : given));
  }

  #itemOf(causeId: number) {
    const { watch } = this.#site;
    const isAlarm = watch.causes.get(causeId)?.asks === true;
    const alarm_id = watch.alarmIds.get(causeId) ?? null;
    return [announcedItem({ id: causeId, kind: 'alarm', list: isAlarm ? 'alarm' : '', alarm_id })];
  }

  /** People answer calls that have ended meanwhile, and are refused. */
  async #tolerate(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  async #progress(attemptId: number, progress: Progress): Promise<void> {
    await this.#site.write(noteProgress, { attemptId, progress });
  }

  async #end(node: Node, attemptId: number, delivery: Delivery): Promise<void> {
    node.held.delete(attemptId);
    await this.#site.write(endAttempt, { node: node.name, attemptId, delivery });
  }

  /** Goes on with a delivery unless it ended, or its node was lost. */
  #then(node: Node, id: number, afterMs: number, run: () => Promise<void>): void {
    const { epoch } = node;
    this.#site.later(afterMs, async () => {
      if (node.epoch === epoch && node.held.has(id)) await run();
    });
  }

  #traceOf(id: number) {
    const trace = this.#site.watch.attempts.get(id);
    if (trace === undefined) throw new Error(`there is no attempt ${id}`);
    return trace;
  }

  #moodOf(id: number): Mood {
    return this.#site.organisation.moods.get(this.#traceOf(id).attempt.userId) ?? noMood;
  }

  #seconds(low: number, high: number): number {
    return this.#site.chance.int(low * 1_000, high * 1_000);
  }

  #flaw(sentence: string): void {
    this.#site.watch.flaws.push(sentence);
  }
}

/** Fixes what is announced, as a conversation does after the proof. */
const announce: Operation<{ readonly attemptId: number }, void> = {
  name: 'test-announce',
  async run(tx, now, { attemptId }) {
    const attempt = await tx.one(selectAttempt, { id: attemptId });
    const open = attempt && (await openTriesOf(tx, now, attempt));
    const found = attempt && open && (await announceNow(tx, attempt.user_id, open));
    if (found !== undefined) await noteAnnounced(tx, attemptId, found);
  },
};
