// A day of calls without delays: every due step is taken at its time, phones ring for half a minute, and texts arrive at
// once. Forecasts are asked for on the way and compared with what then happens, up to the first fault.

import { systemCaller } from '../../../src/domain/access/access.ts';
import { defaultPolicy } from '../../../src/domain/calls/call.ts';
import { type CallMessage, type Delivery, isSpoken } from '../../../src/domain/calls/delivery.ts';
import { reportAlarm } from '../../../src/operations/alarms/intake/report.ts';
import { endAttempt, startCalls, stepCalls } from '../../../src/operations/calls/advance.ts';
import { answerCall } from '../../../src/operations/calls/answer.ts';
import { seedCallPolicy } from '../../../src/operations/calls/control/call-policy.ts';
import { takeAttempts } from '../../../src/operations/calls/delivery/take-attempts.ts';
import { findDueWork } from '../../../src/operations/calls/queries.ts';
import { explainCalls } from '../../../src/operations/calls/views/explain.ts';
import { firstStart } from '../../../src/operations/system/first-start.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { MemoryStore } from '../stores/memory-store.ts';
import { settleTown, type Town } from './simulated-town.ts';
import { getAttemptsOf } from './simulation-queries.ts';

export type ForecastDay = {
  /** How many forecasts were compared, and how many attempts they had. */
  readonly forecasts: number;
  readonly attempts: number;
  /** Differences that no fault explains. */
  readonly differences: readonly string[];
};

const begin = Date.UTC(2026, 9, 24, 18);
const dayMs = 86_400_000;
const ringMs = 30_000;
const lookAheadMs = 3 * 3_600_000;
const leaseMs = 60_000;

