// A day of calls without delays: every due step is taken at its time, phones ring for half a minute, and texts arrive at
// once. Forecasts are asked for on the way and compared with what then happens, up to the first fault.

import { systemCaller } from '../../../src/domain/access/access.ts';
import { type CallMessage, type Delivery, isSpoken } from '../../../src/domain/calls/delivery.ts';
import { reportAlarm } from '../../../src/operations/alarms/intake/report.ts';
import { answerCall } from '../../../src/operations/calls/answer.ts';
import { endAttempt } from '../../../src/operations/calls/delivery/end-attempt.ts';
import { noteProgress } from '../../../src/operations/calls/delivery/progress.ts';
import { takeAttempts } from '../../../src/operations/calls/delivery/take-attempts.ts';
import { carryOut } from '../../../src/operations/calls/engine/carry-out.ts';
import { decideCalls } from '../../../src/operations/calls/engine/decide-calls.ts';
import { hasDueAttempts } from '../../../src/operations/calls/queries.ts';
import { explainCalls } from '../../../src/operations/calls/views/explain.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { type Organisation, randomOrganisation } from '../escalation/organisation.ts';
import { MemoryStore } from '../stores/memory-store.ts';
import { countCauses, getAttemptsOf, type MadeAttempt } from './alarm-attempts.ts';
import { settle } from './stored-organisation.ts';

export type ForecastDay = {
  readonly alarms: number;
  /** Of these, how many had an action with a delay, and how many called a group by several actions. */
  readonly delayed: number;
  readonly twice: number;
  /** How many forecasts were compared, and how many attempts they had. */
  readonly forecasts: number;
  readonly attempts: number;
  /** Differences that no fault explains. */
  readonly differences: readonly string[];
};

const begin = Date.UTC(2026, 9, 24, 18);
const hour = 3_600_000;
const dayMs = 5 * hour;
const ringMs = 30_000;
const lookAheadMs = 2 * hour;
const leaseMs = 60_000;
const mostDecisions = 50;
const stepMs = 60_000;

type Ending = {
  readonly at: number;
  readonly attemptId: number;
  readonly delivery: Delivery;
  readonly isFault: boolean;
};
type Forecast = {
  readonly alarmId: number;
  readonly at: number;
  /** Up to when it is complete. */
  readonly until: number;
  /** How many faults there had been. */
  readonly faultsBefore: number;
  readonly attempts: readonly string[];
};

export async function forecastDay(seed: number, hasFaults: boolean): Promise<ForecastDay> {
  return new Day(seed, hasFaults).run();
}

class Day {
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #hasFaults: boolean;
  readonly #store = new MemoryStore();
  readonly #endings: Ending[] = [];
  readonly #forecasts: Forecast[] = [];
  /** Times at which something happened that no forecast foresees. */
  readonly #faults: number[] = [];
  #groupIds: readonly number[] = [];
  #userIds: readonly number[] = [];
  #now = begin;
  #lookAgainAt = Number.POSITIVE_INFINITY;
  #causes = 0;
  readonly #raised = { alarms: 0, delayed: 0, twice: 0 };

  constructor(seed: number, hasFaults: boolean) {
    this.#seed = seed;
    this.#chance = chanceOf(seed);
    this.#hasFaults = hasFaults;
  }

