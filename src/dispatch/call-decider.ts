// Has the calling engine decide: soon after every change, at the instant it named, and at least every 30 s; and carries out what it
// decided. One node decides for all.

import type { Clock } from '../clock.ts';
import type { Reason } from '../domain/escalation/reason.ts';
import { failAttempt } from '../operations/calls/delivery/attempt-faults.ts';
import { releaseCallingLease, takeCallingLease } from '../operations/calls/engine/calling-lease.ts';
import { carryOut } from '../operations/calls/engine/carry-out.ts';
import {
  decideCalls,
  decideManyCalls,
  findFaultyCauses,
  getCallingSize,
} from '../operations/calls/engine/decide-calls.ts';
import type { Plan } from '../operations/calls/engine/plan.ts';
import { setAsideRow } from '../operations/system/set-aside.ts';
import type { Instant, Store } from '../store/store.ts';
import { isStoreAway } from './due/due-rows.ts';
import { PollingLoop } from './polling-loop.ts';

const pollEveryMs = 200;
const lookEveryMs = 30_000;
/** Changes gather for at least so long after a look, and for a multiple of what it took, so that a flood leaves time for others. */
const leastGatherMs = 25;
const gatherFactor = 2;
const longestGatherMs = 1_000;
/** From so many open escalations on, deciding has a thread of its own. */
const many = 200;
/** A decision leads to a state in which nothing is to be done; each may only be late by what happens meanwhile. */
const mostDecisions = 50;
/** A node renews its lease when it ends so soon. */
const renewBeforeMs = 10_000;
/** How often a node asks for the lease while another has it: asking is a write. */
const askEveryMs = 1_000;

type DeciderParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodeId: string;
  readonly onTrouble: (error: unknown) => void;
  /** Called for each channel that is not set up and by which somebody was to be called. */
  readonly onMissingChannel: (channel: string) => void;
};

export class CallDecider {
  readonly #parts: DeciderParts;
  readonly #node: string;
  readonly #loop: PollingLoop;
  readonly #unsubscribe: () => void;
  #isWoken = true;
  #lookAgainAt = Number.POSITIVE_INFINITY;
  /** By the monotonic clock. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #gathersUntil = Number.NEGATIVE_INFINITY;
  #leasedUntil: Instant | undefined;
  /** By the monotonic clock; while another node has the lease. */
  #asksAgainAt = Number.NEGATIVE_INFINITY;
  #lastCycleAt = performance.now();
  #lateWakes = 0;
  /** Whether the last look found something to do again and again, so that something is wrong. */
  #isRestless = false;
  #gathering: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** The causes that the log has named. */
  readonly #logged = new Set<number>();

  constructor(parts: DeciderParts) {
    this.#parts = parts;
    // SQLite has one server: after a restart it goes on at once.
    this.#node = parts.store.kind === 'sqlite' ? 'sqlite' : parts.nodeId;
    this.#loop = new PollingLoop(pollEveryMs, () => this.#cycle(), parts.onTrouble);
    this.#unsubscribe = parts.store.onEvents(() => this.wake());
  }

  /** Decides soon: something has changed that decisions read. */
  wake(): void {
    this.#isWoken = true;
    const wait = this.#gathersUntil - performance.now();
    if (wait <= 0) this.#loop.wakeSoon();
    else this.#gathering ??= setTimeout(() => this.#endGathering(), wait);
  }

