// Tests that every statement declares exactly the tables SQLite opens to execute it: caches of rows depend on it.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { systemCaller } from '../src/domain/access/access.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { alarmCache } from '../src/operations/alarms/cache.ts';
import { countAlarms } from '../src/operations/alarms/lists/count-alarms.ts';
import { listAlarms } from '../src/operations/alarms/lists/list-alarms.ts';
import { listJournal } from '../src/operations/audit/list-journal.ts';
import { listCallHistories } from '../src/operations/calls/views/list-attempts.ts';
import { countSeries } from '../src/operations/history/count-series.ts';
import { listInterventions } from '../src/operations/history/list-interventions.ts';
import { listHistories } from '../src/operations/history/list-occurrences.ts';
import { listStatistics } from '../src/operations/history/list-statistics.ts';
import { wordsOf } from '../src/store/migration.ts';
import { type CompiledStatement, declaredStatements, sqlStatement, statement } from '../src/store/statement.ts';
import { table, target } from '../src/store/statement-tables.ts';
import type { Query, ReadTx } from '../src/store/store.ts';
import { operations, queries } from '../src/store-worker.ts';
import { openedTables } from './harness/stores/opened-tables.ts';

/** A migrated database. Without foreign keys a statement opens the tables it names alone. */
function database(foreignKeys: 'enforced' | 'ignored' = 'ignored'): DatabaseSync {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: foreignKeys === 'enforced' });
  for (const { statements } of migrations) for (const text of statements(wordsOf.sqlite)) db.exec(text);
  return db;
}

/** A transaction that finds one row for everything, so that a list executes all its statements. */
const finding: ReadTx = {
  one: async () => new Proxy({}, { get: () => 1 }) as never,
  all: async () => [],
};

/** Lists build their statements when a filter is first used; this uses each filter alone and all together. */
async function useFilters<F extends Readonly<Record<string, unknown>>>(
  query: Query<never, unknown>,
  filters: F,
  rest: object = {},
  always: object = {},
): Promise<void> {
  const alone = Object.entries(filters).map(([name, value]) => ({ [name]: value }));
  const listing = { order: 'asc', limit: 5, offset: 0, now: 5, after: undefined, seesAddresses: true, ...rest };
  for (const search of ['', 'pump', 'pump tank']) {
    for (const filter of [{}, ...alone, filters])
      await query.run(finding, { caller: systemCaller, filter: { ...filter, ...always }, search, ...listing } as never);
    const bound = { ...systemCaller, stationIds: [1] };
    await query.run(finding, { caller: bound, filter: always, search, ...listing } as never);
  }
}

before(async () => {
  // Importing these has declared all other statements.
  assert.ok(operations.length > 0 && queries.length > 0);
  const places = { stationId: [1], dataServerId: [1], tagGroupId: [1], callGroupId: [1], priority: [1] };
  const ofAlarms = { ...places, id: [1], scenarioId: [1], alarmState: 1, inactiveMasked: 1 };
  for (const order of ['asc', 'urgent']) await useFilters(listAlarms, { ...ofAlarms, afterId: 1 }, { order });
  await useFilters(countAlarms, ofAlarms);
  const period = { from: 1, to: 4 };
  for (const query of [listHistories, listStatistics, listInterventions]) {
    for (const sortBy of ['id', 'number', 'time'])
      await useFilters(query, { ...places, alarmId: [1], userId: 1, ...period }, { sortBy });
    await useFilters(query, { stationId: [1, 2], dataServerId: [1, 2], tagGroupId: [1, 2] }, { sortBy: 'id' });
  }
  for (const isByPriority of [true, false]) {
    const how = { every: '1h', isByPriority, timeZone: 'UTC' };
    await useFilters(countSeries, { ...places, alarmId: [1], userId: 1 }, how, period);
  }
  await useFilters(listCallHistories, { ...period, stationId: 1, callGroupId: 1, userId: 1, alarmId: 1, status: 1 });
  const journal = { ...period, actor: 'cli', kind: 'x', subject: 'user:1', stationId: 1 };
  await useFilters(listJournal, journal, { after: { at: 1, id: 1 } });
});

/** What a statement fails to declare or declares wrongly; undefined when there is nothing. */
function mistake(db: DatabaseSync, { text, reads, writes }: CompiledStatement): object | undefined {
  const opened = openedTables(db, text);
  // To change rows SQLite may have to read them; that is not declared.
  const onlyRead = (names: readonly string[]) => names.filter((name) => !opened.writes.includes(name)).toSorted();
  const declared = { reads: onlyRead(reads), writes: [...writes].toSorted() };
  const truth = { reads: onlyRead(opened.reads), writes: opened.writes.toSorted() };
  return JSON.stringify(declared) === JSON.stringify(truth) ? undefined : { text, declared, truth };
}

