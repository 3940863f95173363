// Simulates a day of calls: the real operations on a database in memory, with nodes that crash, providers that are slow or
// fail, people who answer or do not, and clocks that are set. The same seed gives the same day.

import { systemCaller } from '../../../src/domain/access/access.ts';
import { type CallPolicy, defaultPolicy, noRules } from '../../../src/domain/calls/call.ts';
import type { CallMessage, Delivery } from '../../../src/domain/calls/delivery.ts';
import { AppError } from '../../../src/errors.ts';
import { reportAlarm } from '../../../src/operations/alarms/intake/report.ts';
import type { AlarmReport } from '../../../src/operations/alarms/intake/report-message.ts';
import { commandAlarm, runDueAlarms } from '../../../src/operations/alarms/operator-commands.ts';
import { hasDueAlarms } from '../../../src/operations/alarms/queries.ts';
import { endAttempt, renewLeases, startCalls, stepCalls } from '../../../src/operations/calls/advance.ts';
import { answerCall } from '../../../src/operations/calls/answer.ts';
import { seedCallPolicy } from '../../../src/operations/calls/control/call-policy.ts';
import { takeAttempts } from '../../../src/operations/calls/delivery/take-attempts.ts';
import { findCallGaps } from '../../../src/operations/calls/find-gaps.ts';
import { findDueWork } from '../../../src/operations/calls/queries.ts';
import { firstStart } from '../../../src/operations/system/first-start.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { MemoryStore } from '../stores/memory-store.ts';
import { getUntaken } from './escalation-check.ts';
import { settleTown, type Town } from './simulated-town.ts';
import { getAlarmsAsked, getCallEnd, getCauseEnds, getExpired, getNextDueAlarm } from './simulation-queries.ts';

export type SimulatedDay = {
  readonly seed: number;
  readonly alarms: number;
  readonly requests: number;
  readonly crashes: number;
  /** The number of requests to providers beyond the first of each attempt. */
  readonly extra: number;
  /** The number of causes whose calling ended although nobody took the alarm. */
  readonly untaken: number;
  /** The number of causes because an acknowledgement expired. */
  readonly expired: number;
  /** Violated invariants, one sentence each; empty when all hold. */
  readonly violations: readonly string[];
};

type Node = {
  readonly name: string;
  isUp: boolean;
  epoch: number;
  looksAt: number;
  readonly heldAttemptIds: Set<number>;
};
type Happening = { readonly at: number; readonly run: () => Promise<void> };

const day = 86_400_000;
const leaseMs = 10_000;
const begin = Date.UTC(2026, 9, 24, 18);

export async function simulateDay(seed: number): Promise<SimulatedDay> {
  const simulation = new Simulation(seed);
  return simulation.run();
}