type Ending = {
  readonly at: number;
  readonly attemptId: number;
  readonly delivery: Delivery;
  readonly isFault: boolean;
};
type Forecast = {
  readonly alarmId: number;
  readonly at: number;
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
  #town: Town = { userIds: [], groupIds: [] };
  #now = begin;

  constructor(seed: number, hasFaults: boolean) {
    this.#seed = seed;
    this.#chance = chanceOf(seed);
    this.#hasFaults = hasFaults;
  }

  async run(): Promise<ForecastDay> {
    const chance = this.#chance;
    await this.#store.write(firstStart, begin, { epoch: `seed ${this.#seed}`, adminPasswordHash: '' });
    const cap = chance.percent(50) ? defaultPolicy.cap : { attempts: 4, windowMs: 900_000 };
    await this.#store.write(seedCallPolicy, begin, { ...defaultPolicy, cap, callAgain: chance.percent(80) });
    this.#town = await settleTown(this.#store, chance, begin);
    const raises = Array.from({ length: chance.int(2, 6) }, () => begin + chance.int(0, dayMs / 2)).toSorted(
      (a, b) => a - b,
    );
    for (const [index, at] of [...raises, begin + dayMs].entries()) {
      await this.#liveUntil(at);
      if (index < raises.length) await this.#raise(index);
    }
    const differences: string[] = [];
    let attempts = 0;
    for (const forecast of this.#forecasts) attempts += await this.#compare(forecast, differences);
    this.#store.close();
    return { forecasts: this.#forecasts.length, attempts, differences };
  }

  async #raise(n: number): Promise<void> {
    const chance = this.#chance;
    this.#faults.push(this.#now);
    const actions = Array.from({ length: chance.int(1, 2) }, () => ({
      type: 'CallGroup',
      id: chance.pick(this.#town.groupIds),
      scriptId: 0,
      parameter: chance.pick(['', '', '300']),
      flags: 0,
    }));
    const { id } = await this.#store.write(reportAlarm, this.#now, {
      caller: systemCaller,
      stationId: undefined,
      dataServerId: undefined,
      tagGroupId: undefined,
      path: `tag ${n}`,
      priority: chance.int(1, 3),
      value: undefined,
      raised: true,
      change: { alarm: { message: `tag ${n}`, actions } },
    });
    await this.#settle();
    await this.#forecast(id);
    const later = this.#now + chance.int(1, 1_800) * 1_000;
    await this.#liveUntil(later);
    await this.#forecast(id);
  }

  async #forecast(alarmId: number): Promise<void> {
    const until = this.#now + lookAheadMs;
    const what = { kind: 'alarm', id: alarmId } as const;
    const found = await this.#store.read(explainCalls, {
      caller: systemCaller,
      what,
      at: this.#now,
      isNow: true,
      until,
      language: 'en',
    });
    const callIds = (await this.#store.read(getAttemptsOf, { alarmId })).callIds;
    const steps = (found?.calls ?? []).flatMap(({ forecast }) => forecast.steps);
    const attempts = steps
      .filter(({ what: kind, at }) => kind === 'attempt' && at > this.#now)
      .map(({ at, userId, channel, address }) => `${at} ${userId} ${channel} ${address}`);
    if (callIds.length > 0)
      this.#forecasts.push({ alarmId, at: this.#now, faultsBefore: this.#faults.length, attempts });
  }

  async #compare({ alarmId, at, faultsBefore, attempts }: Forecast, differences: string[]): Promise<number> {
    const end = Math.min(at + lookAheadMs, ...this.#faults.slice(faultsBefore));
    const isWithin = (line: string): boolean => {
      const time = Number(line.split(' ', 1)[0]);
      return time > at && time < end;
    };
    const { rows } = await this.#store.read(getAttemptsOf, { alarmId });
    const made = rows.map((row) => `${row.at} ${row.userId} ${row.channel} ${row.address}`).filter(isWithin);
    const foreseen = attempts.filter(isWithin);
    const [one, other] = [made.toSorted(), foreseen.toSorted()];
    if (one.join('\n') !== other.join('\n')) {
      const [first = ''] = [
        ...one.filter((line) => !other.includes(line)),
        ...other.filter((line) => !one.includes(line)),
      ].toSorted();
      const side = one.includes(first) ? 'made, not foreseen' : 'foreseen, not made';
      differences.push(
        `seed ${this.#seed}, alarm ${alarmId} at ${at - begin}: ${side}: ${first} (+${Number(first.split(' ', 1)[0]) - at} ms)`,
      );
    }
    return foreseen.length;
  }

  async #liveUntil(end: number): Promise<void> {
    await this.#settle();
    for (;;) {
      const { next = Number.POSITIVE_INFINITY } = await this.#store.read(findDueWork, { now: this.#now });
      const at = Math.min(next, ...this.#endings.map((ending) => ending.at));
      if (at >= end) break;
      this.#now = Math.max(this.#now, at);
      await this.#settle();
    }
    this.#now = Math.max(this.#now, end);
  }

  /** Does what is due now, until nothing is. */
  async #settle(): Promise<void> {
    for (;;) {
      const ended = this.#endings.filter(({ at }) => at <= this.#now);
      for (const ending of ended) await this.#end(ending);
      const due = await this.#store.read(findDueWork, { now: this.#now });
      if (due.causes) await this.#store.write(startCalls, this.#now, {});
      if (due.calls) await this.#store.write(stepCalls, this.#now, {});
      const taken = due.attempts ? await this.#take() : 0;
      if (ended.length === 0 && !due.causes && !due.calls && taken === 0) return;
    }
  }

  async #take(): Promise<number> {
    const replyCodes = Array.from({ length: 100 }, () => '1234');
    const heldAttemptIds = this.#endings.map(({ attemptId }) => attemptId);
    const command = { node: 'a', nodeName: 'node', leaseMs, replyCodes, heldAttemptIds };
    const messages = await this.#store.write(takeAttempts, this.#now, command);
    for (const message of messages) this.#deliver(message);
    return messages.length;
  }

  #deliver({ attemptId, channel }: CallMessage): void {
    const rings = isSpoken(channel);
    const isFault = this.#hasFaults && this.#chance.percent(10);
    const expected: Delivery = rings
      ? { kind: 'failed', retry: 'later', outcome: 'noAnswer', reason: 'no answer' }
      : { kind: 'delivered', detail: '' };
    const fault: Delivery = rings
      ? { kind: 'delivered', detail: 'answered' }
      : { kind: 'failed', retry: 'never', outcome: 'badNumber', reason: 'bad number' };
    const at = rings ? this.#now + ringMs : this.#now;
    this.#endings.push({ at, attemptId, delivery: isFault ? fault : expected, isFault });
  }

  async #end(ending: Ending): Promise<void> {
    this.#endings.splice(this.#endings.indexOf(ending), 1);
    const { attemptId, delivery, isFault } = ending;
    if (isFault) this.#faults.push(this.#now);
    await this.#store.write(endAttempt, this.#now, { node: 'a', attemptId, delivery });
    if (!isFault || delivery.kind !== 'delivered') return;
    const answer = this.#chance.pick(['heard', 'decline', 'later'] as const);
    await this.#store.write(answerCall, this.#now, { attemptId, answer, caller: systemCaller });
  }
}
