// Operations and queries that exist only for the conformance suite: small enough to provoke every way one can end.

import { sql } from 'kysely';
import { AppError } from '../../src/errors.ts';
import { appendEvent } from '../../src/store/events.ts';
import { mediaNamesAmong } from '../../src/store/media.ts';
import { sqlStatement, statement } from '../../src/store/statement.ts';
import type { Operation, Query } from '../../src/store/store.ts';

const insertNote = statement<{ key: string; value: string }>((db, args) =>
  db.insertInto('meta').values({ key: args.key, value: args.value }),
);
const updateNote = statement<{ key: string; value: string }>((db, args) =>
  db.updateTable('meta').set({ value: args.value }).where('key', '=', args.key),
);
const selectNote = statement((db, args: { key: string }) =>
  db.selectFrom('meta').select('value').where('key', '=', args.key),
);
const countNotes = statement((db) => db.selectFrom('meta').select((eb) => eb.fn.countAll<number>().as('total')));

/** Keeps a note and tells of it; then ends as asked. */
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

function refusal(key: string): AppError {
  return new AppError('unprocessable', `no ${key}`, {
    errors: [{ field: 'key', message: 'is refused' }],
    retryAfterSeconds: 7,
  });
}

/** Reads, adds one and writes: lost updates show. */
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

export const readNote: Query<{ key: string }, string | undefined> = {
  name: 'test-read-note',
  run: async (tx, { key }) => (await tx.one(selectNote, { key }))?.value,
};

const selectSlowly = sqlStatement<{ steps: number }, { total: number }>(
  (args) => sql`with recursive steps (n) as (
    select 1 union all select n + 1 from steps where n < cast(${args.steps} as bigint)
  ) select count(*) as total from steps`,
);

/** Counts, takes its time, counts again: both counts are of one picture. */
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
  (args) => sql`select count(*) as total from events where data not like ${args.text}`,
);

/** Looks at every event. */
export const scanEvents: Query<{ text: string }, number> = {
  name: 'test-scan-events',
  run: async (tx, args) => (await tx.one(selectScanned, args))?.total ?? 0,
};

/** Which of the names are in the media store, in order. */
export const knownMedia: Query<{ names: readonly string[] }, readonly string[]> = {
  name: 'test-known-media',
  run: async (tx, { names }) => [...(await mediaNamesAmong(tx, names))].toSorted(),
};