class Simulation {
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #store = new MemoryStore();
  readonly #happenings: Happening[] = [];
  readonly #nodes: readonly Node[];
  readonly #requests = new Map<number, { count: number; crashes: number }>();
  readonly #violations: string[] = [];
  #town: Town = { userIds: [], groupIds: [] };
  #now = begin;
  #allDownSince: number | undefined;
  #crashes = 0;
  #alarms = 0;
  #isEvening = false;
  #untaken = 0;
  #expired = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#chance = chanceOf(seed);
    const names = this.#chance.percent(50) ? ['a'] : ['a', 'b'];
    this.#nodes = names.map((name) => ({
      name,
      isUp: true,
      epoch: 0,
      looksAt: Number.POSITIVE_INFINITY,
      heldAttemptIds: new Set(),
    }));
  }

  async run(): Promise<SimulatedDay> {
    await this.#store.write(firstStart, begin, { epoch: `seed ${this.#seed}`, adminPasswordHash: '' });
    await this.#store.write(seedCallPolicy, begin, this.#policy());
    this.#town = await settleTown(this.#store, this.#chance, begin);
    this.#plan();
    await this.#liveUntil(begin + day);
    // From now on everybody answers and nothing fails, so that everything open must end.
    this.#isEvening = true;
    for (const node of this.#nodes) this.#rise(node);
    await this.#liveUntil(begin + 2 * day);
    await this.#judge();
    this.#store.close();
    const requests = [...this.#requests.values()];
    return {
      seed: this.#seed,
      alarms: this.#alarms,
      requests: requests.length,
      crashes: this.#crashes,
      extra: requests.reduce((sum, { count }) => sum + count - 1, 0),
      untaken: this.#untaken,
      expired: this.#expired,
      violations: this.#violations,
    };
  }

  /** On some days acknowledgements expire, also of a priority that is called in one round. */
  #policy(): CallPolicy {
    const rules = [...defaultPolicy.priorities, { priority: 3, ...noRules }];
    const priorities = rules.map((of) => ({ ...of, ackExpiryMinutes: this.#chance.pick([0, 0, 20, 120]) }));
    return { ...defaultPolicy, priorities, callAgain: this.#chance.percent(80) };
  }

  #plan(): void {
    for (let n = 0; n < this.#chance.int(5, 40); n++) this.#at(begin + this.#chance.int(0, day), () => this.#raise(n));
    for (const node of this.#nodes) this.#at(begin + this.#chance.int(0, day), () => this.#crash(node));
    for (let at = begin; at < begin + 2 * day; at += 600_000) this.#at(at, () => this.#audit());
    this.#at(begin, async () => this.#poll());
  }

  #at(at: number, run: () => Promise<void>): void {
    const place = this.#happenings.findLastIndex((other) => other.at <= at);
    this.#happenings.splice(place + 1, 0, { at, run });
  }

  async #liveUntil(end: number): Promise<void> {
    for (;;) {
      const next = this.#happenings[0];
      if (next === undefined || next.at >= end) break;
      this.#happenings.shift();
      this.#now = Math.max(this.#now, next.at);
      await next.run();
    }
    this.#now = end;
  }

  async #raise(n: number): Promise<void> {
    this.#alarms++;
    const { chance: id, report } = this.#report(n);
    await this.#store.write(reportAlarm, this.#now, report);
    this.#poll();
    if (this.#chance.percent(40)) this.#later(3_600_000, () => this.#returnToNormal(report));
    if (this.#chance.percent(30)) this.#later(7_200_000, () => this.#command(id, 'acknowledge'));
    if (this.#chance.percent(10)) this.#later(3_600_000, () => this.#command(id, 'mask'));
  }

  #report(n: number): { readonly chance: string; readonly report: AlarmReport } {
    const targets = Array.from({ length: this.#chance.int(1, 3) }, () => ({
      type: this.#chance.percent(80) ? 'CallGroup' : 'CallUser',
      id: this.#chance.percent(95) ? this.#chance.pick(this.#town.groupIds) : 999,
      scriptId: 0,
      parameter: this.#chance.pick(['', '', '', '60', '1800']),
      flags: 0,
    }));
    const path = `tag ${this.#chance.percent(80) ? n : 0}`;
    const condition = {
      value: '',
      transitory: this.#chance.percent(20),
      reactivatable: this.#chance.percent(30),
      resettable: true,
    };
    const report = {
      caller: systemCaller,
      stationId: undefined,
      dataServerId: undefined,
      tagGroupId: undefined,
      path,
      priority: this.#chance.int(1, 5),
      value: undefined,
      raised: true,
      change: { condition, alarm: { message: path, actions: targets } },
    };
    return { chance: path, report };
  }

  async #returnToNormal(report: AlarmReport): Promise<void> {
    await this.#store.write(reportAlarm, this.#now, { ...report, raised: false, change: {} });
    this.#poll();
  }

  async #command(path: string, kind: 'acknowledge' | 'mask'): Promise<void> {
    const state = await this.#store.read(getAlarmsAsked, {});
    const alarm = state.alarms.find((one) => one.path === path);
    if (alarm === undefined) return;
    const command =
      kind === 'acknowledge'
        ? ({ kind, by: 'operator', comment: '' } as const)
        : ({ kind, until: this.#now + 3_600_000, reason: 'works', by: 'operator' } as const);
    const by = { name: 'operator', userId: undefined };
    await this.#tolerate(
      this.#store.write(commandAlarm, this.#now, { caller: systemCaller, id: alarm.id, command, by }),
    );
    this.#poll();
  }

  async #crash(node: Node): Promise<void> {
    if (this.#isEvening) return;
    this.#crashes++;
    node.isUp = false;
    node.epoch++;
    for (const attemptId of node.heldAttemptIds) {
      const request = this.#requests.get(attemptId);
      if (request !== undefined) request.crashes++;
    }
    node.heldAttemptIds.clear();
    if (this.#nodes.every(({ isUp }) => !isUp)) this.#allDownSince ??= this.#now;
    this.#later(60_000, async () => this.#rise(node));
    this.#later(6 * 3_600_000, () => this.#crash(node));
  }

  #rise(node: Node): void {
    node.isUp = true;
    this.#allDownSince = undefined;
    this.#poll();
  }

  #later(withinMs: number, run: () => Promise<void>): void {
    this.#at(this.#now + this.#chance.int(1, withinMs), run);
  }

  /** Makes every running node check for due work after a short random delay, as notifications do. */
  #poll(): void {
    for (const node of this.#nodes) this.#lookAt(node, this.#now + this.#chance.int(1, 250));
  }

  /** Schedules a check by the node, unless it checks earlier, which schedules the next one. */
  #lookAt(node: Node, at: number): void {
    if (node.looksAt <= at) return;
    node.looksAt = at;
    this.#at(at, async () => {
      if (node.looksAt !== at) return;
      node.looksAt = Number.POSITIVE_INFINITY;
      await this.#work(node);
    });
  }

  async #work(node: Node): Promise<void> {
    if (!node.isUp) return;
    await this.#runDueAlarms(node);
    for (;;) {
      const due = await this.#store.read(findDueWork, { now: this.#now });
      if (due.causes) await this.#store.write(startCalls, this.#now, {});
      if (due.calls) await this.#store.write(stepCalls, this.#now, {});
      const taken = due.attempts ? await this.#take(node) : 0;
      if (due.next !== undefined && due.next > this.#now) this.#lookAt(node, due.next);
      if (!(due.causes || due.calls || taken > 0)) return;
    }
  }

  /** Ends delays, masks and acknowledgements that are over. */
  async #runDueAlarms(node: Node): Promise<void> {
    while (await this.#store.read(hasDueAlarms, { now: this.#now }))
      await this.#store.write(runDueAlarms, this.#now, {});
    const next = await this.#store.read(getNextDueAlarm, {});
    if (next !== undefined) this.#lookAt(node, next);
  }

  async #take(node: Node): Promise<number> {
    const replyCodes = Array.from({ length: 50 }, () => '1234');
    const command = {
      node: node.name,
      nodeName: 'node',
      leaseMs,
      replyCodes,
      heldAttemptIds: [...node.heldAttemptIds],
    };
    const messages = await this.#store.write(takeAttempts, this.#now, command);
    for (const message of messages) await this.#request(node, message);
    return messages.length;
  }

  /** Sends a request to the provider; its result comes later, and never to a node that has crashed meanwhile. */
  async #request(node: Node, message: CallMessage): Promise<void> {
    const { attemptId, callId } = message;
    const known = this.#requests.get(attemptId) ?? { count: 0, crashes: 0 };
    known.count++;
    this.#requests.set(attemptId, known);
    if (known.count > 1 + known.crashes)
      this.#violations.push(`attempt ${attemptId} was made ${known.count} times over ${known.crashes} crashes`);
    const endedAt = await this.#store.read(getCallEnd, { callId });
    if (endedAt !== undefined && this.#now - endedAt > 2_000)
      this.#violations.push(`attempt ${attemptId} was made ${this.#now - endedAt} ms after its call had ended`);
    node.heldAttemptIds.add(attemptId);
    const { epoch } = node;
    const { delivery, afterMs } = this.#outcome();
    this.#at(this.#now + afterMs, async () => {
      if (node.epoch !== epoch) return;
      node.heldAttemptIds.delete(attemptId);
      await this.#store.write(endAttempt, this.#now, { node: node.name, attemptId, delivery });
      this.#poll();
    });
    this.#at(this.#now + 3_000, () => this.#renew(node, epoch, attemptId));
    // A crash between the request and its result is the worst case.
    if (this.#chance.percent(2)) this.#at(this.#now + this.#chance.int(0, afterMs + 1), () => this.#crash(node));
    if (delivery.kind === 'delivered' && this.#chance.percent(this.#isEvening ? 100 : 60))
      this.#answer(attemptId, afterMs);
  }

  async #renew(node: Node, epoch: number, attemptId: number): Promise<void> {
    if (node.epoch !== epoch || !node.heldAttemptIds.has(attemptId)) return;
    const held = await this.#store.write(renewLeases, this.#now, {
      node: node.name,
      nodeName: 'node',
      leaseMs,
      attemptIds: [attemptId],
    });
    if (!held.includes(attemptId))
      this.#violations.push(`node ${node.name} lost attempt ${attemptId} while it was alive`);
    this.#at(this.#now + 3_000, () => this.#renew(node, epoch, attemptId));
  }

  /** The result of a request: delivered, unanswered, a bad number, or no response until the channel gives up. */
  #outcome(): { readonly delivery: Delivery; readonly afterMs: number } {
    const reached: Delivery = { kind: 'delivered', detail: '' };
    const failed = (retry: 'later' | 'never', reason: string): Delivery => ({
      kind: 'failed',
      retry,
      outcome: retry === 'never' ? 'badNumber' : 'noAnswer',
      reason,
    });
    const afterMs = this.#chance.int(10, 20_000);
    if (this.#isEvening || this.#chance.percent(45)) return { delivery: reached, afterMs };
    if (this.#chance.percent(60)) return { delivery: failed('later', 'no answer'), afterMs: 30_000 };
    if (this.#chance.percent(30)) return { delivery: failed('never', 'bad number'), afterMs };
    return { delivery: failed('later', 'the provider did not answer'), afterMs: 45_000 };
  }

  #answer(attemptId: number, afterMs: number): void {
    const answers = ['take', 'take', 'heard', 'decline', 'later'] as const;
    const answer = this.#isEvening ? 'take' : this.#chance.pick(answers);
    this.#at(this.#now + afterMs + this.#chance.int(0, 90_000), async () => {
      await this.#tolerate(this.#store.write(answerCall, this.#now, { attemptId, answer, caller: systemCaller }));
      this.#poll();
    });
  }

  /** Ignores refusals: people answer calls that have ended meanwhile. */
  async #tolerate(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  /** Checks that nothing is open without a due time, unless all nodes are down. */
  async #audit(): Promise<void> {
    const gaps = await this.#store.read(findCallGaps, { now: this.#now });
    const isExcused = this.#allDownSince !== undefined;
    for (const { kind, id } of gaps) if (!isExcused) this.#violations.push(`${kind} ${id} at ${this.#now - begin}`);
    this.#poll();
  }

  async #judge(): Promise<void> {
    // Causes of the last hour may still be open.
    for (const { id, reason } of await this.#store.read(getCauseEnds, { before: this.#now - 3_600_000 }))
      if (reason === null) this.#violations.push(`cause ${id} never ended`);
    const { alarms } = await this.#store.read(getAlarmsAsked, {});
    for (const { id, isWanted, requests } of alarms)
      if (isWanted && requests === 0) this.#violations.push(`nobody was ever asked for alarm ${id}`);
    const untaken = await this.#store.read(getUntaken, {});
    this.#untaken = untaken.length;
    for (const { causeId, alarmId, uncalled } of untaken)
      if (uncalled.length > 0)
        this.#violations.push(`cause ${causeId} of alarm ${alarmId} ended untaken without calling ${uncalled.join()}`);
    this.#expired = await this.#store.read(getExpired, {});
  }
}