test('every statement declares the tables that SQLite opens', () => {
  const db = database();
  const compiled = declaredStatements.map((entry) => entry.compiledFor('sqlite'));
  assert.ok(compiled.length > 300, String(compiled.length));
  assert.deepEqual(
    compiled.flatMap((entry) => mistake(db, entry) ?? []),
    [],
  );
});

test('every statement declares the same tables on PostgreSQL', () => {
  for (const entry of declaredStatements) {
    const [one, other] = [entry.compiledFor('sqlite'), entry.compiledFor('postgres')];
    assert.deepEqual(other.reads.toSorted(), one.reads.toSorted(), one.text);
    assert.deepEqual(other.writes, one.writes, one.text);
  }
});

/**
 * Whether the columns of the result depend on those of a table: a column added by a newer node would end the prepared plan.
 * What stands in parentheses only feeds the result.
 */
function selectsAnyColumn({ text }: CompiledStatement): boolean {
  let outer = text;
  for (let before = ''; before !== outer; outer = outer.replaceAll(/\([^()]*\)/g, '')) before = outer;
  return /(\b(select|returning)|,|\.)\s*\*/i.test(outer);
}

test('every statement names the columns of its result', () => {
  const compiled = declaredStatements.flatMap((entry) => [entry.compiledFor('sqlite'), entry.compiledFor('postgres')]);
  assert.deepEqual(
    compiled.filter(selectsAnyColumn).map(({ text }) => text),
    [],
  );
});

test('a statement that selects any column is detected', () => {
  const planted = [
    statement((db) => db.selectFrom('call_turns').selectAll()),
    statement((db) => db.selectFrom('call_turns').selectAll('call_turns')),
    sqlStatement(() => sql`select id, * from ${table('call_causes')}`),
  ].map((entry) => entry.compiledFor('postgres'));
  assert.deepEqual(planted.map(selectsAnyColumn), [true, true, true]);
  const count = statement((db) => db.selectFrom('call_turns').select((eb) => eb.fn.countAll().as('count')));
  assert.equal(selectsAnyColumn(count.compiledFor('postgres')), false);
});

test('no cascade of a foreign key writes a table of a cache', () => {
  const db = database('enforced');
  const compiled = declaredStatements.map((entry) => entry.compiledFor('sqlite'));
  const cascaded = compiled.flatMap(({ text, writes }) =>
    openedTables(db, text).writes.filter((name) => !writes.includes(name)),
  );
  assert.ok(cascaded.includes('team_members'));
  const cached = alarmCache.filledBy.flatMap((entry) => entry.compiledFor('sqlite').reads);
  assert.deepEqual(new Set(cached).intersection(new Set(cascaded)), new Set());
});

test('tables are found in every part of a query', () => {
  const db = database();
  const written = statement((kysely) =>
    kysely
      .with('old', (inner) => inner.selectFrom('call_attempts as c').select('c.id').where('c.ended_at', 'is not', null))
      .deleteFrom('call_causes')
      .where('call_id', 'in', (eb) => eb.selectFrom('old').select('old.id'))
      .where('alarm_id', 'in', sql<number>`(select id from ${table('alarms')})`),
  );
  const { reads, writes } = written.compiledFor('sqlite');
  assert.deepEqual(
    { reads: reads.toSorted(), writes },
    { reads: ['alarms', 'call_attempts'], writes: ['call_causes'] },
  );
  assert.equal(mistake(db, written.compiledFor('sqlite')), undefined);
  const update = statement((kysely) =>
    kysely
      .updateTable('alarms as a')
      .from('users as u')
      .set({ name: 'x' })
      .whereRef('a.ack_user_id', '=', 'u.id')
      .returning('a.id'),
  ).compiledFor('sqlite');
  assert.deepEqual({ reads: update.reads, writes: update.writes }, { reads: ['users'], writes: ['alarms'] });
});

test('SQL text that hides a table is detected', () => {
  const db = database();
  const hidden = [
    sqlStatement(() => sql`select name from alarms`),
    sqlStatement(() => sql`update ${table('alarms')} set name = ''`),
    sqlStatement(() => sql`delete from events`),
    sqlStatement(() => sql`select name from ${table('alarms')} where id in (select alarm_id from call_causes)`),
    sqlStatement(() => sql`select name from ${target('alarms')}`),
    statement((kysely) => kysely.selectFrom('alarms').select('name').where(sql<boolean>`id in (select id from users)`)),
  ];
  for (const entry of hidden) assert.ok(mistake(db, entry.compiledFor('sqlite')));
});
