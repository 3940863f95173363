// Has the calling engine decide: soon after every change, at the instant it named, and at least every 30 s; and carries out what it
// decided. One node decides for all.

import type { Clock } from '../clock.ts';
import type { Reason } from '../domain/escalation/reason.ts';
import { begunTogether } from '../domain/quarantine.ts';
import { failAttempt } from '../operations/calls/delivery/attempt-faults.ts';
import { releaseCallingLease, takeCallingLease } from '../operations/calls/engine/calling-lease.ts';
import { carryOut } from '../operations/calls/engine/carry-out.ts';
import {
  decideCalls,
  decideManyCalls,
  findFaultyCauses,
  getCallingSize,
  listCausesToDecide,
  manyOpen,
  startDeciding,
} from '../operations/calls/engine/decide-calls.ts';
import type { Decided, Plan } from '../operations/calls/engine/plan.ts';
import { slicesOf, splitPlan } from '../operations/calls/engine/split-plan.ts';
import { setAsideRow } from '../operations/system/set-aside.ts';
import type { Instant, Store } from '../store/store.ts';
import { isStoreAway } from './due/due-rows.ts';
import { PollingLoop } from './polling-loop.ts';
import type { StoredWork } from './stored-work.ts';

const pollEveryMs = 200;
const lookEveryMs = 30_000;
/** Changes gather for so long after a look, longer after a decision that took longer, so that a flood leaves time for others. */
const leastGatherMs = 25;
const longestGatherMs = 100;
const gatherShare = 0.25;
const restlessPauseMs = 1_000;
/** One look decides for so long; what is left to be decided then is gathered with what has come. */
const lookMs = 100;
/** The thread for decisions on many is started before there are so many. */
const nearlyMany = 50;
/** Decisions lead to a state in which nothing is to be done; the same one again and again is a fault. */
const mostRepeats = 50;
const mostKnownPlans = 1_000;
/** A node renews its lease when it ends so soon. */
const renewBeforeMs = 10_000;
/** How often a node asks for the lease while another has it: asking is a write. */
const askEveryMs = 1_000;

type DeciderParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodeId: string;
  readonly work: Pick<StoredWork, 'hold' | 'holdAll' | 'isSuspected' | 'suspectsOf'>;
  readonly onTrouble: (error: unknown) => void;
  /** Called for each channel that is not set up and by which somebody was to be called. */
  readonly onMissingChannel: (channel: string) => void;
};

