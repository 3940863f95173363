// Rescue reads every row that SQLite can read by its id, once, counts exactly the others, and always ends.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { fc } from '../../../../test/harness/fast-check.ts';
import { isQuick, soak } from '../../../../test/harness/soak.ts';
import { openUntouched } from '../database-file.ts';
import { isUnreadable } from '../sqlite-errors.ts';
import { type Lost, readableRows } from './readable-rows.ts';

const pageBytes = 512;
const rows = 3_000;

/** A file with a table of ids, some of them gone, and one that is its own key, both several pages deep. */
function makeFile(t: TestContext): { readonly file: string; readonly pages: number; readonly copy: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-rescue-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'whole.db');
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA page_size = ${pageBytes};
    CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL) STRICT;
    CREATE TABLE words (word TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (word, entry)) STRICT, WITHOUT ROWID;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO entries SELECT i, 'entry ' || i || CASE WHEN i % 50 = 0 THEN printf('%.*c', 900, 'x') ELSE '' END FROM n;
    INSERT INTO words SELECT 'w' || (id % 700), id FROM entries;
    DELETE FROM entries WHERE id BETWEEN 1000 AND 1200 OR id % 97 = 0`);
  const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
  db.close();
  let copies = 0;
  const copy = (): string => {
    const to = join(folder, `damaged-${copies++ % 2}.db`);
    copyFileSync(file, to);
    return to;
  };
  return { file, pages, copy };
}

type Damage = { readonly page: number; readonly at: number; readonly bytes: Uint8Array };

async function damage(file: string, damages: readonly Damage[]): Promise<void> {
  const handle = await open(file, 'r+');
  for (const { page, at, bytes } of damages)
    await handle.write(bytes.subarray(0, pageBytes - at), 0, undefined, page * pageBytes + at);
  await handle.close();
}

function readOf(db: DatabaseSync, table: string, columns: readonly string[]) {
  const read = readableRows(db, table, columns);
  const found: (readonly unknown[])[] = [];
  let next = read.next();
  for (; !next.done; next = read.next()) found.push(next.value);
  return { found, lost: next.value as Lost | undefined };
}

/** What SQLite can read row by row, by the id, and the ids that it cannot. */
function readById(
  db: DatabaseSync,
  first = 1,
  last = rows,
): {
  readonly texts: ReadonlyMap<number, unknown>;
  readonly lost: readonly number[];
} {
  const one = db.prepare('SELECT text FROM entries NOT INDEXED WHERE rowid = ?');
  const [texts, lost] = [new Map<number, unknown>(), [] as number[]];
  for (let id = first; id <= last; id++) {
    try {
      const row = one.get(id);
      if (row !== undefined) texts.set(id, row.text);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      lost.push(id);
    }
  }
  return { texts, lost };
}

test('rescue loses only the rows that SQLite cannot read by their id, whatever pages are damaged', async (t) => {
  const { pages, copy } = makeFile(t);
  const anywhere = fc.oneof(
    fc.record({ at: fc.constant(0), bytes: fc.constant(new Uint8Array(pageBytes).fill(0xff)) }),
    fc.record({ at: fc.nat(pageBytes - 1), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
  );
  const somePages = fc.array(
    // The first page holds the schema: without it there are no tables.
    fc.tuple(fc.integer({ min: 3, max: pages - 1 }), anywhere).map(([page, what]) => ({ page, ...what })),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(somePages, async (damages) => {
      const file = copy();
      await damage(file, damages);
      const db = openUntouched(file);
      try {
        const { texts, lost } = readById(db);
        const rescued = readOf(db, 'entries', ['id', 'text']);
        const ids = rescued.found.map(([id]) => Number(id));
        assert.equal(new Set(ids).size, ids.length, 'each once');
        const kept = new Map(rescued.found.map(([id, text]) => [Number(id), text]));
        const missing = [...texts.keys()].filter((id) => !kept.has(id));
        assert.deepEqual(missing, [], 'what can be read is rescued');
        const unread = lost.filter((id) => !kept.has(id)).length;
        assert.equal(rescued.lost?.ids ?? 0, unread, 'what cannot be read is counted');
        const words = readOf(db, 'words', ['word', 'entry']);
        const keys = words.found.map((row) => row.join(' '));
        assert.equal(new Set(keys).size, keys.length, 'each once');
      } finally {
        db.close();
      }
    }),
    { numRuns: soak(400) },
  );
});

test('rescue goes on with the row after a gap and with the last one of the table', async (t) => {
  const { file, copy } = makeFile(t);
  const whole = new DatabaseSync(file, { readOnly: true });
  const before = readOf(whole, 'entries', ['id', 'text']);
  assert.equal(before.lost, undefined);
  const leaves = whole
    .prepare(`SELECT pageno FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf' ORDER BY path`)
    .all()
    .map(({ pageno }) => Number(pageno) - 1);
  whole.close();
  const damaged = copy();
  const ones = new Uint8Array(pageBytes).fill(0xff);
  // One page near the beginning, and nearly all of the second half but its end.
  const spoilt = [leaves[3], ...leaves.slice(leaves.length / 2, -1)].map((page = 0) => ({ page, at: 0, bytes: ones }));
  await damage(damaged, spoilt);
  const db = openUntouched(damaged);
  t.after(() => db.close());
  const { texts } = readById(db);
  const after = readOf(db, 'entries', ['id', 'text']);
  assert.deepEqual(
    after.found.map(([id]) => id),
    [...texts.keys()],
  );
  assert.equal(after.lost?.gaps, 2);
  assert.deepEqual(after.found.at(-1), before.found.at(-1));
});

