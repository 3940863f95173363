// Stores that earlier versions left with calls under way: this version opens them, keeps every row and continues the calls.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { openStore } from '../../../src/open-store.ts';
import { noThreads } from '../../harness/server/built-server.ts';
import { startOn } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { Site } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import type { Person } from '../../harness/site/site-phones.ts';
import { isSoak } from '../../harness/soak.ts';
import { type StoreName, storesUnderTest } from '../../harness/stores/stores.ts';
import { pin } from '../../harness/upgrade/upgrade-calls.ts';
import {
  type Attempt,
  everyRow,
  type Rows,
  readExpected,
  restoreFixture,
  unattendedAttempts,
  upgradeFixtures,
} from '../../harness/upgrade/upgrade-fixture.ts';
import { operator, sendOnce } from '../../harness/upgrade/upgrade-site.ts';

type Changes = {
  /** Columns, as `table.column`, whose values a migration has rewritten. Columns that it has dropped need not be named. */
  readonly columns: readonly string[];
  /** Fields of responses that are printed differently. */
  readonly fields: readonly string[];
};

/** Schema 19 moved system alarms to data servers of their own, which `/dataservers` lists in addition. */
const systemServers = {
  columns: ['alarms.data_server_id', 'alarms.name', 'alarms.series_id', 'history_series.ended_at'],
  fields: ['dataServerId', 'fullPath', 'system'],
};
const beforeSystemServers: ReadonlySet<string> = new Set(['0.1.0-first-build', '0.1.0-schema-14', '0.1.0-schema-18']);

/**
 * Schema 20 gave users a last name, a display name and, without another number, a stored simulated phone; and made rows with ids
 * of the overrides of schedules, whose rotations may have hours.
 */
const people = {
  columns: ['schedules.definition', 'call_cycles.number_id', 'call_attempts.number_id'],
  fields: ['lastName', 'displayName', 'swapId'],
};
const calling = {
  columns: [],
  fields: ['priorities', 'timeToTake', 'outcome', 'acknowledged', 'ahead', 'hasMore', 'ringTime'],
};

/** Schema 22 gave numbers follow-ups and users identities. */
const notices = { columns: [], fields: ['followUps', 'identities'] };

/** Schema 23 gave attempts a provider. */
const providers = { columns: [], fields: ['provider'] };

/** After schema 26 definitions of alarms got texts for people, and the full view the condition. */
const fullView = { columns: [], fields: ['consequence', 'instructions', 'eventCondition'] };

/**
 * After schema 29 readiness names those who could not be reached; after 33 schedules show the dates of their calendar; after 36
 * the reasons of duties have codes.
 */
const onCall = {
  columns: [],
  fields: ['unreachable', 'insteadGroupId', 'icalDates', 'viaCode', 'nobodyCode', 'reasonCodes'],
};

function together(...changes: readonly Changes[]): Changes {
  return {
    columns: changes.flatMap(({ columns }) => columns),
    fields: changes.flatMap(({ fields }) => fields),
  };
}

/**
 * Schema 38 made an escalation of each cause: what calls under way wait for is decided anew, and an attempt names all alarms it was
 * for, and says how it stands itself.
 */
const escalations = {
  columns: ['call_causes.ended_at', 'call_causes.ended_by', 'call_causes.end_reason'],
  fields: ['calls', 'status', 'alarmIds', 'announcedAlarmIds'],
};
const droppedTables: ReadonlySet<string> = new Set(['calls', 'call_cycles']);

/** Intended changes since each fixture was made. */
const changesSince: Readonly<Record<string, Changes>> = {
  '0.1.0-first-build': together(systemServers, people, calling, notices, providers, fullView, onCall, escalations, {
    // Schema 14 replaced texts with codes.
    columns: ['phone_messages.script', 'phone_messages.outcome'],
    fields: [],
  }),
  '0.1.0-schema-14': together(systemServers, people, calling, notices, providers, fullView, onCall, escalations),
  '0.1.0-schema-18': together(systemServers, people, calling, notices, providers, fullView, onCall, escalations),
  '0.1.0-schema-19': together(people, calling, notices, providers, fullView, onCall, escalations),
  '0.1.0-schema-21': together(notices, providers, fullView, onCall, escalations),
  '0.1.0-schema-23': together(fullView, onCall, escalations),
  '0.1.0-schema-37': escalations,
};

