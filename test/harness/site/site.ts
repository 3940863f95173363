// A site under test: a server with a fake clock, used through its interface as the administrator, and people with phones.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { hasDueAlarms } from '../../../src/operations/alarms/queries.ts';
import { decideCalls } from '../../../src/operations/calls/engine/decide-calls.ts';
import { isHandOverDue } from '../../../src/operations/calls/notices/hand-overs.ts';
import { hasDueAttempts } from '../../../src/operations/calls/queries.ts';
import { listCallHistories } from '../../../src/operations/calls/views/list-attempts.ts';
import type { StoreName } from '../stores/stores.ts';
import { until } from '../until.ts';
import { startBeside, startOn, startTestApp, type TestApp } from './app.ts';
import { Caller, type Row } from './site-caller.ts';
import { type Person, Phones, voice } from './site-phones.ts';
import { type ScriptFiles, type ScriptFolder, Scripts, scriptFolder } from './site-scripts.ts';

type Settings = Readonly<Record<string, string>>;
type Options = NonNullable<Parameters<typeof startTestApp>[2]> & {
  /** The scripts that the server may run. */
  readonly scripts?: ScriptFiles;
};

/** Starts a server on an empty store. When the test uses phones of the site, a call it did not expect fails it. */
export async function startSite(t: TestContext, kind: StoreName, { scripts, ...options }: Options = {}): Promise<Site> {
  let site: Site | undefined;
  // Registered before the hook that stops the server: hooks run in the order in which they were registered, and the rest is
  // left out when one throws. The error is thrown last, because a server that still runs would keep the process from ending.
  t.after(() =>
    site?.expectNothingElse().catch((error) => {
      t.after(() => t.after(() => Promise.reject(error)));
    }),
  );
  const folder = scripts && (await scriptFolder(t, scripts));
  const overrides = { ...options.overrides, ...folder?.settings };
  const app = await startTestApp(t, kind, { ...options, overrides });
  site = new Site(t, app, await app.signIn(), folder);
  return site;
}

