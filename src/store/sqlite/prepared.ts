// Statements prepared once on one SQLite connection, seen as the Tx of the port.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { WriteConnection } from '../group-commit.ts';
import { bind, type CompiledStatement, type SqlValue, type Statement } from '../statement.ts';
import type { Tx } from '../store.ts';
import { isFatal, isPassing } from './sqlite-errors.ts';

type Arguments = Readonly<Record<string, SqlValue>>;
type Compilable = Pick<Statement<never, unknown>, 'compiledFor'>;
type Prepared = { readonly compiled: CompiledStatement; readonly handle: StatementSync };

export class PreparedConnection implements WriteConnection {
  readonly #db: DatabaseSync;
  readonly commit: () => Promise<void>;
  readonly #prepared = new Map<object, Prepared>();
  hasWritten = false;

  constructor(db: DatabaseSync, commit = async () => db.exec('COMMIT')) {
    this.#db = db;
    this.commit = commit;
  }

  /** The port's transaction over this connection; whoever uses it begins and ends the transaction itself. */
  readonly tx: Tx = {
    one: async (statement, args) => this.#step(statement, args, (handle, values) => handle.get(...values)) as never,
    all: async (statement, args) => this.#step(statement, args, (handle, values) => handle.all(...values)) as never,
    run: async (statement, args) =>
      Number(this.#step(statement, args, (handle, values) => handle.run(...values)).changes),
    insert: async (statement, args) =>
      Number(this.#step(statement, args, (handle, values) => handle.get(...values))?.id),
    each: async (rowSet, rows) => {
      if (rows.length === 0) return;
      const { compiled, handle } = this.#prepare(rowSet);
      this.hasWritten = true;
      for (const row of rows) handle.run(...bind(compiled, row));
    },
    nextIds: async (table, count) => {
      if (count === 0) return [];
      this.hasWritten = true;
      const last = this.#raiseSequence(table, count);
      return Array.from({ length: count }, (_, index) => last - count + 1 + index);
    },
  };

  exec(text: string): void {
    this.#db.exec(text);
  }

  isTrouble(error: unknown): boolean {
    return isPassing(error) || isFatal(error);
  }

  close(): void {
    this.#db.close();
  }

  /** SQLite makes the row of a sequence with the table's first row. */
  #raiseSequence(table: string, by: number): number {
    const { seq } = this.#prepare(raiseSequence).handle.get(by, table) ?? {};
    if (seq !== undefined) return Number(seq);
    this.#prepare(beginSequence).handle.run(table, by);
    return by;
  }

  #step<A extends Arguments, T>(
    statement: Statement<A, unknown>,
    args: A,
    go: (handle: StatementSync, values: SqlValue[]) => T,
  ): T {
    const { compiled, handle } = this.#prepare(statement);
    if (compiled.writes) this.hasWritten = true;
    return go(handle, bind(compiled, args));
  }

  #prepare(statement: Compilable): Prepared {
    let prepared = this.#prepared.get(statement);
    if (prepared === undefined) {
      const compiled = statement.compiledFor('sqlite');
      prepared = { compiled, handle: this.#db.prepare(compiled.text) };
      this.#prepared.set(statement, prepared);
    }
    return prepared;
  }
}

const raiseSequence = plain('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ? RETURNING seq');
const beginSequence = plain('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');

function plain(text: string): Compilable {
  return { compiledFor: () => ({ text, slots: [], writes: true }) };
}