/** Waits until this node has taken over the open attempts: on PostgreSQL it does so when the old node's leases expire. */
async function takeOver(site: Site): Promise<void> {
  site.app.clock.advance(11_000);
  await site.settle();
}

async function open(t: TestContext, label: string, kind: StoreName) {
  const expected = await readExpected(label, kind);
  const environment = { ...(await restoreFixture(t, label, kind)), ...expected.settings };
  const app = await startOn(t, environment, fakeClock(expected.clock), false, {}, noThreads);
  // This session was started by the old version.
  const site = new Site(t, app, expected.tokens.admin);
  site.watchPhones(expected.people);
  const person = (name: string): Person => site.phoneOf(expected.people[name] ?? 0, name);
  const alarmOf = (name: string): Promise<Row> => site.alarms.get(expected.alarms[name] ?? 0);
  return { expected, app, site, person, alarmOf };
}

/** The reason of the next attempt, which the engine derives from what the earlier version stored. */
const whyAgain: Readonly<Record<string, string>> = {
  dan: 'asked to be called later',
  cleo: 'the call before was not answered',
  finn: 'round 2 of calling begins',
};

/** The detail of the newest call history row of the person: while the phone rings, why it was called. */
async function whyCalled(site: Site, name: string): Promise<unknown> {
  return (await site.callHistories()).findLast(({ user }) => user === name)?.detail;
}

/** Opens the store as a server does, which runs the migrations, and closes it before any other code changes rows. */
async function migrate(environment: Readonly<Record<string, string>>, now: number): Promise<void> {
  const fail = (trouble: unknown): void => assert.fail(String(trouble));
  const store = await openStore(readConfig(environment), {
    clock: fakeClock(now),
    startStoreWorker: noThreads,
    exclusive: true,
    schemaChange: 'make-or-upgrade',
    onTrouble: fail,
    onNotice: () => {},
    onBroken: fail,
  });
  await store.close();
}

/** Rows as JSON, with only the columns that exist before and after, so that added and dropped columns do not matter. */
function comparable(table: string, rows: Rows, other: Rows, without: readonly string[]): readonly string[] {
  const kept = rows.get(table) ?? [];
  const present = Object.keys(other.get(table)?.[0] ?? {});
  return kept.map((row) =>
    JSON.stringify(
      Object.entries(row)
        .filter(([column]) => present.includes(column) && !without.includes(`${table}.${column}`))
        .sort(([one], [two]) => (one < two ? -1 : 1)),
    ),
  );
}

function lostRows(before: Rows, after: Rows, without: readonly string[]): readonly string[] {
  return [...before.keys()].flatMap((table) => {
    if (droppedTables.has(table)) return [];
    const left = Map.groupBy(comparable(table, after, before, without), (row) => row);
    return comparable(table, before, after, without)
      .filter((row) => left.get(row)?.pop() === undefined)
      .map((row) => `${table} ${row}`);
  });
}

/** The response without the fields that were changed on purpose. */
function withoutFields(body: unknown, fields: readonly string[]): unknown {
  return JSON.parse(JSON.stringify(body, (key, value) => (fields.includes(key) ? undefined : value)));
}

/** The response without the data servers that the migration added. */
function withoutNewServers(label: string, path: string, body: unknown): unknown {
  if (path !== '/dataservers' || !beforeSystemServers.has(label)) return body;
  const { items, paging } = body as { items: readonly Row[]; paging: { total: number } };
  const kept = items.filter(({ system }) => system !== true);
  return { items: kept, paging: { ...paging, total: paging.total - (items.length - kept.length) } };
}

