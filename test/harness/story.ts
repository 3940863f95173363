// A story of calling: people with phones, alarms, and a clock that moves from one thing that is due to the next. What
// rings and was not expected fails the test.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { hasDueAlarms } from '../../src/operations/alarms/queries.ts';
import { listCallHistories } from '../../src/operations/calls/list-attempts.ts';
import { findDueWork } from '../../src/operations/calls/queries.ts';
import { listPhoneMessages } from '../../src/operations/simulator/phone-rows.ts';
import type { DatabaseKind } from '../../src/store/statement.ts';
import type { Row } from './alarm-desk.ts';
import { type Answer, startOn, startTestApp, type TestApp } from './app.ts';
import { until } from './until.ts';

type Options = NonNullable<Parameters<typeof startTestApp>[2]>;

/** A second, a minute, an hour, a day, in words. */
const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function msOf(duration: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  assert.ok(unit, `"${duration}" is no duration such as 5m`);
  return Number(count) * units[unit as keyof typeof units];
}

/** A phone of the simulator rings so long, and a conversation lasts so long. */
const ringMs = 30_000;
const longestCallMs = 180_000;

export const voice = (address: string, more: object = {}) => ({ channel: 'voice', address, ...more });
export const sms = (address: string, more: object = {}) => ({ channel: 'sms', address, ...more });

export type Person = Awaited<ReturnType<Story['person']>>;

export async function startStory(t: TestContext, kind: DatabaseKind, options: Options = {}): Promise<Story> {
  let story: Story | undefined;
  // Before what stops the server: hooks run in the order they are given.
  t.after(() => story?.expectNothingElse());
  const app = await startTestApp(t, kind, options);
  story = new Story(t, app, await app.signIn());
  return story;
}

export class Story {
  readonly #t: TestContext;
  #app: TestApp;
  readonly #token: string;
  readonly #people = new Map<number, string>();
  /** The calls somebody expected. */
  readonly #expected = new Set<number>();
  #isOver = false;

  constructor(t: TestContext, app: TestApp, token: string) {
    this.#t = t;
    this.#app = app;
    this.#token = token;
    this.#people.set(1, 'admin');
  }

  get app(): TestApp {
    return this.#app;
  }

  /** Adds people who are in the store already, by name, so that settle and advance watch their phones as well. */
  meet(people: Readonly<Record<string, number>>): void {
    for (const [name, id] of Object.entries(people)) this.#people.set(id, name);
  }

  /** The server stops, and starts again on what it has kept. */
  async restart(overrides: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#app.stop();
    const { environment, clock, channels } = this.#app;
    this.#app = await startOn(this.#t, { ...environment, ...overrides }, clock, false, channels);
  }