/** `isLate`: whether something was found that nothing had announced. */
type Done = { readonly isDone: boolean; readonly isLate: boolean };
type Looked = { readonly decisions: number; readonly isOver: boolean; readonly isLate: boolean };
const nothingDone: Done = { isDone: false, isLate: false };

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
  #isPolled = false;
  /** How long the last decision took. */
  #tookMs = 0;
  /** How often each plan was made since there was last nothing to do. */
  readonly #plans = new Map<string, number>();
  /** Whether the same was decided again and again, so that something is wrong. */
  #isRestless = false;
  #isThreadStarted = false;
  #hasDecidedOnMany = false;
  #gathering: NodeJS.Timeout | undefined;
  #isStopped = false;
  #hasTriedSuspects = false;
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

  /** Decides now, whatever has changed, until there is nothing to do. */
  async poll(): Promise<void> {
    this.#isPolled = true;
    this.#isWoken = true;
    this.#gathersUntil = Number.NEGATIVE_INFINITY;
    this.#asksAgainAt = Number.NEGATIVE_INFINITY;
    await this.#loop.poll();
    this.#isPolled = false;
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
    const ms = this.#isPolled ? Number.POSITIVE_INFINITY : lookMs;
    const { decisions, isOver, isLate } = await this.#decideFor(ms, !isExpected);
    this.#lookedAt = performance.now();
    const gather = Math.min(longestGatherMs, Math.max(leastGatherMs, this.#tookMs * gatherShare));
    this.#gathersUntil = this.#lookedAt + (this.#isRestless ? restlessPauseMs : gather);
    if (this.#isRestless) this.#noteRestless();
    // A change during the look was gathered.
    if (!isOver || this.#isWoken) this.wake();
    if (isLate || (decisions > 0 && !isExpected)) this.#lateWakes++;
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
    for (const slice of slicesOf(plan)) {
      const done = await this.#parts.store.write(carryOut, { plan: slice, node: this.#node });
      if (done !== 'lease-lost') continue;
      this.#leasedUntil = undefined;
      this.#asksAgainAt = performance.now() + askEveryMs;
      this.#isWoken = true;
      return false;
    }
    for (const channel of missingChannels(plan)) this.#parts.onMissingChannel(channel);
    return true;
  }

  /**
   * Decides until there is nothing to do, or the time is over; returns how often there was something. `isOfAll`: looks at everything,
   * also at what nothing has changed for.
   */
  async #decideFor(ms: number, isOfAll: boolean): Promise<Looked> {
    const { store } = this.#parts;
    const until = performance.now() + ms;
    let isLate = false;
    for (let decisions = 0; ; decisions++) {
      if (this.#isStopped || this.#isRestless || performance.now() >= until)
        return { decisions, isOver: this.#isStopped, isLate };
      const size = await store.read(getCallingSize, { atMost: manyOpen });
      if (size === 0) this.#lookAgainAt = Number.POSITIVE_INFINITY;
      if (size >= nearlyMany) this.#startThread();
      const begin = performance.now();
      // The first decision on many knows nothing of this server yet; tests run several servers in one process.
      const all = (isOfAll && decisions === 0) || !this.#hasDecidedOnMany;
      this.#hasDecidedOnMany ||= size >= manyOpen;
      const query = (now: Instant) =>
        size >= manyOpen ? store.read(decideManyCalls, { now, isOfAll: all }) : store.read(decideCalls, { now });
      const { isDone, isLate: wasLate } = size === 0 ? nothingDone : await this.#decideInHand(query);
      isLate ||= wasLate;
      this.#tookMs = performance.now() - begin;
      if (isDone) continue;
      this.#plans.clear();
      return { decisions, isOver: true, isLate };
    }
  }

  #startThread(): void {
    if (this.#isThreadStarted) return;
    this.#isThreadStarted = true;
    const { store, onTrouble } = this.#parts;
    store.read(startDeciding, {}).catch(onTrouble);
  }

  #notePlan({ changed, begin, cancel }: Plan): void {
    const states = changed.map(({ escalation: { id, state, round, entered } }) => [id, state, round, entered.length]);
    const calls = begin.map(({ columns, tries }) => [columns.number_id, tries.map(({ escalationId }) => escalationId)]);
    const key = JSON.stringify([states, calls, cancel.map(({ attemptId }) => attemptId)]);
    if (this.#plans.size >= mostKnownPlans) this.#plans.clear();
    const times = (this.#plans.get(key) ?? 0) + 1;
    this.#plans.set(key, times);
    this.#isRestless ||= times >= mostRepeats;
  }

  #noteRestless(): void {
    this.#isRestless = false;
    this.#plans.clear();
    this.#parts.onTrouble(new Error(`Calls are decided on again and again at ${this.#parts.clock.now()}.`));
  }

  async #decideInHand(query: (now: Instant) => Promise<Decided>): Promise<Done> {
    if (!this.#hasTriedSuspects) await this.#trySuspects();
    this.#hasTriedSuspects = true;
    return this.#parts.work.hold({ kind: 'cause', id: 0 }, () => this.#decide(query));
  }

  /**
   * Decisions were under way at unplanned ends: before the next one, causes are decided on few at a time and without effect, so that
   * the one that ends the server is in hand alone in the end.
   */
  async #trySuspects(): Promise<void> {
    const { store, clock, work } = this.#parts;
    if (!(await work.isSuspected('cause'))) return;
    const open = await store.read(listCausesToDecide, { now: clock.now() });
    const known = new Set(await work.suspectsOf('cause'));
    const some = open.filter((id) => known.has(id));
    const suspects = some.length === 0 ? open : some;
    const together = begunTogether(suspects.length);
    for (let from = 0; from < suspects.length; from += together) {
      const ids = suspects.slice(from, from + together);
      const faulty = await work.holdAll(
        ids.map((id) => ({ kind: 'cause', id }) as const),
        () => store.read(findFaultyCauses, { now: clock.now(), ids }),
      );
      await this.#setAside(faulty, new Error('It cannot be decided on.'));
    }
  }

  /** Returns whether something was done. */
  async #decide(query: (now: Instant) => Promise<Decided>): Promise<Done> {
    const { store, clock } = this.#parts;
    let plan: Plan | undefined;
    try {
      const decided = await query(clock.now());
      plan = decided.plan;
      this.#lookAgainAt = decided.lookAgainAt ?? Number.POSITIVE_INFINITY;
      if (decided.fault !== undefined) this.#parts.onTrouble(new Error(decided.fault));
      await this.#setAside(decided.unreadable.causes, new Error('Its row cannot be read.'));
      for (const id of decided.unreadable.attempts) await store.write(failAttempt, { id });
      if (plan === undefined) return nothingDone;
      this.#notePlan(plan);
      return { isDone: await this.#carryOut(plan), isLate: decided.isLate };
    } catch (error) {
      if (isStoreAway(error)) throw error;
      if (plan !== undefined) return { isDone: await this.#carryOutSingly(plan, error), isLate: false };
      const faulty = await store.read(findFaultyCauses, { now: clock.now() });
      if (faulty.length === 0) throw error;
      await this.#setAside(faulty, error);
      return { isDone: true, isLate: false };
    }
  }

  /** Carries out what can be, after the whole could not; `cause`: why. */
  async #carryOutSingly(whole: Plan, cause: unknown): Promise<boolean> {
    let isOfCauses = false;
    for (const { causeId, plan } of splitPlan(whole)) {
      try {
        if (!(await this.#carryOut(plan))) return false;
      } catch (error) {
        if (isStoreAway(error)) throw error;
        if (causeId === undefined) throw isOfCauses ? error : cause;
        isOfCauses = true;
        await this.#setAside([causeId], error);
      }
    }
    return true;
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