/**
 * People whose next call the rules of schema 38 plan otherwise: the last resort is called for the alarm itself, a number rests
 * after a ring for another alarm, and a conversation that was cut off is repeated when the number has rested.
 */
const plannedAnew: ReadonlySet<string> = new Set(['admin', 'eve', 'gina', 'una']);

/** The fixtures made before the pauses between rounds grew, and before only taking an alarm stopped the way up. */
const beforeWayUp: ReadonlySet<string> = new Set([
  '0.1.0-first-build',
  '0.1.0-schema-14',
  '0.1.0-schema-18',
  '0.1.0-schema-19',
]);

/** Who is called when, but for people who are planned anew. */
function timesOf(attempts: readonly Attempt[]): readonly string[] {
  return attempts
    .filter(({ user }) => !plannedAnew.has(user))
    .map(({ user, startTime, address }) => `${user} ${startTime} ${address}`)
    .toSorted();
}

/** The first attempt for each person. */
function nextOfEach(rows: readonly Attempt[]): readonly Attempt[] {
  return [...Map.groupBy(rows, ({ user }) => user).values()].flatMap(([first]) => first ?? []);
}

/**
 * Without what the engine did when it looked at the calls under way: calls that began, and alarms of Tocsin's own that somebody
 * cannot be called, which are raised anew, or that the node that stopped had other scripts.
 */
function withoutDecisions(path: string, body: unknown, since: number): unknown {
  const isBefore = ({ time, startTime }: Row): boolean => Date.parse(String(time ?? startTime)) < since;
  if (path.startsWith('/call/histories')) return { items: (body as { items: readonly Row[] }).items.filter(isBefore) };
  if (Array.isArray(body) && /phones|timeline/.test(path)) return (body as readonly Row[]).filter(isBefore);
  if (!path.startsWith('/alarms') || Array.isArray(body)) return body;
  const { items, paging } = body as { items: readonly Row[]; paging: { total: number } };
  const kept = items.filter(
    ({ tagName, path: ofTag }) => !/nobody-(on-call|took-it)|scripts-differ/.test(String(tagName ?? ofTag)),
  );
  return { items: kept, paging: { ...paging, total: paging.total - (items.length - kept.length) } };
}

function withoutStandIns({ items, paging }: { items: readonly Row[]; paging: object }): unknown {
  const numbersOf = ({ numbers }: Row) => (numbers as readonly Row[]).filter(({ channel }) => channel !== 'simulator');
  return { items: items.map((user) => ({ ...user, numbers: numbersOf(user) })), paging };
}

/** The response without stand-in numbers, ids of overrides, hours of rotations, and priorities, occurrences and texts of attempts. */
function withoutNewParts(path: string, body: unknown): unknown {
  if (path === '/users') return withoutStandIns(body as { items: readonly Row[]; paging: object });
  const { items, paging } = body as { items: readonly Row[]; paging: object };
  if (path.startsWith('/call/histories'))
    return items.map(({ priority: _, occurrenceId: __, text: ___, ...attempt }) => attempt);
  if (path !== '/schedules') return body;
  const overridesOf = ({ overrides }: Row) => (overrides as readonly Row[]).map(({ id: _, ...override }) => override);
  const rotationsOf = ({ rotations }: Row) =>
    (rotations as readonly Row[]).map(({ days: _, from: __, to: ___, ...rotation }) => rotation);
  const plain = (schedule: Row) => ({
    ...schedule,
    overrides: overridesOf(schedule),
    rotations: rotationsOf(schedule),
  });
  return { items: items.map(plain), paging };
}

const labels = await upgradeFixtures();

test('every fixture has an entry in changesSince, and every entry a fixture', () => {
  assert.deepEqual(labels, Object.keys(changesSince).toSorted());
});

