// A SQLite database in memory that runs operations in this thread, at a time that the caller gives: for simulations.

import { DatabaseSync } from 'node:sqlite';
import { migrations } from '../../../src/migrations/migrations.ts';
import { wordsOf } from '../../../src/store/migration.ts';
import { PreparedConnection } from '../../../src/store/sqlite/prepared-connection.ts';
import type { Operation, Query } from '../../../src/store/store.ts';

export class MemoryStore {
  readonly #connection: PreparedConnection;

  constructor() {
    const db = new DatabaseSync(':memory:');
    for (const { statements } of migrations) for (const sql of statements(wordsOf.sqlite)) db.exec(sql);
    this.#connection = new PreparedConnection(db);
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

/** Packs and unpacks the input as if it were sent to a worker thread. */
function crossed<I, O>({ codec }: Operation<I, O>, input: I): I {
  return codec === undefined ? input : (codec.unpack(structuredClone(codec.pack(input)) as never) as I);
}
