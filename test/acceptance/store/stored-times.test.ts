// Every stored time is of one kind, civil or a duration: the table of them is complete, and when the clock is set, the durations
// of what waits move with it while everything else stays.

import assert from 'node:assert/strict';
import { schema } from '../../../src/migrations/schema.ts';
import { beginPurge } from '../../../src/operations/system/purge-pace.ts';
import { probeStore } from '../../../src/operations/system/store-probe.ts';
import {
  storedDurations,
  storedTimes,
  type TimeKind,
  timesOfMeta,
} from '../../../src/operations/system/stored-times.ts';
import type { TableName } from '../../../src/store/tables.ts';
import { freshStore } from '../../harness/site/app.ts';
import { keepClock } from '../../harness/site/kept-clock.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { executeSql } from '../../harness/stores/execute-sql.ts';
import { type TableReader, tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const hour = 3_600_000;
const day = 24 * hour;

const tableNames: readonly TableName[] = schema.tables as readonly TableName[];

const timesOf = (table: TableName): Readonly<Record<string, TimeKind>> => storedTimes[table] ?? {};

/** Integers that are no times: references (`up_to` is one), flags, and these counts, lengths and choices. */
const noTimes = new Set(
  `id position last replaced_by moved_to virtual on_duty valid verified final ack_auto_default locked relief built_in place
  priority priority_from priority_to  state status code num answer size body_length lines per_second per_day
  cost_micros count_try count_ack time_to_retry time_to_ack time_to_take tells_taken tells_back discard_when_nobody
  occurrences entries nth active_ms active_before longest_gap level part step round tries attempts attempt unanswered
  rounds_in_vain acted_priority version attempts_from counts retry_after_ms was_reached reaction_ms interventions intervention_ms finished usual_ms failures wrong_codes sends
  warned_days placeholder_number exit_code seed moves done up_to`.split(/\s+/),
);
const isReferenceOrFlag = (column: string): boolean => /_id$|^(?:is|has)_/.test(column);

type Column = { readonly table: TableName; readonly column: string };

async function integerColumns(tables: TableReader, kind: string): Promise<readonly Column[]> {
  const found = tableNames.map(async (table) => {
    const sql =
      kind === 'sqlite'
        ? `select name, type from pragma_table_info('${table}')`
        : `select column_name as name, data_type as type from information_schema.columns
            where table_schema = current_schema() and table_name = '${table}'`;
    const columns = (await tables.select(sql)) as readonly { name: string; type: string }[];
    assert.ok(columns.length > 0, table);
    return columns.filter(({ type }) => /int/i.test(type)).map(({ name }) => ({ table, column: name }));
  });
  return (await Promise.all(found)).flat();
}

testOnStores('every time that a table holds is listed as civil or as a duration', async (t, kind) => {
  const site = await startSite(t, kind);
  const tables = await tablesOf(site.app.environment);
  const columns = await integerColumns(tables, kind).finally(() => tables.close());
  const unlisted = columns.filter(
    ({ table, column }) => timesOf(table)[column] === undefined && !isReferenceOrFlag(column) && !noTimes.has(column),
  );
  assert.deepEqual(unlisted, [], 'say in src/operations/system/stored-times.ts which kind of time it is');
  const listed = tableNames.flatMap((table) => Object.keys(timesOf(table)).map((column) => ({ table, column })));
  const isThere = (one: Column): boolean => columns.some((it) => it.table === one.table && it.column === one.column);
  assert.deepEqual(
    listed.filter((one) => !isThere(one)),
    [],
  );
  assert.deepEqual(
    listed.filter(({ column }) => noTimes.has(column)),
    [],
  );
});

/** The fields of a value that hold a time of these years, as `forwards.at`; numbers of lists and names of nodes are left out. */
function timesIn(value: unknown): readonly string[] {
  if (typeof value === 'number') return value > Date.UTC(2020) && value < Date.UTC(2050) ? [''] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isField = !Array.isArray(value) && /^[a-zA-Z]+$/.test(name);
    return timesIn(inner).map((rest) => [isField ? name : '', rest].filter(Boolean).join('.'));
  });
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