  #endGathering(): void {
    this.#gathering = undefined;
    this.#loop.wakeSoon();
  }

  /** Decides now, whatever has changed. */
  async poll(): Promise<void> {
    this.#isWoken = true;
    this.#gathersUntil = Number.NEGATIVE_INFINITY;
    this.#asksAgainAt = Number.NEGATIVE_INFINITY;
    await this.#loop.poll();
  }

  /** Returns when the engine last decided, or knew that there is nothing to decide, by the monotonic clock. */
  lastCycleAt(): number {
    return this.#lastCycleAt;
  }

  /** Returns how many looks, of those every 30 s, found something to do that no change and no time had announced. */
  lateWakes(): number {
    return this.#lateWakes;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#gathering);
    this.#unsubscribe();
    await this.#loop.stop();
    const { store, onTrouble } = this.#parts;
    if (store.kind !== 'sqlite' && this.#leasedUntil !== undefined)
      await store.write(releaseCallingLease, { node: this.#node }).catch(onTrouble);
  }

  async #cycle(): Promise<void> {
    await this.#work();
    this.#lastCycleAt = performance.now();
  }

  async #work(): Promise<void> {
    const now = performance.now();
    const isDue = this.#parts.clock.now() >= this.#lookAgainAt;
    const isExpected = (this.#isWoken && now >= this.#gathersUntil) || isDue;
    if (!isExpected && now - this.#lookedAt < lookEveryMs) return;
    if (!(await this.#holdsLease())) return;
    this.#isWoken = false;
    const begin = performance.now();
    this.#isRestless = false;
    const decisions = await this.#decideAll();
    this.#lookedAt = performance.now();
    const took = this.#isRestless ? longestGatherMs : gatherFactor * (this.#lookedAt - begin);
    this.#gathersUntil = this.#lookedAt + Math.min(longestGatherMs, Math.max(leastGatherMs, took));
    if (decisions > 0 && !isExpected) this.#lateWakes++;
  }

  async #holdsLease(): Promise<boolean> {
    const { store, clock } = this.#parts;
    if (store.kind === 'sqlite') return true;
    if (this.#leasedUntil !== undefined && this.#leasedUntil - clock.now() > renewBeforeMs) return true;
    if (performance.now() < this.#asksAgainAt) return false;
    this.#leasedUntil = await store.write(takeCallingLease, { node: this.#node });
    if (this.#leasedUntil === undefined) this.#asksAgainAt = performance.now() + askEveryMs;
    return this.#leasedUntil !== undefined;
  }

  /** Returns whether the node still decides. What it could not carry out is looked at when it has the lease again. */
  async #carryOut(plan: Plan): Promise<boolean> {
    const done = await this.#parts.store.write(carryOut, { plan, node: this.#node });
    if (done !== 'lease-lost') {
      for (const channel of missingChannels(plan)) this.#parts.onMissingChannel(channel);
      return true;
    }
    this.#leasedUntil = undefined;
    this.#asksAgainAt = performance.now() + askEveryMs;
    this.#isWoken = true;
    return false;
  }

  /** Decides until there is nothing to do; returns how often there was. */
  async #decideAll(): Promise<number> {
    const { store, clock } = this.#parts;
    for (let count = 0; count < mostDecisions && !this.#isStopped; count++) {
      const size = await store.read(getCallingSize, { atMost: many });
      if (size === 0) {
        this.#lookAgainAt = Number.POSITIVE_INFINITY;
        return count;
      }
      if (!(await this.#decide(size >= many ? decideManyCalls : decideCalls))) return count;
    }
    this.#parts.onTrouble(new Error(`Calls are decided on again and again at ${clock.now()}.`));
    this.#isRestless = true;
    return mostDecisions;
  }

  /** Returns whether something was done. */
  async #decide(query: typeof decideCalls): Promise<boolean> {
    const { store, clock } = this.#parts;
    try {
      const { plan, lookAgainAt, unreadable } = await store.read(query, { now: clock.now() });
      this.#lookAgainAt = lookAgainAt ?? Number.POSITIVE_INFINITY;
      await this.#setAside(unreadable.causes, new Error('Its row cannot be read.'));
      for (const id of unreadable.attempts) await store.write(failAttempt, { id });
      return plan !== undefined && (await this.#carryOut(plan));
    } catch (error) {
      if (isStoreAway(error)) throw error;
      const faulty = await store.read(findFaultyCauses, { now: clock.now() });
      if (faulty.length === 0) throw error;
      await this.#setAside(faulty, error);
      return true;
    }
  }

  /** A cause that cannot be decided on keeps none of the others from being called: it is put off, and named by an alarm. */
  async #setAside(causes: readonly number[], cause: unknown): Promise<void> {
    const { store, onTrouble } = this.#parts;
    for (const id of causes) {
      if (!this.#logged.has(id)) onTrouble(new Error(`The cause ${id} was set aside.`, { cause }));
      this.#logged.add(id);
      await store.write(setAsideRow, { kind: 'cause', id });
    }
  }
}

/** The channels that are not set up, and by which people of a level that was entered would be called. */
function missingChannels({ notCalled }: Plan): ReadonlySet<string> {
  const reasons = notCalled.map(({ columns }) => JSON.parse(columns.reason) as Reason);
  return new Set(reasons.flatMap((reason) => (reason.code === 'channel-not-set-up' ? [reason.channel] : [])));
}