  async run(): Promise<ForecastDay> {
    const { snapshot } = await settle(this.#store, someOrganisation(this.#chance), this.#seed, begin);
    this.#groupIds = [...snapshot.groups.keys()];
    this.#userIds = [...snapshot.people.keys()];
    for (const [n, at] of this.#raises().entries()) {
      await this.#liveUntil(at);
      await this.#raise(n);
    }
    while (this.#now < begin + dayMs && this.#forecasts.some((one) => this.#isOpen(one)))
      await this.#liveUntil(Math.min(this.#now + stepMs, begin + dayMs));
    const differences: string[] = [];
    let attempts = 0;
    for (const forecast of this.#forecasts) attempts += await this.#compare(forecast, differences);
    this.#store.close();
    return { ...this.#raised, forecasts: this.#forecasts.length, attempts, differences };
  }

  /** On whole half minutes, so that what happens by itself ties with them. */
  #raises(): readonly number[] {
    const at = (): number => begin + this.#chance.int(0, (2 * hour) / ringMs) * ringMs;
    return Array.from({ length: this.#chance.int(2, 6) }, at).toSorted((one, other) => one - other);
  }

  async #raise(n: number): Promise<void> {
    const chance = this.#chance;
    this.#faults.push(this.#now);
    const actions = Array.from({ length: chance.int(1, 4) }, () => ({
      ...(chance.percent(80)
        ? { type: 'CallGroup', id: chance.pick(this.#groupIds) }
        : { type: 'CallUser', id: chance.pick(this.#userIds) }),
      scriptId: 0,
      parameter: chance.pick(['', '', '30', '60', '300']),
      flags: 0,
    }));
    const groups = actions.filter(({ type }) => type === 'CallGroup');
    this.#raised.alarms++;
    if (actions.some(({ parameter }) => parameter !== '')) this.#raised.delayed++;
    if (new Set(groups.map((action) => action.id)).size < groups.length) this.#raised.twice++;
    const { id } = await this.#store.write(reportAlarm, this.#now, {
      caller: systemCaller,
      stationId: undefined,
      dataServerId: undefined,
      tagGroupId: undefined,
      path: `tag ${n}`,
      priority: chance.int(1, 4),
      value: undefined,
      raised: true,
      change: { alarm: { message: `tag ${n}`, actions } },
    });
    this.#causes = await this.#store.read(countCauses, {});
    // One before anything was done for it, one that joins calls under way.
    await this.#forecast(id, this.#now - 1);
    await this.#settle();
    await this.#liveUntil(this.#now + chance.int(1, 1_800) * 1_000);
    await this.#forecast(id, this.#now);
  }

  /** `after`: attempts from then on are compared. */
  async #forecast(alarmId: number, after: number): Promise<void> {
    const found = await this.#store.read(explainCalls, {
      caller: systemCaller,
      what: { kind: 'alarm', id: alarmId },
      at: this.#now,
      isNow: true,
      until: this.#now + lookAheadMs,
      language: 'en',
    });
    if (found === undefined) return;
    const attempts = found.calls
      .flatMap(({ steps }) => steps)
      .flatMap(({ what, at, userId = 0, channel = '', address = '' }) =>
        what === 'attempt' ? [lineOf({ at, userId, channel, address })] : [],
      );
    const until = found.stopped?.at ?? this.#now + lookAheadMs;
    this.#forecasts.push({ alarmId, at: after, until, faultsBefore: this.#faults.length, attempts });
  }

  /** Whether anything that happens from now on is compared with it. */
  #isOpen({ until, faultsBefore }: Forecast): boolean {
    return this.#now < until && this.#faults.length === faultsBefore;
  }

  async #compare(forecast: Forecast, differences: string[]): Promise<number> {
    const { alarmId, at, until, faultsBefore } = forecast;
    const end = Math.min(until, begin + dayMs, ...this.#faults.slice(faultsBefore));
    const isWithin = (line: string): boolean => timeOf(line) > at && timeOf(line) < end;
    const made = (await this.#store.read(getAttemptsOf, { alarmId })).map(lineOf).filter(isWithin).toSorted();
    const foreseen = forecast.attempts.filter(isWithin).toSorted();
    if (made.join('\n') === foreseen.join('\n')) return foreseen.length;
    const place = made.findIndex((line, index) => line !== foreseen[index]);
    const index = place < 0 ? made.length : place;
    differences.push(
      `seed ${this.#seed}, alarm ${alarmId} at ${at - begin}: made ${made[index]}, foreseen ${foreseen[index]} (+${timeOf(made[index] ?? foreseen[index] ?? '') - at} ms)`,
    );
    return foreseen.length;
  }

  async #liveUntil(end: number): Promise<void> {
    await this.#settle();
    for (;;) {
      const at = Math.min(this.#lookAgainAt, ...this.#endings.map((ending) => ending.at));
      if (at >= end) break;
      this.#now = Math.max(this.#now, at);
      await this.#settle();
    }
    this.#now = Math.max(this.#now, end);
    // What is due at the same instant comes before what happens then.
    await this.#settle();
  }

  /** Does what is due now, until nothing is. */
  async #settle(): Promise<void> {
    for (;;) {
      for (const ending of this.#endings.filter(({ at }) => at <= this.#now)) await this.#end(ending);
      await this.#decide();
      const taken = (await this.#store.read(hasDueAttempts, { now: this.#now })) ? await this.#take() : 0;
      if (taken === 0) return;
    }
  }

  async #decide(): Promise<void> {
    for (let count = 0; count < mostDecisions; count++) {
      const { plan, lookAgainAt } = await this.#store.read(decideCalls, { now: this.#now });
      this.#lookAgainAt = lookAgainAt ?? Number.POSITIVE_INFINITY;
      if (plan === undefined) return;
      await this.#store.write(carryOut, this.#now, { plan, node: 'a' });
      await this.#noteOwnAlarms();
    }
    throw new Error(`seed ${this.#seed}: it does not come to rest at ${this.#now - begin}`);
  }

  /** An alarm of Tocsin's own that calls somebody is nothing a forecast of another alarm foresees. */
  async #noteOwnAlarms(): Promise<void> {
    const causes = await this.#store.read(countCauses, {});
    if (causes > this.#causes) this.#faults.push(this.#now);
    this.#causes = causes;
  }

  async #take(): Promise<number> {
    const messages = await this.#store.write(takeAttempts, this.#now, {
      ...{ node: 'a', nodeName: 'node', leaseMs },
      replyCodes: Array.from({ length: 100 }, () => '1234'),
      heldAttemptIds: this.#endings.map(({ attemptId }) => attemptId),
    });
    for (const message of messages) await this.#deliver(message);
    return messages.length;
  }

  async #deliver({ attemptId, channel }: CallMessage): Promise<void> {
    const rings = isSpoken(channel);
    const isFault = this.#hasFaults && this.#chance.percent(10);
    const expected: Delivery = rings
      ? { kind: 'failed', retry: 'later', outcome: 'noAnswer', reason: 'no answer' }
      : { kind: 'delivered', detail: '' };
    const fault: Delivery = rings
      ? { kind: 'delivered', detail: 'answered' }
      : { kind: 'failed', retry: 'never', outcome: 'badNumber', reason: 'bad number' };
    if (rings) await this.#store.write(noteProgress, this.#now, { attemptId, progress: { kind: 'ringing' } });
    const at = rings ? this.#now + ringMs : this.#now;
    this.#endings.push({ at, attemptId, delivery: isFault ? fault : expected, isFault });
  }

  async #end(ending: Ending): Promise<void> {
    this.#endings.splice(this.#endings.indexOf(ending), 1);
    const { attemptId, delivery, isFault } = ending;
    if (isFault) this.#faults.push(this.#now);
    await this.#store.write(endAttempt, this.#now, { node: 'a', attemptId, delivery });
    if (!isFault || delivery.kind !== 'delivered') return;
    const answer = this.#chance.pick(['take', 'heard', 'decline', 'later'] as const);
    await this.#store.write(answerCall, this.#now, { attemptId, answer, caller: systemCaller });
  }
}

/** Whose acknowledgements last. */
function someOrganisation(chance: Chance): Organisation {
  const organisation = randomOrganisation(chance);
  const priorities = organisation.policy.priorities.map((rules) => ({ ...rules, ackExpiryMinutes: 0 }));
  return { ...organisation, policy: { ...organisation.policy, priorities } };
}

function lineOf({ at, userId, channel, address }: MadeAttempt): string {
  return `${at} ${userId} ${channel} ${address}`;
}

function timeOf(line: string): number {
  return Number(line.split(' ', 1)[0]);
}