testOnAnyStore('every time in a row of meta is listed as civil or as a duration', async (t, kind) => {
  const { TOCSIN_DATA_DIR: folder = '' } = await freshStore(t, 'sqlite');
  const site = await startSite(t, kind, { overrides: { TOCSIN_BACKUP_DIR: folder, TOCSIN_NODE_NAME: '1' } });
  await site.ask('PUT', '/callpolicy', { priorities: [], handOverNotices: true });
  const team = await site.team('Night', [await site.person('ana')]);
  const weekly = [{ teamId: team, days: ['mon'], from: '06:00', to: '14:00' }];
  const scheduleId = await site.create('/schedules', { name: 'Shifts', timeZone: 'UTC', weekly });
  await site.group('Pumps', [], { scheduleId });
  const flapping = { path: 'Door', alarmMessage: 'Open', eventCondition: { transitory: true } };
  const [door] = await site.ask<number[]>('POST', '/alarms/batch', Array(20).fill(flapping));
  await site.ask('POST', `/alarms/${door}/acknowledge`, {});
  await site.app.poll();
  await site.app.store.write(beginPurge, { startedAt: site.app.clock.now() });
  await site.app.store.write(probeStore, {});
  await executeSql(site.app, `insert into meta (key, value) values ('set-aside/alarm/77', '${site.app.clock.now()}')`);
  await stepped(site, hour);
  const tables = await tablesOf(site.app.environment);
  const rows = (await tables.select('select key, value from meta')) as { key: string; value: string }[];
  await tables.close();
  const found = rows.flatMap(({ key, value }) =>
    timesIn(asJson(value)).map((field) => [key.replace(/\/.*/, '/'), field] as const),
  );
  const shown = new Set(found.map(([key, field]) => `${key} ${field}`));
  // On SQLite there is one server, which needs no lease for deciding on calls.
  const keys = Object.entries(timesOfMeta).filter(([key]) => kind !== 'sqlite' || key !== 'calling-lease');
  const listed = keys.flatMap(([key, fields]) => Object.keys(fields).map((field) => `${key} ${field}`));
  assert.deepEqual([...shown].toSorted(), listed.toSorted(), 'say in src/operations/system/stored-times.ts');
});

/** Makes a row that waits in every table with a duration, all durations a day ahead, so that nothing becomes due. */
async function fillWaits(site: Site, at: number): Promise<void> {
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  await ana.isCalled();
  await site.alarms.send({ path: 'delayed', alarmMessage: 'Delayed', alarmDelay: 60 });
  await site.app.request('POST', '/api/v1/auth/login', {
    body: { grant_type: 'password', username: 'ana', password: 'a wrong guess' },
  });
  const inserts = [
    `insert into nodes (id, address, seen_at) values ('other', 'http://127.0.0.1:1', ${at})`,
    `insert into provider_health (provider_id, state, since, failures, probe_at, reason)
      select min(id), 'up', 1, 0, ${at}, '' from providers`,
    `insert into provider_leases (provider_id, node, until) select min(id), 'other', ${at} from providers`,
    `insert into number_verifications (number_id, user_id, channel, address, code_hash, sent_at, wrong_codes, sends,
      sends_since) values (77, 1, 'sms', '+331', '', ${at}, 0, 1, ${at})`,
    `insert into call_causes (kind, list, target_kind, target_id, station_id, priority, is_transitory, text, short_text,
      created_at, due_at, state) values ('alarm', 'alarm', 'group', ${group}, 1, 1, 0, '', '', 1, ${at}, 'open')`,
    `insert into command_runs (alarm_id, alarm_path, station_id, script_id, parameter, state, created_at, detail)
      values (1, '', 1, 1, '', 'started', ${at}, '')`,
    `insert into source_reports (source, last_at, gaps, silent_at, is_silent, has_alarm)
      values ('server:77', ${at}, '{}', ${at}, 0, 0)`,
    `insert into demo_plants (id, state, step, done, seed, time_zone, made_by, made_at, moves, next_move_at)
      values (1, 'ready', '', 0, 1, 'UTC', 'admin', 1, 0, ${at})`,
    `insert into meta (key, value) values ('set-aside/alarm/77', '${at}')`,
  ];
  const updates = storedDurations().flatMap(({ table, columns }) =>
    ofOthers.has(table) ? [] : [`update ${table} set ${columns.map((column) => `${column} = ${at}`).join(', ')}`],
  );
  await executeSql(site.app, [...inserts, ...updates].join(';\n'));
}

