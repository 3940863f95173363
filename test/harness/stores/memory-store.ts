// A SQLite database in memory that runs operations in this thread, at a time that the caller gives: for simulations.

import { DatabaseSync } from 'node:sqlite';
import { migrations } from '../../../src/migrations/migrations.ts';
import { wordsOf } from '../../../src/store/migration.ts';
import { PreparedConnection } from '../../../src/store/sqlite/prepared-connection.ts';
import type { Operation, Query } from '../../../src/store/store.ts';

export class MemoryStore {
  readonly #db = new DatabaseSync(':memory:');
  readonly #connection: PreparedConnection;

  constructor() {
    this.#db.deserialize(emptyDatabase());
    this.#connection = new PreparedConnection(this.#db);
  }

  /** From now on notes which rows of a table are written or removed; the function returned takes their ids, in order. */
  watchRows(table: string): () => readonly number[] {
    const written = `written_${table}`;
    this.#db.exec(`CREATE TEMP TABLE ${written} (id INTEGER PRIMARY KEY)`);
    for (const [change, row] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ])
      this.#db.exec(
        `CREATE TEMP TRIGGER ${change}_${table} AFTER ${change} ON main.${table}
         BEGIN INSERT OR IGNORE INTO ${written} VALUES (${row}.id); END`,
      );
    const read = this.#db.prepare(`SELECT id FROM ${written} ORDER BY id`);
    const empty = this.#db.prepare(`DELETE FROM ${written}`);
    return () => {
      const ids = read.all().map(({ id }) => Number(id));
      if (ids.length > 0) empty.run();
      return ids;
    };
  }

  async write<I, O>(operation: Operation<I, O>, now: number, input: I): Promise<O> {
    this.#connection.begin('BEGIN');
    try {
      const outcome = await operation.run(this.#connection.tx, now, crossed(operation, input));
      await this.#connection.commit();
      return outcome;
    } catch (error) {
      this.#connection.rollBack('ROLLBACK');
      throw error;
    }
  }

  read<A, R>(query: Query<A, R>, args: A): Promise<R> {
    return query.run(this.#connection.tx, args);
  }

  close(): void {
    this.#connection.close();
  }
}

let migrated: Uint8Array | undefined;

/** A database with all migrations, which are run once for each process. */
function emptyDatabase(): Uint8Array {
  if (migrated !== undefined) return migrated;
  const db = new DatabaseSync(':memory:');
  for (const { statements } of migrations) for (const sql of statements(wordsOf.sqlite)) db.exec(sql);
  migrated = db.serialize();
  db.close();
  return migrated;
}

/** Packs and unpacks the input as if it were sent to a worker thread. */
function crossed<I, O>({ codec }: Operation<I, O>, input: I): I {
  return codec === undefined ? input : (codec.unpack(structuredClone(codec.pack(input)) as never) as I);
}