test('rescue takes both ends of a table that is its own key', async (t) => {
  const { file, copy } = makeFile(t);
  const whole = new DatabaseSync(file, { readOnly: true });
  const before = readOf(whole, 'words', ['word', 'entry']);
  assert.equal(before.found.length, rows);
  const pages = whole
    .prepare(`SELECT pageno FROM dbstat WHERE name = 'words' AND pagetype = 'leaf' ORDER BY path`)
    .all()
    .map(({ pageno }) => Number(pageno) - 1);
  whole.close();
  const damaged = copy();
  const page = pages[Math.floor(pages.length / 2)] ?? 0;
  await damage(damaged, [{ page, at: 0, bytes: new Uint8Array(pageBytes).fill(0xff) }]);
  const db = openUntouched(damaged);
  t.after(() => db.close());
  const after = readOf(db, 'words', ['word', 'entry']);
  assert.deepEqual(after.lost, { table: 'words', gaps: 1, ids: undefined });
  assert.ok(after.found.length > rows - 60, `${after.found.length} of ${rows}`);
});

for (const [name, key, first, seq, isLong] of [
  ['whose ids are beyond ten million and are not counted', '', 10_000_001, undefined, true],
  ['whose count of ids is too low', 'AUTOINCREMENT', 1, 5, false],
  ['whose count of ids is nonsense', 'AUTOINCREMENT', 1, 4_000_000_000_000, false],
] as const)
  test(`rescue goes on behind a damaged page of a table ${name}`, {
    skip: isQuick && isLong && 'takes seconds: npm test',
  }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-rescue-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'odd.db');
    const db = new DatabaseSync(file);
    db.exec(`PRAGMA page_size = ${pageBytes};
      CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
      CREATE TABLE entries (id INTEGER PRIMARY KEY ${key}, text TEXT NOT NULL) STRICT;
      WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${first + 999})
        INSERT INTO entries SELECT i, 'entry ' || i FROM n`);
    if (seq !== undefined) db.exec(`UPDATE sqlite_sequence SET seq = ${seq} WHERE name = 'entries'`);
    const leaves = db
      .prepare(`SELECT pageno FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf' ORDER BY path`)
      .all();
    db.close();
    const bytes = readFileSync(file);
    const page = (Number(leaves[5]?.pageno) - 1) * pageBytes;
    bytes.fill(0xff, page, page + pageBytes);
    writeFileSync(file, bytes);
    const damaged = new DatabaseSync(file, { readOnly: true });
    const { texts } = readById(damaged, first, first + 999);
    const { found, lost } = readOf(damaged, 'entries', ['id', 'text']);
    damaged.close();
    assert.deepEqual([found.length, lost?.gaps], [texts.size, 1]);
  });
