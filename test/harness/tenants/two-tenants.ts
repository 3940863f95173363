// Two stations of one installation with random people, teams, groups, alarms and calls, tied to each other by the
// administrator in every way that is possible. Every text and number of station B contains a marker, unless station A
// shares what it belongs to.

import { type Chance, chanceOf } from '../chance.ts';
import { type ObjectKind, objectKinds } from '../openapi/openapi-requests.ts';
import { refuse } from '../site/refused-intakes.ts';
import type { Site } from '../site/site.ts';
import { sms, voice } from '../site/site-phones.ts';
import { boundCallers } from './bound-callers.ts';

/** Occurs in every text, number and address of station B, and in nothing else; also in the visible end of a hidden number. */
export const marker = /xqzb|991991|•878/i;

export type Ids = Readonly<Record<ObjectKind, readonly (number | string)[]>>;

export type TwoTenants = {
  readonly stationA: number;
  readonly stationB: number;
  /** What callers bound to station A see, and what must look absent to them. */
  readonly seen: Ids;
  readonly hidden: Ids;
  /** The schedule by which both stations give the duty. */
  readonly sharedSchedule: number;
  /** What the seen objects of a kind are part of, where paths name both. */
  readonly ownerOf: Partial<Record<ObjectKind, number>>;
  /** Texts of station B to search for. */
  readonly words: readonly string[];
};

/** Makes the tenants. With `isFirst`, station A is the first station of the installation, otherwise station B is. */
export async function makeTwoTenants(site: Site, seed: number, isFirst: boolean): Promise<TwoTenants> {
  const world = new World(site, chanceOf(seed), isFirst);
  await world.makePlant();
  await world.makePeople();
  await world.makeGroups();
  await world.makeScenarios();
  await world.raiseAlarms();
  await world.letTimePass();
  return world.tenants();
}

class World {
  readonly #site: Site;
  readonly #chance: Chance;
  readonly #isFirst: boolean;
  readonly #seen = noIds();
  readonly #hidden = noIds();
  readonly #words: string[] = [];
  #stations = { a: 0, b: 0 };
  #people = { a: [0], b: [0] };
  #teams = { a: 0, b: 0, mixed: 0, lent: 0, off: 0 };
  #groups = { a: [0], b: [0] };
  #escalating = '';
  #sharedSchedule = 0;
  readonly #ownerOf: Partial<Record<ObjectKind, number>> = {};

  constructor(site: Site, chance: Chance, isFirst: boolean) {
    this.#site = site;
    this.#chance = chance;
    this.#isFirst = isFirst;
  }

  tenants(): TwoTenants {
    const { a: stationA, b: stationB } = this.#stations;
    return {
      stationA,
      stationB,
      seen: this.#seen,
      hidden: this.#hidden,
      words: this.#words,
      sharedSchedule: this.#sharedSchedule,
      ownerOf: this.#ownerOf,
    };
  }

  /** A text with the marker that occurs nowhere else. */
  #secret(): string {
    const letters = Array.from({ length: 6 }, () => this.#chance.pick([...'abcdefghijklmnop'])).join('');
    const word = `xqzb${letters}`;
    this.#words.push(word);
    return word;
  }

