// Operations and queries of the store conformance suite: small ones that end in every possible way.

import { sql } from 'kysely';
import { AppError } from '../../../src/errors.ts';
import { mediaNamesAmong } from '../../../src/operations/media/queries.ts';
import { markerKey } from '../../../src/store/backup/restored-rows.ts';
import { appendChained, appendEvent, appendEvents } from '../../../src/store/event-log.ts';
import { addRows, deleteRows, insertRows, updateRows } from '../../../src/store/row-batch.ts';
import { sqlStatement, statement } from '../../../src/store/statement.ts';
import { table } from '../../../src/store/statement-tables.ts';
import { type Operation, type Query, setOperation } from '../../../src/store/store.ts';

const insertNote = statement<{ key: string; value: string }>((db, args) =>
  db.insertInto('meta').values({ key: args.key, value: args.value }),
);
const updateNote = statement<{ key: string; value: string }>((db, args) =>
  db.updateTable('meta').set({ value: args.value }).where('key', '=', args.key),
);
const selectNote = statement((db, args: { key: string }) =>
  db.selectFrom('meta').select('value').where('key', '=', args.key),
);
/** Without the row that marks a SQLite file as open. */
const countNotes = statement((db) =>
  db
    .selectFrom('meta')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('key', '<>', markerKey),
);

/** Stores a note and appends an event; then ends as the input says. */
export const keepNote: Operation<{ key: string; value: string; ending?: 'refuse' | 'fault' | 'refuse-first' }, number> =
  {
    name: 'test-keep-note',
    async run(tx, now, { key, value, ending }) {
      if (ending === 'refuse-first') throw refusal(key);
      await tx.run(insertNote, { key, value });
      await appendEvent(tx, now, { kind: 'test.note', actor: 'test', data: { key } });
      if (ending === 'refuse') throw refusal(key);
      if (ending === 'fault') throw new TypeError(`a bug met ${key}`);
      return now;
    },
  };

/** Appends an event about an alarm; then ends as the input says. */
export const tellOfAlarm: Operation<{ key: string; ending?: 'refuse' }, void> = {
  name: 'test-tell-of-alarm',
  async run(tx, now, { key, ending }) {
    const [id = 0] = await tx.nextIds('events', 1);
    await appendChained(tx, [{ id, previousId: 0, at: now, kind: 'alarm.test', actor: 'test', data: { key } }]);
    if (ending === 'refuse') throw refusal(key);
  },
};

const insertNotes = insertRows('meta', { key: 'text', value: 'text' });

/** The same as a set operation: stores all notes at once; returns how many inputs it was given together. */
export const keepNotes = setOperation<{ key: string; value: string; ending?: 'refuse' | 'fault' }, number>(
  'test-keep-notes',
  async (tx, jobs) => {
    const taken = jobs.filter(({ input }) => input.ending !== 'refuse');
    await tx.each(
      insertNotes,
      taken.map(({ input: { key, value } }) => ({ key, value })),
    );
    await appendEvents(
      tx,
      taken.map(({ now, input: { key } }) => ({ kind: 'test.note', actor: 'test', at: now, data: { key } })),
    );
    const bug = jobs.find(({ input }) => input.ending === 'fault');
    if (bug !== undefined) throw new TypeError(`a bug met ${bug.input.key}`);
    return jobs.map(({ input: { key, ending } }) =>
      ending === 'refuse' ? { kind: 'failed', error: refusal(key) } : { kind: 'done', outcome: jobs.length },
    );
  },
);

function refusal(key: string): AppError {
  return new AppError('unprocessable', `no ${key}`, {
    errors: [{ field: 'key', message: 'is refused' }],
    retryAfterSeconds: 7,
  });
}

const counts = addRows(
  'history_counts',
  { level: 'int', step: 'int', station_id: 'int', data_server_id: 'int', tag_group_id: 'int' },
  { entries: 'sum', min_id: 'least', max_id: 'greatest' },
);
const removeCounts = deleteRows('history_counts', { level: 'int', step: 'int' });
const setCounts = updateRows('history_counts', { level: 'int', step: 'int' }, { entries: 'int' });
const selectCounts = statement((db) =>
  db.selectFrom('history_counts').select(['level', 'step', 'entries', 'min_id', 'max_id']).orderBy('step'),
);

