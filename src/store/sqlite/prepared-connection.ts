// The port's Tx over statements prepared once on one SQLite connection.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { recordMaker } from '../compiled-shape.ts';
import type { WriteConnection } from '../group-commit.ts';
import { RowCaches } from '../row-cache.ts';
import {
  bind,
  type Compilable,
  type CompiledStatement,
  compiledStatement,
  type SqlValue,
  type Statement,
} from '../statement.ts';
import type { Tx } from '../store.ts';
import { readAll, readOne } from './large-integers.ts';
import { isFatal, isTransient } from './sqlite-errors.ts';

type Arguments = Readonly<Record<string, SqlValue>>;
type Values = readonly SqlValue[];
type Prepared = {
  readonly compiled: CompiledStatement;
  readonly hasOtherEvents: boolean;
  readonly handle: StatementSync;
  readonly rowOf: (values: Values) => Arguments;
};

export class PreparedConnection implements WriteConnection {
  readonly #db: DatabaseSync;
  readonly commit: () => Promise<void>;
  readonly #prepared = new Map<object, Prepared>();
  readonly #caches = new RowCaches();
  #dataVersion = 0;
  #hasOtherEvents = false;
  #lastEvent: number | undefined;
  hasWritten = false;

  constructor(db: DatabaseSync, commit = async () => db.exec('COMMIT')) {
    this.#db = db;
    this.commit = commit;
  }

  /** The port's transaction over this connection; its user begins and ends the transaction. */
  readonly tx: Tx = {
    one: async (statement, args) => this.#one(statement, args) as never,
    all: async (statement, args) => {
      const { compiled, handle, rowOf } = this.#use(statement);
      const bound = bind(compiled, args);
      const read = (): readonly Values[] => handle.all(...bound) as unknown as Values[];
      return (compiled.writes.length === 0 ? readAll(handle, read) : read()).map(rowOf) as never;
    },
    run: async (statement, args) => {
      const { compiled, handle } = this.#use(statement);
      return Number(handle.run(...bind(compiled, args)).changes);
    },
    insert: async (statement, args) => Number(this.#one(statement, args)?.id),
    each: async (statement, rows) => {
      if (rows.length === 0) return;
      const { compiled, handle } = this.#use(statement);
      // Not run(), which would create a result object for each row.
      for (const row of rows) handle.get(...bind(compiled, row));
    },
    nextIds: async (table, count) => {
      if (count === 0) return [];
      const last = this.#raiseSequence(table, count);
      if (table === 'events') this.#lastEvent = last;
      return Array.from({ length: count }, (_, index) => last - count + 1 + index);
    },
    cache: (definition) => this.#caches.of(definition),
  };

  begin(text: string): void {
    this.#db.exec(text);
    const version = Number((this.#use(readDataVersion).handle.get() as unknown as Values)[0]);
    if (version === this.#dataVersion) return;
    // Another process, such as a CLI command, has written to the database.
    this.#caches.empty();
    this.#hasOtherEvents = true;
    this.#dataVersion = version;
  }

  rollBack(text: string): void {
    this.#caches.empty();
    // The newest position may have been rolled back too.
    this.#hasOtherEvents = true;
    this.#db.exec(text);
  }

  /** Nothing to wait for: statements run synchronously. */
  settle(): void {}

  failsBatch(error: unknown): boolean {
    return isTransient(error) || isFatal(error);
  }

  /** Returns the last position when only frequent events were written since the previous call. */
  takeFrequentTo(): number | undefined {
    const last = this.#hasOtherEvents ? undefined : this.#lastEvent;
    this.#hasOtherEvents = false;
    this.#lastEvent = undefined;
    return last;
  }

  close(): void {
    this.#db.close();
  }

  /** Raises a sequence and returns its new value. SQLite creates a sequence's row only with the table's first row. */
  #raiseSequence(table: string, by: number): number {
    const raised = this.#use(raiseSequence).handle.get(by, table) as unknown as Values | undefined;
    if (raised !== undefined) return Number(raised[0]);
    this.#use(beginSequence).handle.run(table, by);
    return by;
  }

  #one<A extends Arguments>(statement: Statement<A, unknown>, args: A): Arguments | undefined {
    const { compiled, handle, rowOf } = this.#use(statement);
    const bound = bind(compiled, args);
    const read = (): Values | undefined => handle.get(...bound) as unknown as Values | undefined;
    const values = compiled.writes.length === 0 ? readOne(handle, read) : read();
    return values && rowOf(values);
  }

  /** Prepares a statement and notes what its execution will write. */
  #use(statement: Compilable): Prepared {
    const prepared = this.#prepared.get(statement) ?? this.#prepare(statement);
    const { writes } = prepared.compiled;
    if (writes.length === 0) return prepared;
    this.hasWritten = true;
    this.#caches.noteWrite(statement, writes);
    if (prepared.hasOtherEvents) this.#hasOtherEvents = true;
    return prepared;
  }

  #prepare(statement: Compilable & { readonly isFrequent?: true }): Prepared {
    const compiled = statement.compiledFor('sqlite');
    const handle = this.#db.prepare(compiled.text);
    handle.setReturnArrays(true);
    const rowOf = recordMaker<SqlValue, Arguments>(handle.columns());
    const hasOtherEvents = compiled.writes.includes('events') && statement.isFrequent !== true;
    const prepared = { compiled, hasOtherEvents, handle, rowOf };
    this.#prepared.set(statement, prepared);
    return prepared;
  }
}

const readDataVersion = plain('PRAGMA data_version', []);
const raiseSequence = plain('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ? RETURNING seq');
const beginSequence = plain('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');

function plain(text: string, writes: readonly string[] = ['sqlite_sequence']): Compilable {
  return { compiledFor: () => compiledStatement(text, [], { reads: [], writes }) };
}