  /** A telephone number with the marker, also in the three digits that stay visible when it is hidden. */
  #secretNumber(): string {
    const number = `+33991991${this.#chance.int(100, 1_000)}878`;
    this.#words.push(number);
    return number;
  }

  async #make(kind: ObjectKind, whose: 'seen' | 'hidden', path: string, body: object): Promise<number> {
    const id = await this.#site.create(path, body);
    (whose === 'seen' ? this.#seen : this.#hidden)[kind].push(id);
    return id;
  }

  async makePlant(): Promise<void> {
    const { a, b } = { a: 'Station A', b: this.#secret() };
    await this.#site.ask('PUT', '/stations/1', { name: this.#isFirst ? a : b });
    const second = await this.#site.create('/stations', { name: this.#isFirst ? b : a });
    this.#stations = this.#isFirst ? { a: 1, b: second } : { a: second, b: 1 };
    this.#seen.station.push(this.#stations.a);
    this.#hidden.station.push(this.#stations.b);
    for (const [whose, stationId] of [
      ['seen', this.#stations.a],
      ['hidden', this.#stations.b],
    ] as const) {
      const named = () => (whose === 'seen' ? `of A ${this.#chance.int(0, 1_000_000)}` : this.#secret());
      await this.#make('dataServer', whose, '/dataservers', { name: named(), stationId });
      await this.#make('tagGroup', whose, '/taggroups', { name: named(), stationId });
    }
    const provider = { channel: 'voice', kind: 'simulator', order: 9 };
    await this.#make('provider', 'hidden', '/providers', { ...provider, name: this.#secret() });
    await this.#makePlaceholders();
    await this.#site.app.request('PUT', '/api/v1/media/shared.txt', { token: this.#site.token, body: 'shared' });
    this.#seen.media.push('shared.txt');
  }

  /** A caller of each station names a data server that does not exist, and has a request refused. */
  async #makePlaceholders(): Promise<void> {
    for (const [whose, stationId, path] of [
      ['seen', this.#stations.a, 'placed'],
      ['hidden', this.#stations.b, this.#secret()],
    ] as const) {
      const token = await this.#site.keyFor(['alarms:write', 'alarms:read'], [stationId]);
      const source = this.#site.as(token);
      const alarm = await source.alarms.send({ dataServerId: 900_000, path });
      const { dataServerId } = await source.alarms.get(alarm);
      const mine = whose === 'seen' ? this.#seen : this.#hidden;
      mine.dataServer.push(Number(dataServerId));
      await refuse(this.#site, { token, body: { path } });
      const [refused] = (await this.#site.list('/intake/refusals?sort=-id&limit=1')).items;
      mine.refusal.push(Number(refused?.id));
    }
  }

  async makePeople(): Promise<void> {
    const { a, b } = this.#stations;
    const hours = await this.#make('schedule', 'hidden', '/schedules', { name: this.#secret(), timeZone: 'UTC' });
    const number = (n: number) => voice(`+3312345${String(this.#chance.int(0, 9_000) + n).padStart(4, '0')}`);
    const free = await this.#make('user', 'seen', '/users', { name: 'free', numbers: [number(0)] });
    const both = await this.#make('user', 'seen', '/users', { name: 'both', stationIds: [a, b], numbers: [number(1)] });
    const ofB: number[] = [];
    for (const more of [
      {},
      { onDuty: false },
      { numbers: [] },
      { numbers: [voice(this.#secretNumber(), { valid: false })] },
    ]) {
      const numbers = [voice(this.#secretNumber(), { countTry: 2 }), sms(this.#secretNumber(), { scheduleId: hours })];
      const name = this.#secret();
      const body = { name, firstName: this.#secret(), stationIds: [b], numbers, ...more };
      ofB.push(await this.#make('user', 'hidden', '/users', body));
      this.#site.phoneOf(ofB.at(-1) ?? 0, name);
    }
    const ofA: number[] = [];
    for (const replacedById of [0, this.#chance.percent(50) ? ofB[0] : ofB[1]]) {
      const name = `ana ${ofA.length}`;
      ofA.push(
        await this.#make('user', 'seen', '/users', { name, stationIds: [a], numbers: [number(2)], replacedById }),
      );
    }
    this.#people = { a: [...ofA, free, both], b: ofB };
    this.#site.watchPhones(Object.fromEntries(this.#people.a.map((id) => [`person ${id}`, id])));
    const keyBody = { name: this.#secret(), scopes: ['alarms:read'], stationIds: [b], expiryTime: '2026-11-20' };
    const key = await this.#site.ask<{ id: number }>('POST', '/auth/keys', keyBody);
    this.#hidden.key.push(key.id);
    const [user] = await boundCallers(this.#site, 'supervisor', b, this.#secret());
    this.#escalating = user?.token ?? '';
    this.#hidden.session.push(user?.own.session ?? 0);
  }

  #some(ids: readonly number[]): readonly number[] {
    const chosen = ids.filter(() => this.#chance.percent(60));
    return chosen.length > 0 ? chosen : [this.#chance.pick(ids)];
  }

  /** Makes teams and schedules; those that a group of station A uses have no marker in their names. */
  async #makeTeams(): Promise<void> {
    const team = (whose: 'seen' | 'hidden', name: string, members: readonly number[]) =>
      this.#make('team', whose, '/teams', {
        name,
        members: members.map((userId, index) => ({ userId, relief: index > 1 && this.#chance.percent(40) })),
      });
    const { a, b } = this.#people;
    this.#teams = {
      a: await team('seen', 'A alone', this.#some(a)),
      b: await team('hidden', this.#secret(), b),
      mixed: await team('seen', 'mixed', [...this.#some(a), ...this.#some(b), b[0] ?? 0].filter(isFirstOf)),
      lent: await team('seen', 'lent', this.#some(b)),
      off: await team('seen', 'off duty', [b[1] ?? 0]),
    };
  }

  async #makeSchedules() {
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    const always = (teamId: number) => ({ teamId, days, from: '00:00', to: '24:00' });
    const override = (userId: number) => ({
      userId,
      from: '2026-11-01T00:00',
      to: '2026-12-01T00:00',
      reason: this.#secret(),
    });
    const schedule = (whose: 'seen' | 'hidden', name: string, body: object) =>
      this.#make('schedule', whose, '/schedules', { name, timeZone: 'UTC', ...body });
    const { a, b, mixed, lent } = this.#teams;
    const [first = 0] = this.#people.b;
    const own = await schedule('seen', 'of A', { weekly: [always(a), always(lent)], overrides: [override(first)] });
    const made = {
      own,
      shared: await schedule('seen', 'of both', { weekly: [always(mixed)], overrides: [override(first)] }),
      foreign: await schedule('hidden', this.#secret(), { weekly: [always(b)], overrides: [override(first)] }),
      teams: await schedule('seen', 'of teams', {
        rotations: [{ teamIds: [a, lent], every: '1d', handOver: '08:00', start: '2026-11-01' }],
      }),
    };
    for (const [whose, id] of [
      ['seen', made.own],
      ['hidden', made.foreign],
    ] as const) {
      await this.#site.ask('POST', `/schedules/${id}/swap`, override(first));
      const [plain, swapped] = (await this.#site.list(`/schedules/${id}/overrides`)).items;
      const ids = whose === 'seen' ? this.#seen : this.#hidden;
      ids.override.push(Number(plain?.id));
      ids.swap.push(Number(swapped?.swapId));
    }
    Object.assign(this.#ownerOf, { override: made.own, swap: made.own });
    return made;
  }

  async makeGroups(): Promise<void> {
    await this.#makeTeams();
    const schedules = await this.#makeSchedules();
    this.#sharedSchedule = schedules.shared;
    const { a, b } = this.#stations;
    const { a: teamA, b: teamB, mixed, lent, off } = this.#teams;
    const group = (whose: 'seen' | 'hidden', teamIds: readonly number[], more: object) => {
      const name = whose === 'seen' ? `A ${this.#chance.int(0, 1_000_000)}` : this.#secret();
      const names = whose === 'seen' ? {} : { fr: this.#secret() };
      const callMode = this.#chance.pick(['all', 'turn']);
      const body = { name, names, callMode, stationId: whose === 'seen' ? a : b, teamIds, ...more };
      return this.#make('callGroup', whose, '/callgroups', body);
    };
    const foreign = await group('hidden', [teamB, mixed], { callMode: 'all' });
    this.#groups = {
      b: [
        foreign,
        await group('hidden', [teamB], { scheduleId: schedules.foreign }),
        await group('hidden', [], { scheduleId: schedules.shared }),
      ],
      a: [
        await group('seen', [teamA, mixed, lent], { reliefGroupId: foreign, callMode: 'all' }),
        await group('seen', [lent], { scheduleId: schedules.own }),
        await group('seen', [], { scheduleId: schedules.shared }),
        await group('seen', [off], {}),
        await group('seen', [off], { reliefGroupId: foreign }),
        await group('seen', [], { scheduleId: schedules.teams }),
      ],
    };
    const body = { callGroupIds: [this.#groups.a[0], foreign] };
    const grouping = await this.#make('grouping', 'hidden', '/callgroupgroupings', {
      name: this.#secret(),
      stationId: b,
      ...body,
    });
    await this.#make('grouping', 'seen', '/callgroupgroupings', {
      name: 'A all',
      stationId: a,
      ...body,
      groupingIds: [grouping],
    });
  }

  async makeScenarios(): Promise<void> {
    const { a, b } = this.#stations;
    const [ofA = 0, ofB = 0] = [this.#groups.a[0], this.#groups.b[0]];
    const actions = (group: number, user: number) => ({
      alarmActions: [
        { type: 'CallGroup', id: group },
        { type: 'CallUser', id: user, parameter: '60' },
      ],
    });
    const [user = 0] = this.#people.b;
    const scenario = (whose: 'seen' | 'hidden', name: string, body: object) =>
      this.#make('scenario', whose, '/scenarios', { name, ...body });
    const own = await scenario('seen', 'of A', { stationId: a, ...actions(ofB, user) });
    const foreign = await scenario('hidden', this.#secret(), { stationId: b, ...actions(ofA, user) });
    const hidden = await scenario('hidden', this.#secret(), actions(ofB, user));
    const mixed = await scenario('seen', 'of both', actions(ofB, this.#people.a[0] ?? 0));
    await scenario('seen', 'of nobody', { alarmActions: [{ type: 'PlaySound', parameter: 'shared.txt' }] });
    const attach = async (kind: 'tagGroup', whose: 'seen' | 'hidden', path: string, scenarioIds: readonly number[]) => {
      const id = (whose === 'seen' ? this.#seen : this.#hidden)[kind][0];
      const { name, stationId } = await this.#site.ask('GET', `${path}/${id}`);
      await this.#site.ask('PUT', `${path}/${id}`, { name, stationId, scenarioIds });
    };
    await attach('tagGroup', 'seen', '/taggroups', [own, mixed]);
    await attach('tagGroup', 'hidden', '/taggroups', [foreign, hidden, mixed]);
  }

  #body(whose: 'seen' | 'hidden', calls: readonly object[]): object {
    const secret = () => (whose === 'seen' ? `text ${this.#chance.int(0, 1_000_000)}` : this.#secret());
    return {
      path: secret(),
      alarmMessage: secret(),
      alarmShortMessage: secret(),
      resetMessage: secret(),
      value: secret(),
      names: { fr: secret() },
      priority: this.#chance.int(1, 4),
      dataServerId: (whose === 'seen' ? this.#seen : this.#hidden).dataServer[0],
      alarmActions: calls,
    };
  }

  /** Raises alarms of both stations, whose calls reach people and groups of the other. */
  async raiseAlarms(): Promise<void> {
    const group = (id = 0) => ({ type: 'CallGroup', id });
    const user = (id = 0) => ({ type: 'CallUser', id });
    const { a, b } = this.#groups;
    const raise = (whose: 'seen' | 'hidden', calls: readonly object[], more: object = {}) =>
      this.#make('alarm', whose, '/alarms', { ...this.#body(whose, calls), ...more });
    await raise('seen', [group(a[0]), user(this.#people.b[0])], { priority: 1, tagGroupId: this.#seen.tagGroup[0] });
    const tied = await raise('seen', [group(a[1])], { tagGroupId: this.#hidden.tagGroup[0] });
    await this.#site.ask('PUT', `/alarms/${tied}/scenarios`, { scenarioIds: this.#hidden.scenario.slice(0, 1) });
    for (const id of a.slice(2)) await raise('seen', [group(id)]);
    await raise('seen', [group(b[0]), user(this.#people.b[2])]);
    await raise('hidden', [group(b[0])], { tagGroupId: this.#hidden.tagGroup[0] });
    await raise('hidden', [group(a[0])]);
    for (const id of b.slice(1)) await raise('hidden', [group(id), { type: 'PlaySound', parameter: this.#secret() }]);
    await this.#site.settle();
  }

  /** Lets people of station B take alarms of both, and time pass, so that there are histories of every kind. */
  async letTimePass(): Promise<void> {
    const [first = 0] = this.#people.b;
    const [own = 0] = this.#seen.alarm as readonly number[];
    const [foreign = 0, joined = 0, third = 0] = this.#hidden.alarm as readonly number[];
    await this.#site.as(this.#escalating).request('POST', `/alarms/${joined}/escalate`);
    await this.#site.settle();
    await this.#site.phoneOf(first, 'the first of B').takes();
    await this.#site.ask('POST', `/alarms/${own}/acknowledge`).catch(() => undefined);
    await this.#site.ask('POST', `/alarms/${foreign}/comments`, { comment: this.#secret() });
    await this.#site.ask('POST', `/alarms/${third}/mask`, { until: '2026-11-15T20:00:00Z', reason: this.#secret() });
    const message = { userIds: this.#people.b, msgText: this.#secret() };
    for (const caller of [this.#site, this.#site.as(this.#escalating)])
      await caller.ask('POST', '/call/users', message);
    await this.#site.ask('POST', `/callgroups/${this.#groups.a[0]}/drill`, {});
    await this.#site.advance('3m');
    await this.#site.ask('POST', `/alarms/${foreign}/acknowledge`, { comment: this.#secret() });
    await this.#site.advance('10m');
    await this.#holdDrills();
    await this.#noteOccurrences();
  }

  async #noteOccurrences(): Promise<void> {
    for (const [stationId, ids] of [
      [this.#stations.a, this.#seen.occurrence],
      [this.#stations.b, this.#hidden.occurrence],
    ] as const) {
      const { items } = await this.#site.list(`/alarms/histories?stationId=${stationId}&limit=1000`);
      ids.push(...items.map(({ id }) => Number(id)));
    }
  }

  /** Calls a group of each station, so that there are calls under way. */
  async #holdDrills(): Promise<void> {
    const drilled = { seen: this.#groups.a[0], hidden: this.#groups.b[1] };
    for (const id of Object.values(drilled)) await this.#site.ask('POST', `/callgroups/${id}/drill`, {});
    await this.#site.settle();
    const { items } = await this.#site.list('/calls?limit=1000');
    const callOf = (group: unknown): number => Number(items.find(({ callGroupId }) => callGroupId === group)?.id);
    this.#seen.call.push(callOf(drilled.seen));
    this.#hidden.call.push(callOf(drilled.hidden));
  }
}

function noIds(): Record<ObjectKind, (number | string)[]> {
  const ids: Partial<Record<ObjectKind, (number | string)[]>> = {};
  for (const kind of objectKinds) ids[kind] = [];
  return ids as Record<ObjectKind, (number | string)[]>;
}

function isFirstOf(id: number, index: number, ids: readonly number[]): boolean {
  return ids.indexOf(id) === index;
}