/** The site of a server that a test has started itself; unexpected calls do not fail the test. */
export async function siteOn(t: TestContext, app: TestApp): Promise<Site> {
  return new Site(t, app, await app.signIn());
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function msOf(duration: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  assert.ok(unit, `"${duration}" is no duration such as 5m`);
  return Number(count) * units[unit as keyof typeof units];
}

type Attempt = Pick<
  Awaited<ReturnType<typeof listCallHistories.run>>['items'][number],
  'id' | 'startedAt' | 'endedAt' | 'status'
>;

function isSame(one: readonly Attempt[], other: readonly Attempt[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export class Site extends Caller {
  readonly scripts: Scripts;
  readonly #t: TestContext;
  readonly #phones: Phones;
  #isOver = false;

  constructor(t: TestContext, app: TestApp, token: string, scripts?: ScriptFolder) {
    super({ app }, token);
    this.#t = t;
    this.#phones = new Phones(this, () => this.settle());
    this.scripts = new Scripts(this, scripts);
  }

  /** Stops the server and starts it again on the same store. */
  async restart(overrides: Settings = {}, expectErrors = false): Promise<void> {
    await this.app.stop();
    const { environment, clock, openers, startStoreWorker } = this.app;
    const settings = { ...environment, ...overrides };
    this.running.app = await startOn(this.#t, settings, clock, expectErrors, openers, startStoreWorker);
  }

  /** Starts another node on the same database. */
  async startNode(overrides: Readonly<Record<string, string>> = {}): Promise<Site> {
    return siteOn(this.#t, await startBeside(this.#t, this.app, overrides));
  }

  /** Creates a user with one telephone number, unless others are given. */
  async person(name: string, more: object = {}): Promise<Person> {
    const numbers = [voice(this.#phones.nextNumber)];
    const id = await this.create('/users', { name, firstName: name, role: 'operator', numbers, ...more });
    return this.phoneOf(id, name);
  }

  /** The phone of a user who is in the store already. */
  phoneOf(id: number, name: string): Person {
    return this.#phones.of(id, name);
  }

  /** Adds users who are in the store already, by name: settle and advance watch their phones as well. */
  watchPhones(users: Readonly<Record<string, number>>): void {
    for (const [name, id] of Object.entries(users)) this.phoneOf(id, name);
  }

  /** The phone of the administrator, which rings as the last resort. */
  get admin(): Person {
    return this.phoneOf(1, 'admin');
  }

  team(name: string, members: readonly Person[], relief: readonly Person[] = []): Promise<number> {
    const all = [...members.map((one) => [one, false] as const), ...relief.map((one) => [one, true] as const)];
    return this.create('/teams', {
      name,
      members: all.map(([one, isRelief]) => ({ userId: one.id, relief: isRelief })),
    });
  }

  group(name: string, teamIds: readonly number[], more: object = {}): Promise<number> {
    return this.create('/callgroups', { name, stationId: 1, teamIds, ...more });
  }

  /** Creates a schedule by which the team is on call from one time of the day to another, every day. */
  schedule(teamId: number, from: string, to: string, more: object = {}): Promise<number> {
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    const body = { name: `from ${from} to ${to}`, timeZone: 'UTC', weekly: [{ teamId, days, from, to }], ...more };
    return this.create('/schedules', body);
  }

  /** Waits until nothing is due at this time and every call under way waits for a person. */
  async settle(): Promise<void> {
    await this.app.poll();
    await until(
      async () => {
        // Attempts that are the same before and after were so when nothing was due: one that was due when they were first
        // looked at, and taken before the due work was, would have no phone that rings yet.
        const before = await this.#attempts();
        const isQuiet = (await this.#isAllRinging(before)) && (await this.#isNothingDue());
        const isIdle = isQuiet && isSame(before, await this.#attempts());
        if (!isIdle) await this.app.poll();
        return { isIdle };
      },
      ({ isIdle }) => isIdle,
    );
  }

  /** What the calling engine would do now, and when it would look again. */
  #decided() {
    return this.app.store.read(decideCalls, { now: this.app.clock.now() });
  }

  async #isNothingDue(): Promise<boolean> {
    const now = this.app.clock.now();
    // Alarms and hand-overs add causes, so they are looked at first: a cause added in between is then seen.
    if (await this.app.store.read(hasDueAlarms, { now })) return false;
    if (await this.app.store.read(isHandOverDue, { now })) return false;
    const { plan } = await this.#decided();
    return plan === undefined && !(await this.app.store.read(hasDueAttempts, { now }));
  }

  /** The newest attempts under way, begun or not. */
  async #attempts(): Promise<readonly Attempt[]> {
    const listing = {
      caller: { stationIds: [] },
      language: 'en',
      now: this.app.clock.now(),
      filter: { status: 1 },
      search: '',
      seesAddresses: true,
      order: 'desc',
      limit: 200,
      offset: 0,
    } as const;
    const { items } = await this.app.store.read(listCallHistories, listing);
    return items.map(({ id, startedAt, endedAt, status }) => ({ id, startedAt, endedAt, status }));
  }

  /** Whether every attempt under way belongs to an unfinished turn and to a phone whose call has not run out of time. */
  async #isAllRinging(items: readonly Attempt[]): Promise<boolean> {
    const underWay = items.filter(({ startedAt, endedAt }) => startedAt !== undefined && endedAt === undefined);
    const calls = await this.#phones.inUse();
    return (
      calls.length === underWay.length &&
      calls.every(({ ends }) => ends > this.app.clock.now()) &&
      underWay.every(({ status }) => status === 1)
    );
  }

  /** Advances the clock from one due time to the next, and lets the server do at each what is due then. */
  async advance(duration: string): Promise<void> {
    await this.settle();
    const target = this.app.clock.now() + msOf(duration);
    while (this.app.clock.now() < target) {
      const now = this.app.clock.now();
      const { lookAgainAt: next = target } = await this.#decided();
      const ends = (await this.#phones.inUse()).map((call) => call.ends);
      this.app.clock.advance(Math.max(1, Math.min(next, target, ...ends) - now));
      await this.settle();
    }
  }

  /** The rows of the call history, oldest first; `query` has further parameters, such as `&userId=2`. */
  async callHistories(query = ''): Promise<readonly Row[]> {
    await this.settle();
    return (await this.list(`/call/histories?limit=1000${query}`)).items;
  }

  /** The paths of the current alarms that Tocsin itself raised. */
  async systemAlarms(): Promise<readonly string[]> {
    await this.settle();
    return (await this.alarms.fromTocsin()).map(({ path }) => String(path));
  }

  /** Those of them that are active: an alarm about something that is over waits for its acknowledgement alone. */
  async activeSystemAlarms(): Promise<readonly string[]> {
    await this.settle();
    const active = (await this.alarms.fromTocsin()).filter(({ state }) => state === 1 || state === 3);
    return active.map(({ path }) => String(path)).toSorted();
  }

  /** Accepts every call that rings or is due now as expected. */
  async expectWhatRings(): Promise<void> {
    await this.settle();
    await this.#phones.expectCallsInUse();
  }

  /** Asserts, at the end of the test, that every call in use was expected. */
  async expectNothingElse(): Promise<void> {
    if (this.#isOver || !this.#phones.areUsed) return;
    this.#isOver = true;
    await this.#phones.refuseUnexpectedCalls();
  }
}