/** The server itself writes these meanwhile, apart from the rows inserted above. */
const ofOthers: ReadonlySet<string> = new Set(['nodes', 'provider_health', 'provider_leases']);

const keys: Readonly<Record<string, string>> = {
  number_verifications: 'number_id',
  provider_health: 'provider_id',
  provider_leases: 'provider_id',
  source_reports: 'source',
};

/** A cause whose calling is over waits no more, and the server renews the time of its own node. */
const isLeftOut = (table: TableName, row: Readonly<Record<string, unknown>>): boolean =>
  (table === 'call_causes' && row.state !== 'open') || (table === 'nodes' && row.id !== 'other');

/** The stored times by table, row and column. */
async function readTimes(tables: TableReader): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const { table } of storedDurations())
    for (const row of (await tables.select(`select * from ${table}`)) as Record<string, unknown>[]) {
      if (isLeftOut(table, row)) continue;
      const key = row[keys[table] ?? 'id'];
      for (const column of Object.keys(timesOf(table)))
        if (row[column] !== null) found.set(`${table} ${key} ${column}`, Number(row[column]));
    }
  const setAside = await tables.select(`select value from meta where key like 'set-aside/%'`);
  for (const { value } of setAside as { value: string }[]) found.set('meta 77 until', Number(value));
  return found;
}

async function stepped(site: Site, byMs: number) {
  const tables = await tablesOf(site.app.environment);
  await using keeper = await keepClock(site);
  const before = await readTimes(tables);
  await keeper.setClock(byMs);
  const [entry] = await until(
    async () => (await site.list('/journal?kind=clock.stepped')).items,
    (items) => items.length > 0,
  );
  const forwardMs = (entry?.after as { readonly forwardMs?: number } | undefined)?.forwardMs ?? Number.NaN;
  const after = await readTimes(tables).finally(() => tables.close());
  return { before, after, forwardMs };
}

const isDuration = (name: string): boolean => {
  const [table = '', , column = ''] = name.split(' ');
  return table === 'meta' || timesOf(table as TableName)[column] === 'duration';
};

for (const [name, byMs] of [
  ['ahead', hour],
  ['back', -hour],
] as const)
  testOnStores(`when the clock is set ${name} by an hour, every wait lasts as long as before`, async (t, kind) => {
    const site = await startSite(t, kind);
    const at = site.app.clock.now() + day;
    await fillWaits(site, at);
    const { before, after, forwardMs } = await stepped(site, byMs);
    assert.ok(byMs > 0 ? forwardMs > hour - 2_000 : forwardMs === 0);
    const expected = new Map([...before].map(([key, time]) => [key, time + (isDuration(key) ? forwardMs : 0)]));
    assert.deepEqual(new Map([...after].filter(([key]) => before.has(key))), expected);
    const seen = new Set([...before.keys()].map((key) => key.replace(/ .* /, ' ')));
    const unseen = storedDurations().flatMap(({ table, columns }) =>
      columns.map((column) => `${table} ${column}`).filter((column) => !seen.has(column)),
    );
    assert.deepEqual(unseen, [], 'durations that no row of this test has');
    await site.expectWhatRings();
  });

testOnAnyStore('when the clock is set ahead, a simulated phone rings on for its half minute', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  const state = async () => (await ana.messages())[0]?.state;
  await until(state, (is) => is === 'ringing');
  await stepped(site, hour);
  site.app.clock.advance(25_000);
  await site.app.poll();
  assert.equal(await state(), 'ringing');
  site.app.clock.advance(5_000);
  await site.app.poll();
  await until(state, (is) => is !== 'ringing');
  await site.expectWhatRings();
});

testOnStores('when the clock is set ahead, a mask ends at its time and not later', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'delayed', alarmMessage: 'Delayed', alarmDelay: 7_200 });
  const masked = site.app.clock.now() + 2.5 * hour;
  await site.ask('POST', `/alarms/${id}/mask`, { until: new Date(masked).toISOString(), reason: 'works' });
  const { after, forwardMs } = await stepped(site, hour);
  assert.ok(forwardMs > hour - 2_000);
  assert.deepEqual([after.get(`alarms ${id} next_due`), after.get(`alarms ${id} mask_until`)], [masked, masked]);
  await site.expectWhatRings();
});