for (const label of labels) {
  const isNewest = label === labels.at(-1);
  /** On PostgreSQL only the newest fixture by default: each takes twice as long there. */
  const kinds = storesUnderTest().filter((kind) => isSoak || isNewest || kind === 'sqlite');
  const testOnStores = (name: string, run: (t: TestContext, kind: StoreName) => Promise<void>): void => {
    for (const kind of kinds) test(`${kind}: ${name}`, (t) => run(t, kind));
  };

  testOnStores(`the migrations keep every row of ${label}`, async (t, kind) => {
    const expected = await readExpected(label, kind);
    const environment = await restoreFixture(t, label, kind);
    const before = await everyRow(environment);
    for (const [table, count] of Object.entries(expected.rows))
      assert.equal(before.get(table)?.length, count, `rows of ${table} in the fixture`);
    await migrate(environment, expected.clock);
    assert.deepEqual(lostRows(before, await everyRow(environment), changesSince[label]?.columns ?? []), []);
  });

  testOnStores(`a server on a store of ${label} returns the same responses`, async (t, kind) => {
    const { expected, app, site } = await open(t, label, kind);
    const fields = changesSince[label]?.fields ?? [];
    for (const [path, answer] of Object.entries(expected.answers)) {
      const now = await site.ask<unknown>('GET', path);
      assert.deepEqual(
        withoutFields(
          withoutNewParts(path, withoutDecisions(path, withoutNewServers(label, path, now), expected.clock)),
          fields,
        ),
        withoutFields(withoutNewParts(path, withoutDecisions(path, answer, expected.clock)), fields),
        `${path} answers differently; name a field that changed on purpose in changesSince`,
      );
    }
    const { tokens } = expected;
    for (const token of [tokens.operator, tokens.key, await app.signIn(operator.name, operator.password)])
      assert.equal((await app.request('GET', '/api/v1/alarms', { token })).status, 200);
    const histories = await site.ask<{ paging: { total: number } }>('GET', '/alarms/histories');
    const again = await sendOnce(app, tokens.key);
    assert.equal((await site.alarms.get(again.body as number)).path, 'State/once');
    assert.deepEqual(await site.ask('GET', '/alarms/histories'), histories, 'the repetition raised nothing');
  });

  // The calls of the oldest store pass through the same migrations as those of the ones between, which follow in the soak.
  if (!isSoak && !isNewest && label !== labels[0]) continue;

  testOnStores(`unanswered calls of ${label} continue with the same people at the same times`, async (t, kind) => {
    const { expected, site } = await open(t, label, kind);
    const attempts = await unattendedAttempts(site);
    const isFromBefore = beforeWayUp.has(label);
    const made = timesOf(attempts);
    const planned = timesOf(isFromBefore ? nextOfEach(expected.unattended) : expected.unattended);
    assert.deepEqual(
      planned.filter((line) => !made.includes(line)),
      [],
      'planned by the version before and not made',
    );
    // Finn is told once in a while how many alarms wait, as calls to him are held back.
    const others = made.filter((line) => !planned.includes(line) && !line.startsWith('finn '));
    assert.deepEqual(isFromBefore ? [] : others, [], 'made and not planned by the version before');
    for (const name of plannedAnew) assert.ok(attempts.some(({ user }) => user === name) || isFromBefore, name);
  });

  testOnStores(`phones that rang under ${label} can be answered, and its texts replied to`, async (t, kind) => {
    const { expected, site, person, alarmOf } = await open(t, label, kind);
    await takeOver(site);
    const [ana, bo, eve, paul, vera] = ['ana', 'bo', 'eve', 'paul', 'vera'].map(person) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ];
    await ana.isCalled(/^ana is needed$/);
    await ana.takes();
    assert.equal((await alarmOf('ana')).ackUser, 'ana');
    await bo.isNotCalled();

    // Her phone rang for one alarm; the other joins the call when it is answered.
    await eve.isCalled(/^eve is needed$/);
    await eve.answers('1', '1', '1');
    for (const name of ['eve', 'eve again']) assert.equal((await alarmOf(name)).ackUser, 'eve');

    await paul.isCalled(/^Bring the key$/);
    await paul.hears();
    await vera.isCalled(/test call/);
    await vera.hears();
    for (const one of [eve, paul, vera]) await one.isNotCalled();

    assert.equal(await person('una').press('1'), 'You have taken it. Thank you.');
    assert.equal((await alarmOf('una')).ackUser, 'una');
    const iris = person('iris');
    assert.equal(await iris.texts((await iris.hasText(/^iris is needed/)).code), 'You have taken it. Thank you.');
    assert.equal((await alarmOf('iris')).ackUser, 'iris');
    const yan = person('yan');
    assert.equal(
      await yan.texts(`2 ${(await yan.hasText(/and 2 more\n/)).code}`),
      'Heard. Others are still being called.',
    );
    const sent = (await yan.messages()).filter(({ direction }) => direction === 'to');
    assert.equal(sent.length, 1, 'the two alarms that were only counted are heard as well');

    // The first number of hugo stays locked, tara is next in turn, and jack is called for the alarm he has not heard alone.
    const groupOf = (name: string): number => expected.groups[name] ?? 0;
    await site.alarms.raise(groupOf('hugo'), { path: 'hugo' });
    assert.equal((await person('hugo').isCalled()).address, '+33600000001');
    await site.alarms.raise(groupOf('turn'), { path: 'turn' });
    await person('tara').isCalled();
    await person('toni').isNotCalled();
    await site.alarms.raise(groupOf('leo'), { path: 'leo', alarmMessage: 'leo is needed again' });
    await person('jack').isCalled(/^leo is needed again$/);
  });

  testOnStores(`a third wrong PIN after two under ${label} locks the number`, async (t, kind) => {
    const { expected, site, person, alarmOf } = await open(t, label, kind);
    await takeOver(site);
    const gina = person('gina');
    assert.equal(await gina.press('3#'), 'That PIN is wrong. Goodbye.');
    assert.equal((await gina.isCalled()).address, '+33600000007');
    await gina.answers('1', `${pin}#`, '1');
    assert.equal((await alarmOf('gina')).ackUser, 'gina');
    await site.alarms.raise(expected.groups.gina ?? 0, { path: 'gina' });
    assert.equal((await gina.isCalled()).address, '+33600000007');
    await gina.answers('1', `${pin}#`, '1');
    await site.advance('15m');
    await site.alarms.raise(expected.groups.gina ?? 0, { path: 'gina later' });
    assert.equal((await gina.isCalled()).address, '+33100000007');
  });

  testOnStores(
    `people with a pending call of ${label} are called at its planned time and can take the alarm`,
    async (t, kind) => {
      const { expected, site, person, alarmOf } = await open(t, label, kind);
      const waiting = ['dan', 'mia', 'cleo', 'leo', 'rosa', 'finn', 'nora', 'otto'];
      const due = Map.groupBy(waiting, (name) => expected.due[name] ?? 0);
      assert.ok(due.size >= 5 && !due.has(0), 'the fixture says when each of them is due');
      await takeOver(site);
      const others = Object.keys(expected.alarms).filter((name) => !waiting.includes(name));
      await site.ask('POST', '/alarms/acknowledge', { ids: others.map((name) => expected.alarms[name]) });
      for (const [at, names] of [...due].sort(([one], [two]) => one - two)) {
        await site.advance(`${(at - site.app.clock.now()) / 1000 - 1}s`);
        for (const name of names) await person(name).isNotCalled();
        await site.advance('1s');
        for (const name of names) {
          await person(name).isCalled(new RegExp(`${name} is needed`));
          if (name in whyAgain) assert.equal(await whyCalled(site, name), whyAgain[name], name);
          await person(name).takes();
          assert.equal((await alarmOf(name)).ackUser, name);
        }
      }
      for (const name of [...waiting, 'jack', 'kim', 'quin']) await person(name).isNotCalled();
    },
  );
}