/** Adds rows twice, changes one and removes one; returns the remaining rows. */
export const useRowSets: Operation<Record<string, never>, readonly object[]> = {
  name: 'test-use-row-sets',
  async run(tx) {
    const row = { level: 0, station_id: 1, data_server_id: 1, tag_group_id: 0 };
    await tx.each(counts, []);
    await tx.each(counts, [
      { ...row, step: 1, entries: 1, min_id: 5, max_id: 9 },
      { ...row, step: 2, entries: 7, min_id: 4, max_id: 4 },
      { ...row, step: 3, entries: 1, min_id: 1, max_id: 1 },
    ]);
    await tx.each(counts, [{ ...row, step: 1, entries: 4, min_id: 2, max_id: 6 }]);
    await tx.each(setCounts, [{ level: 0, step: 2, entries: 1 }]);
    await tx.each(removeCounts, [{ level: 0, step: 3 }]);
    return (await tx.all(selectCounts, {})).map((found) => ({ ...found }));
  },
};

const texts = insertRows('history_texts', {
  id: 'int',
  alarm_id: 'int',
  tag_name: 'text',
  message: 'text',
  last_entry_id: 'int',
});
const selectTexts = statement((db) =>
  db.selectFrom('history_texts').select(['id', 'alarm_id', 'tag_name', 'message', 'last_entry_id']).orderBy('id'),
);

export type TextRow = NonNullable<typeof texts.row>;

/** Writes rows as a set; returns the rows as they are read back. */
export const keepTexts: Operation<{ rows: readonly TextRow[] }, readonly object[]> = {
  name: 'test-keep-texts',
  async run(tx, _now, { rows }) {
    await tx.each(texts, rows);
    return (await tx.all(selectTexts, {})).map((found) => ({ ...found }));
  },
};

export const takeIds: Operation<{ count: number }, readonly number[]> = {
  name: 'test-take-ids',
  run: (tx, _now, { count }) => tx.nextIds('alarm_histories', count),
};

/** Reads a counter, adds one and writes it, so that lost updates can be seen. */
export const countUp: Operation<{ key: string }, number> = {
  name: 'test-count-up',
  async run(tx, _now, { key }) {
    const note = await tx.one(selectNote, { key });
    const next = Number(note?.value ?? 0) + 1;
    if (note === undefined) await tx.run(insertNote, { key, value: String(next) });
    else await tx.run(updateNote, { key, value: String(next) });
    return next;
  },
};

/** As readNote, for the connections of quick queries. */
export const readNoteQuickly: Query<{ key: string }, string | undefined> = {
  name: 'test-read-note-quickly',
  isQuick: true,
  run: (tx, args) => readNote.run(tx, args),
};

type HeldThread = { readonly cell: Int32Array };

/** Blocks its thread until `cell` changes; the limit only ends a test that would otherwise hang. */
export const holdComputation: Query<HeldThread, string> = {
  name: 'test-hold-computation',
  isComputation: true,
  run: async (_tx, { cell }) => Atomics.wait(cell, 0, 0, 20_000),
};

/** The same as a list, which on SQLite has a thread too. */
export const holdList: Query<HeldThread, string> = {
  name: 'test-hold-list',
  run: async (_tx, { cell }) => Atomics.wait(cell, 0, 0, 20_000),
};

/** A computation that ends its thread. */
export const endThread: Query<Record<string, never>, never> = {
  name: 'test-end-thread',
  isComputation: true,
  run: () => {
    setImmediate(() => {
      throw new Error('the thread failed');
    });
    return new Promise(() => {});
  },
};

export const readNote: Query<{ key: string }, string | undefined> = {
  name: 'test-read-note',
  run: async (tx, { key }) => (await tx.one(selectNote, { key }))?.value,
};

const selectSlowly = sqlStatement<{ steps: number }, { total: number }>(
  (args) => sql`with recursive steps (n) as (
    select 1 union all select n + 1 from steps where n < cast(${args.steps} as bigint)
  ) select count(*) as total from steps`,
);

/** Counts, waits and counts again: both counts come from the same snapshot. */
export const countTwice: Query<{ steps: number }, readonly [number, number]> = {
  name: 'test-count-twice',
  async run(tx, { steps }) {
    const first = await tx.one(countNotes, {});
    await tx.one(selectSlowly, { steps });
    const second = await tx.one(countNotes, {});
    return [first?.total ?? -1, second?.total ?? -1];
  },
};

const selectScanned = sqlStatement<{ text: string }, { total: number }>(
  (args) => sql`select count(*) as total from ${table('events')} where data not like ${args.text}`,
);

/** Reads every event. */
export const scanEvents: Query<{ text: string }, number> = {
  name: 'test-scan-events',
  run: async (tx, args) => (await tx.one(selectScanned, args))?.total ?? 0,
};

/** Returns those of the names that are in the media store, in order. */
export const knownMedia: Query<{ names: readonly string[] }, readonly string[]> = {
  name: 'test-known-media',
  run: async (tx, { names }) => [...(await mediaNamesAmong(tx, names))].toSorted(),
};
