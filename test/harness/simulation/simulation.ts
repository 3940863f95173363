// Simulates a day of calls: the real operations on a database in memory, with nodes that crash, providers that fail, people who
// answer or do not, clocks that are set, and wakes that get lost. The same seed gives the same day, which the checkers of the
// calling engine judge from the stored rows.

import { runDueAlarms } from '../../../src/operations/alarms/operator-commands.ts';
import { findCallGaps } from '../../../src/operations/calls/audit-calls.ts';
import { takeCallingLease } from '../../../src/operations/calls/engine/calling-lease.ts';
import { carryOut } from '../../../src/operations/calls/engine/carry-out.ts';
import { ChangedCalls } from '../../../src/operations/calls/engine/changes/changed-calls.ts';
import { decideCalls, decideChangedCalls } from '../../../src/operations/calls/engine/decide-calls.ts';
import type { Plan } from '../../../src/operations/calls/engine/plan.ts';
import { slicesOf } from '../../../src/operations/calls/engine/split-plan.ts';
import { announceNode } from '../../../src/operations/system/nodes.ts';
import type { Operation } from '../../../src/store/store.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { newAgenda } from '../escalation/agenda.ts';
import { judge } from '../escalation/judge.ts';
import { type Organisation, randomOrganisation } from '../escalation/organisation.ts';
import { dayIn, type RandomDay } from '../escalation/random-day.ts';
import { Surroundings } from '../escalation/surroundings.ts';
import { shown } from '../escalation/trace.ts';
import { MemoryStore } from '../stores/memory-store.ts';
import { Deliveries, leaseMs, longestDownMs, type Node, type Site } from './deliveries.ts';
import { Happenings } from './happenings.ts';
import { summary } from './plan-summary.ts';
import { RowWatch } from './row-watch.ts';
import { conditionsOn, type SimulatedDay } from './simulated-day.ts';
import { StoreClock } from './store-clock.ts';
import { readNextDueAlarm } from './stored-calls.ts';
import { settle } from './stored-organisation.ts';

const lookEveryMs = 30_000;
const auditEveryMs = 600_000;
const againEveryMs = 120_000;
const announceEveryMs = 5_000;
const renewEveryMs = 3_000;
const goneAfterMs = 15_000;
const callingLeaseMs = 15_000;
const mostDecisions = 50;

export async function simulateDay(seed: number): Promise<SimulatedDay> {
  const chance = chanceOf(seed);
  const made = randomOrganisation(chance);
  const store = new MemoryStore();
  const at = Date.UTC(2026, 9, 22, chance.int(0, 24), chance.int(0, 60));
  const organisation = await settle(store, made, seed, at);
  const simulation = new Simulation(store, organisation, dayIn(organisation, seed, chance, [90, 120, 180]), at);
  const day = await simulation.run();
  store.close();
  return day;
}

class Simulation {
  readonly #store: MemoryStore;
  readonly #day: RandomDay;
  readonly #chance: Chance;
  readonly #partsChance: Chance;
  readonly #dropped: number;
  readonly #hasCrashes: boolean;
  readonly #clock: StoreClock;
  readonly #begin: number;
  readonly #surroundings: Surroundings;
  readonly #watch: RowWatch;
  readonly #agenda = newAgenda<Promise<void>>();
  readonly #nodes: readonly Node[];
  readonly #deliveries: Deliveries;
  readonly #happenings: Happenings;
  readonly #seenAt = new Map<string, number>();
  readonly #writtenAlarms: () => readonly number[];
  /** Whether nodes decide on what has changed, as with many alarms, and not on everything. */
  readonly #decidesOnChanges: boolean;
  /** By node and how often it was started. */
  readonly #changed = new Map<string, ReturnType<typeof decideChangedCalls>>();
  #dueAlarmAt = Number.POSITIVE_INFINITY;
  #gone = '';
  /** By the time that has elapsed. */
  #crashedAt = Number.NEGATIVE_INFINITY;
  #lookAt = Number.POSITIVE_INFINITY;
  #lastPlan = '';
  #isWoken = false;
  /** Whether something has happened since the last decision that nobody was woken for. */
  #isStale = false;
  #delivers = false;