  /** A request that may be refused. */
  request(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.app.request(method, `/api/v1${path}`, { token: this.#token, body });
  }

  /** A request that must be answered 200. */
  async ask<T = Row>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.request(method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.body as T;
  }

  /** Somebody with a telephone, unless other numbers are given. */
  async person(name: string, more: object = {}) {
    const numbers = [voice(`+3312345${String(this.#people.size).padStart(4, '0')}`)];
    const body = { name, firstName: name, role: 'operator', numbers, ...more };
    const id = await this.ask<number>('POST', '/users', body);
    this.#people.set(id, name);
    return this.phoneOf(id, name);
  }

  /** The phone of a person, as they use it. */
  phoneOf(id: number, name: string) {
    const path = `/simulator/phones/${id}`;
    const messages = () => this.ask<readonly PhoneRow[]>('GET', path);
    const ringing = async () => (await messages()).find(({ state }) => state === 'ringing');
    const press = async (keys: string) => (await this.ask<{ said: string }>('POST', `${path}/keys`, { keys })).said;
    const answers = async (...keys: readonly string[]) => {
      const said = [(await this.ask<{ said: string }>('POST', `${path}/answer`)).said];
      for (const key of keys) said.push(await press(key));
      await this.settle();
      return said;
    };
    return {
      id,
      name,
      messages,
      /** The phone rings now, and tells of this. */
      isCalled: async (about: RegExp = /./) => {
        await this.settle();
        const call = await ringing();
        assert.ok(call, `${name}'s phone should ring`);
        assert.match(call.text, about, `what ${name} is called for`);
        this.#expected.add(call.id);
        return call;
      },
      isNotCalled: async () => {
        await this.settle();
        assert.equal(await ringing(), undefined, `${name}'s phone should not ring`);
      },
      answers,
      press,
      takes: () => answers('1', '1'),
      hears: () => answers('1', '2'),
      declines: () => answers('1', '3'),
      hangsUp: async () => {
        await this.ask('POST', `${path}/hangup`);
        await this.settle();
      },
      /** The newest text on the phone. */
      hasText: async (about: RegExp) => {
        await this.settle();
        const text = (await messages()).find(({ state, direction }) => state === 'delivered' && direction === 'to');
        assert.ok(text, `${name} should have a text`);
        assert.match(text.text, about);
        return { text: text.text, code: /Reply (\d+)/.exec(text.text)?.[1] ?? '' };
      },
      texts: async (text: string) => {
        const { answer } = await this.ask<{ answer: string }>('POST', `${path}/texts`, { text });
        await this.settle();
        return answer;
      },
    };
  }

  team(name: string, members: readonly Person[], relief: readonly Person[] = []): Promise<number> {
    const all = [...members.map((one) => [one, false] as const), ...relief.map((one) => [one, true] as const)];
    return this.ask<number>('POST', '/teams', {
      name,
      members: all.map(([one, isRelief]) => ({ userId: one.id, relief: isRelief })),
    });
  }

  group(name: string, teamIds: readonly number[], more: object = {}): Promise<number> {
    return this.ask<number>('POST', '/callgroups', { name, stationId: 1, teamIds, ...more });
  }

  /** Raises an alarm of priority 1 that calls the group; answers its id. */
  raise(groupId: number, more: object = {}): Promise<number> {
    const alarmActions = [{ type: 'CallGroup', id: groupId }];
    return this.ask<number>('POST', '/alarms', {
      path: 'Plant/Pump1',
      alarmMessage: 'Pump1 is too hot',
      priority: 1,
      alarmActions,
      ...more,
    });
  }

  /** The source of an alarm says that all is well again. */
  async returnsToNormal(path = 'Plant/Pump1'): Promise<void> {
    await this.ask<number>('POST', '/alarms', { path, raised: false });
    await this.settle();
  }

  /** A programme by which the team has the duty from one time of the day to another, every day. */
  schedule(teamId: number, from: string, to: string, more: object = {}): Promise<number> {
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    const body = { name: `from ${from} to ${to}`, timeZone: 'UTC', weekly: [{ teamId, days, from, to }], ...more };
    return this.ask<number>('POST', '/schedules', body);
  }

  alarm(id: number): Promise<Row> {
    return this.ask('GET', `/alarms/${id}`);
  }

  async acknowledge(id: number): Promise<void> {
    await this.ask('POST', `/alarms/${id}/acknowledge`);
    await this.settle();
  }

  /** Until nothing is due at this instant, and what is under way waits for people. */
  async settle(): Promise<void> {
    this.app.poll();
    await until(
      async () => {
        // Asked twice: what ended after the first time may have made something due.
        const isIdle = (await this.#isNothingDue()) && (await this.#isAllRinging()) && (await this.#isNothingDue());
        if (!isIdle) this.app.poll();
        return { ...(await this.#due()), isIdle };
      },
      ({ isIdle }) => isIdle,
    );
  }

  #due() {
    return this.app.store.read(findDueWork, { now: this.app.clock.now() });
  }

  async #isNothingDue(): Promise<boolean> {
    const { causes, calls, attempts } = await this.#due();
    return !(causes || calls || attempts) && !(await this.app.store.read(hasDueAlarms, { now: this.app.clock.now() }));
  }

  /** Every attempt that is under way rings for a turn that goes on, on a phone that has not rung its thirty seconds. */
  async #isAllRinging(): Promise<boolean> {
    const listing = {
      caller: { stationIds: [] },
      filter: {},
      search: '',
      seesAddresses: true,
      order: 'desc',
      limit: 200,
      offset: 0,
    } as const;
    const { items } = await this.app.store.read(listCallHistories, listing);
    const underWay = items.filter(({ startedAt, endedAt }) => startedAt !== undefined && endedAt === undefined);
    const rings = await this.#onLine();
    return (
      rings.length === underWay.length &&
      rings.every(({ ends }) => ends > this.app.clock.now()) &&
      underWay.every(({ status }) => status === 1)
    );
  }

  /** What rings or is being answered, and when nobody waits any longer. */
  async #onLine() {
    const { store } = this.app;
    const all = await Promise.all(
      [...this.#people.keys()].map((userId) => store.read(listPhoneMessages, { userId, limit: 5 })),
    );
    return all
      .flat()
      .filter(({ state }) => state === 'ringing' || state === 'answered')
      .map((ring) => ({ ...ring, ends: ring.createdAt + (ring.state === 'ringing' ? ringMs : longestCallMs) }));
  }

  /** Time passes, and everything happens when it is due. */
  async advance(duration: string): Promise<void> {
    await this.settle();
    const target = this.app.clock.now() + msOf(duration);
    while (this.app.clock.now() < target) {
      const now = this.app.clock.now();
      const { next = target } = await this.#due();
      const ends = (await this.#onLine()).map((ring) => ring.ends);
      this.app.clock.advance(Math.max(1, Math.min(next, target, ...ends) - now));
      await this.settle();
    }
  }

  /** The rows of the call history, oldest first. */
  async histories(query = ''): Promise<readonly Row[]> {
    await this.settle();
    return (await this.ask<{ items: readonly Row[] }>('GET', `/call/histories?limit=1000${query}`)).items;
  }

  /** Alarms of Tocsin's own that are there, by path. */
  async systemAlarms(): Promise<readonly string[]> {
    await this.settle();
    const { items } = await this.ask<{ items: readonly Row[] }>('GET', '/alarms?limit=1000');
    return items.map(({ path }) => String(path)).filter((path) => path.startsWith('system/'));
  }

  /** The administrator's phone, which rings for the last resort. */
  get admin() {
    return this.phoneOf(1, 'admin');
  }

  /** What rings here is no surprise from now on. */
  async expectWhatRings(): Promise<void> {
    // What is due now and does not ring yet would be a surprise a moment later.
    await this.settle();
    for (const { id } of await this.#onLine()) this.#expected.add(id);
  }

  /** Nothing rings that nobody expected. Asked once more when the test ends. */
  async expectNothingElse(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const surprises = (await this.#onLine()).filter(({ id }) => !this.#expected.has(id));
    assert.deepEqual(surprises, [], 'phones that ring and were not expected to');
  }
}

type PhoneRow = {
  readonly id: number;
  readonly state: string;
  readonly direction: string;
  readonly text: string;
  readonly address: string;
  readonly outcome: string;
  readonly time: string;
};