  constructor(store: MemoryStore, organisation: Organisation, day: RandomDay, begin: number) {
    this.#store = store;
    this.#writtenAlarms = store.watchRows('alarms');
    this.#day = day;
    this.#begin = begin;
    this.#chance = chanceOf(day.seed + 3_000_000);
    this.#partsChance = chanceOf(day.seed + 4_000_000);
    const { names, hasCrashes, dropped } = conditionsOn(day.seed);
    this.#dropped = dropped;
    this.#hasCrashes = hasCrashes;
    this.#decidesOnChanges = day.seed % 3 !== 0;
    this.#clock = new StoreClock(begin);
    const { snapshot, policy, providers } = organisation;
    this.#surroundings = new Surroundings(begin, snapshot, policy, 0);
    this.#watch = new RowWatch({ store, clock: this.#clock, surroundings: this.#surroundings, providers });
    this.#nodes = names.map((name) => ({ name, isUp: true, epoch: 0, held: new Set() }));
    const site = this.#site(organisation);
    this.#deliveries = new Deliveries(site);
    this.#happenings = new Happenings({
      ...{ site, clock: this.#clock, surroundings: this.#surroundings, deliveries: this.#deliveries },
      crash: (node, lastsMs) => void (this.#hasCrashes && this.#crash(node, lastsMs)),
      restart: (node) => this.#restart(node),
    });
  }

  #site(organisation: Organisation): Site {
    const simulation = this;
    return {
      ...{ organisation, nodes: this.#nodes, watch: this.#watch, chance: chanceOf(this.#day.seed + 1_000_000) },
      write: (operation, input) => this.#write(operation, input),
      poll: (operation, input) => this.#poll(operation, input),
      read: (query, args) => this.#store.read(query, args),
      later: (afterMs, run) => this.#later(afterMs, run),
      crashSometimes: (node) => this.#crashSometimes(node),
      get clockNow() {
        return simulation.#clock.now;
      },
      get engineNow() {
        return simulation.#clock.engine;
      },
    };
  }

  async run(): Promise<SimulatedDay> {
    const { happenings, begin, end, seed } = this.#day;
    const shift = this.#begin - begin;
    for (const happening of happenings)
      this.#agenda.plan(happening.at + shift, () => this.#happenings.happen(happening));
    for (const node of this.#nodes) this.#keepAlive(node);
    this.#every(lookEveryMs, this.#chance.int(0, lookEveryMs), () => this.#look());
    this.#every(auditEveryMs, this.#chance.int(0, auditEveryMs), () => this.#audit());
    this.#every(againEveryMs, this.#chance.int(0, againEveryMs), () => this.#decideAgain());
    for (let entry = this.#agenda.next(end + shift); entry !== undefined; entry = this.#agenda.next(end + shift)) {
      this.#clock.elapsed = entry.at;
      this.#tick();
      await entry.run();
    }
    const trace = this.#watch.trace(seed, this.#begin, this.#slackMs);
    const { restarts: crashes, ...counts } = trace.counts;
    return {
      seed,
      ...counts,
      crashes,
      clockSteps: this.#clock.steps,
      repeated: this.#deliveries.repeated,
      violations: judge(trace, false),
    };
  }

  /** How long a change may go unnoticed: until the next look, or until another node decides. */
  get #slackMs(): number {
    const ofCrash = this.#watch.counts.restarts > 0 ? Math.max(callingLeaseMs, longestDownMs) + leaseMs : 0;
    return 2_000 + (this.#dropped > 0 ? lookEveryMs : 0) + ofCrash;
  }

  #every(everyMs: number, firstMs: number, run: () => Promise<void>): void {
    this.#later(firstMs, async () => {
      await run();
      this.#every(everyMs, everyMs, run);
    });
  }

  #later(afterMs: number, run: () => Promise<void>): void {
    this.#agenda.plan(this.#clock.elapsed + afterMs, run);
  }

  /** Follows the clock. */
  #tick(): void {
    const { civil, engine } = this.#clock;
    const around = this.#surroundings;
    const before = around.civilOffsets.last;
    around.now = engine;
    if (civil - engine !== before) around.stepClock(civil - engine - before);
  }

  async #write<I, O>(operation: Operation<I, O>, input: I): Promise<O> {
    const outcome = await this.#store.write(operation, this.#clock.now, input);
    this.#tick();
    await this.#watch.look();
    this.#wakeAll();
    return outcome;
  }

  async #poll<I, O>(operation: Operation<I, O>, input: I): Promise<O> {
    const outcome = await this.#store.write(operation, this.#clock.now, input);
    if (await this.#watch.look()) this.#wakeAll();
    return outcome;
  }

  #wakeAll(): void {
    this.#wake();
    this.#wakeDeliveries();
  }

  #keepAlive(node: Node): void {
    this.#every(announceEveryMs, 0, async () => {
      if (!node.isUp) return;
      const { name } = node;
      await this.#store.write(announceNode, this.#clock.now, { id: name, name, address: '' });
      this.#seenAt.set(name, this.#clock.elapsed);
    });
    this.#every(renewEveryMs, this.#chance.int(0, renewEveryMs), async () => {
      await this.#deliveries.renew(node);
      await this.#deliveries.take(node);
      await this.#runDueAlarms();
    });
  }

  #crash(node: Node, lastsMs: number | undefined): void {
    this.#crashedAt = this.#clock.elapsed;
    this.#deliveries.crash(node);
    // Another node takes the lease of the one that decided.
    this.#later(callingLeaseMs + 200, async () => this.#wake());
    if (lastsMs !== undefined) this.#later(lastsMs, async () => this.#restart(node));
  }

  /** A crash between a request to a provider and its result is the worst case. */
  #crashSometimes(node: Node): void {
    if (!this.#hasCrashes || !this.#chance.percent(2)) return;
    this.#later(this.#chance.int(0, 20_000), async () => {
      if (node.isUp) this.#crash(node, this.#chance.int(1, longestDownMs));
    });
  }

  /** What was decided is then written in part. The time that the checkers allow is for one crash: another comes later. */
  #crashesBetweenParts(name: string): boolean {
    const node = this.#nodes.find((one) => one.name === name);
    if (!this.#hasCrashes || node === undefined || !this.#partsChance.percent(1)) return false;
    if (this.#clock.elapsed - this.#crashedAt < this.#slackMs) return false;
    this.#crash(node, this.#partsChance.int(1, longestDownMs));
    return true;
  }

  #restart(node: Node): void {
    node.isUp = true;
    this.#wakeAll();
  }

  async #runDueAlarms(): Promise<void> {
    if (this.#nodes.every(({ isUp }) => !isUp)) return;
    while ((await this.#nextDueAlarm()) <= this.#clock.now) await this.#write(runDueAlarms, {});
    const left = (await this.#nextDueAlarm()) - this.#clock.now;
    if (left < renewEveryMs) this.#later(left, () => this.#runDueAlarms());
  }

  /** It is read again only when an alarm was written. */
  async #nextDueAlarm(): Promise<number> {
    if (this.#writtenAlarms().length > 0)
      this.#dueAlarmAt = (await this.#store.read(readNextDueAlarm, {})) ?? Number.POSITIVE_INFINITY;
    return this.#dueAlarmAt;
  }

  /** Decides soon; later wakes of the same instant are gathered, and some get lost. */
  #wake(): void {
    if (this.#dropped > 0 && this.#chance.percent(this.#dropped * 100)) {
      this.#watch.counts.dropped++;
      this.#isStale = true;
      return;
    }
    if (this.#isWoken) return;
    this.#isWoken = true;
    this.#later(0, async () => {
      this.#isWoken = false;
      await this.#decideAll();
    });
  }

  #wakeDeliveries(): void {
    if (this.#delivers) return;
    this.#delivers = true;
    this.#later(0, async () => {
      this.#delivers = false;
      this.#deliveries.stopUnwanted();
      for (const node of this.#nodes) await this.#deliveries.take(node);
    });
  }

  async #look(): Promise<void> {
    const isExpected = this.#isWoken || this.#clock.now >= this.#lookAt || this.#isStale;
    const gone = this.#gone;
    const decisions = await this.#decideAll();
    // That a node is gone is noticed at the next look.
    if (decisions === 0 || isExpected || gone !== this.#gone) return;
    this.#watch.counts.late++;
    this.#flaw(`the look every 30 s found something to do although no wake was dropped: ${this.#lastPlan}`);
  }

  /** Where nothing has happened, deciding writes nothing. */
  async #decideAgain(): Promise<void> {
    if (this.#isWoken || this.#isStale || this.#clock.now >= this.#lookAt) return;
    if (this.#gone !== this.#goneNodes().join()) return;
    const { counts } = this.#watch;
    counts.again++;
    const { plan } = await this.#store.read(decideCalls, { now: this.#clock.now });
    if (plan === undefined) return;
    counts.rewritten++;
    this.#flaw(`it decided again, before it said: ${summary(plan)}`);
  }

  /** Decides until nothing is to be done; returns how often something was. */
  async #decideAll(): Promise<number> {
    const node = await this.#decider();
    this.#isStale = node === undefined;
    if (node === undefined) return 0;
    this.#gone = this.#goneNodes().join();
    await this.#watch.noteGone(new Set(this.#goneNodes()));
    for (let count = 0; count < mostDecisions; count++) {
      this.#watch.counts.decisions++;
      const { plan, lookAgainAt } = await this.#store.read(this.#query(node), { now: this.#clock.now, isOfAll: false });
      if (plan === undefined) {
        this.#planLook(lookAgainAt);
        if (this.#decidesOnChanges) await this.#compare(lookAgainAt);
        return count;
      }
      this.#lastPlan = summary(plan);
      const isWhole = await this.#carryOut(plan, node);
      await this.#watch.look();
      this.#wakeDeliveries();
      if (!isWhole) return count + 1;
    }
    this.#flaw(`it does not come to rest: ${this.#lastPlan}`);
    return mostDecisions;
  }

  /** Returns whether the node wrote all that was decided; after a crash between two parts another one decides. */
  async #carryOut(plan: Plan, node: string): Promise<boolean> {
    for (const slice of slicesOf(plan, this.#decidesOnChanges ? 2 : undefined)) {
      await this.#store.write(carryOut, this.#clock.now, { plan: slice, node });
      if (!this.#crashesBetweenParts(node)) continue;
      this.#isStale = true;
      return false;
    }
    return true;
  }

  #query(node: string) {
    if (!this.#decidesOnChanges) return decideCalls;
    const key = `${node} ${this.#nodes.find(({ name }) => name === node)?.epoch ?? 0}`;
    if (!this.#changed.has(key)) this.#changed.set(key, decideChangedCalls(new ChangedCalls()));
    return this.#changed.get(key) ?? decideCalls;
  }

  /** Deciding on everything comes to the same as deciding on what has changed. */
  async #compare(at: number | undefined): Promise<void> {
    const { plan, lookAgainAt } = await this.#store.read(decideCalls, { now: this.#clock.now });
    if (plan !== undefined) this.#flaw(`deciding on what had changed left out: ${summary(plan)}`);
    if ((lookAgainAt ?? Number.POSITIVE_INFINITY) < (at ?? Number.POSITIVE_INFINITY))
      this.#flaw(`deciding on what had changed looks again ${(at ?? Number.NaN) - (lookAgainAt ?? 0)} ms late`);
  }

  /** The node that has the lease to decide, if one runs. */
  async #decider(): Promise<string | undefined> {
    for (const { name, isUp } of this.#nodes)
      if (isUp && (await this.#store.write(takeCallingLease, this.#clock.now, { node: name })) !== undefined)
        return name;
    if (this.#nodes.some(({ isUp }) => isUp)) this.#later(1_000, async () => this.#wake());
    return undefined;
  }

  #goneNodes(): readonly string[] {
    return ['a', 'b'].filter(
      (name) => this.#clock.elapsed - (this.#seenAt.get(name) ?? Number.NEGATIVE_INFINITY) > goneAfterMs,
    );
  }

  #planLook(at: number | undefined): void {
    this.#lookAt = at ?? Number.POSITIVE_INFINITY;
    if (at === undefined) return;
    const { now } = this.#clock;
    if (at <= now) this.#flaw(`it wants to look again at an instant that is over (${at - now} ms)`);
    else this.#later(at - now, () => this.#lookWhenDue(at));
  }

  /** The clock of the server may go slower than time elapses, and be set. */
  async #lookWhenDue(at: number): Promise<void> {
    if (this.#lookAt !== at) return;
    const left = at - this.#clock.now;
    await (left > 0 ? this.#later(left, () => this.#lookWhenDue(at)) : this.#decideAll());
  }

  async #audit(): Promise<void> {
    const gaps = await this.#store.read(findCallGaps, { now: this.#clock.now });
    for (const { kind, id } of gaps) this.#flaw(`the audit found ${kind} ${id}`);
  }

  #flaw(sentence: string): void {
    const { flaws } = this.#watch;
    if (flaws.length < 50) flaws.push(`${shown({ begin: this.#begin }, this.#clock.engine)}: ${sentence}`);
  }
}
