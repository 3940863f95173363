// Statements prepared once on one SQLite connection, seen as the Tx of the port.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AlarmCache } from '../alarm-cache.ts';
import type { WriteConnection } from '../group-commit.ts';
import { bind, type CompiledStatement, compiledStatement, type SqlValue, type Statement } from '../statement.ts';
import type { Tx } from '../store.ts';
import { isFatal, isPassing } from './sqlite-errors.ts';

type Arguments = Readonly<Record<string, SqlValue>>;
type Compilable = Pick<Statement<never, unknown>, 'compiledFor'>;
type Values = readonly SqlValue[];
type Prepared = {
  readonly compiled: CompiledStatement;
  readonly changesAlarms: boolean;
  readonly tellsOfMore: boolean;
  readonly handle: StatementSync;
  readonly rowOf: (values: Values) => Arguments;
};

export class PreparedConnection implements WriteConnection {
  readonly #db: DatabaseSync;
  readonly commit: () => Promise<void>;
  readonly #prepared = new Map<object, Prepared>();
  readonly #cache = new AlarmCache();
  #dataVersion = 0;
  #tellsOfMore = false;
  #lastEvent: number | undefined;
  hasWritten = false;

  constructor(db: DatabaseSync, commit = async () => db.exec('COMMIT')) {
    this.#db = db;
    this.commit = commit;
  }

  /** The port's transaction over this connection; whoever uses it begins and ends the transaction itself. */
  readonly tx: Tx = {
    one: async (statement, args) => this.#one(statement, args) as never,
    all: async (statement, args) => {
      const { compiled, handle, rowOf } = this.#use(statement);
      return (handle.all(...bind(compiled, args)) as unknown as Values[]).map(rowOf) as never;
    },
    run: async (statement, args) => {
      const { compiled, handle } = this.#use(statement);
      return Number(handle.run(...bind(compiled, args)).changes);
    },
    insert: async (statement, args) => Number(this.#one(statement, args)?.id),
    each: async (rowSet, rows) => {
      if (rows.length === 0) return;
      this.hasWritten = true;
      const { compiled, handle, tellsOfMore } = this.#prepared.get(rowSet) ?? this.#prepare(rowSet);
      if (tellsOfMore) this.#tellsOfMore = true;
      // Not run(): it would make an object for each row that says how many were changed.
      for (const row of rows) handle.get(...bind(compiled, row));
    },
    nextIds: async (table, count) => {
      if (count === 0) return [];
      const last = this.#raiseSequence(table, count);
      if (table === 'events') this.#lastEvent = last;
      return Array.from({ length: count }, (_, index) => last - count + 1 + index);
    },
    cache: this.#cache,
  };

  begin(text: string): void {
    this.#db.exec(text);
    const version = Number((this.#use(readDataVersion).handle.get() as unknown as Values)[0]);
    if (version === this.#dataVersion) return;
    // The command line has written beside us.
    this.#cache.empty();
    this.#tellsOfMore = true;
    this.#dataVersion = version;
  }

  rollBack(text: string): void {
    this.#cache.empty();
    // The newest position may have been taken back with the rest.
    this.#tellsOfMore = true;
    this.#db.exec(text);
  }

  /** A statement that fails here has failed when it returns. */
  settle(): void {}

  isTrouble(error: unknown): boolean {
    return isPassing(error) || isFatal(error);
  }

  /** The last position, when nothing was told of but alarms since this was asked before. */
  takeAlarmsTo(): number | undefined {
    const last = this.#tellsOfMore ? undefined : this.#lastEvent;
    this.#tellsOfMore = false;
    this.#lastEvent = undefined;
    return last;
  }

  close(): void {
    this.#db.close();
  }

  /** SQLite makes the row of a sequence with the table's first row. */
  #raiseSequence(table: string, by: number): number {
    const raised = this.#use(raiseSequence).handle.get(by, table) as unknown as Values | undefined;
    if (raised !== undefined) return Number(raised[0]);
    this.#use(beginSequence).handle.run(table, by);
    return by;
  }

  #one<A extends Arguments>(statement: Statement<A, unknown>, args: A): Arguments | undefined {
    const { compiled, handle, rowOf } = this.#use(statement);
    const values = handle.get(...bind(compiled, args)) as unknown as Values | undefined;
    return values && rowOf(values);
  }

  /** For all but rows of a set, which are written by those who know what is on the cache. */
  #use(statement: Compilable): Prepared {
    const prepared = this.#prepared.get(statement) ?? this.#prepare(statement);
    if (prepared.compiled.writes) this.hasWritten = true;
    if (prepared.changesAlarms) this.#cache.empty();
    return prepared;
  }

  #prepare(statement: Compilable): Prepared {
    const compiled = statement.compiledFor('sqlite');
    const handle = this.#db.prepare(compiled.text);
    handle.setReturnArrays(true);
    const changesAlarms = compiled.writes && alarmTables.test(compiled.text);
    const rowOf = rowMaker(handle.columns().map(({ name }) => name));
    const tellsOfMore = eventInsert.test(compiled.text) && !compiled.text.includes('previous_id');
    const prepared = { compiled, changesAlarms, tellsOfMore, handle, rowOf };
    this.#prepared.set(statement, prepared);
    return prepared;
  }
}

/** What is known of an alarm comes from these. A statement that writes and names one of them may change it. */
const alarmTables = /\b(alarms|data_servers)\b/;

/** Only events of alarms lead back to the one before. */
const eventInsert = /^\s*insert into events\b/i;

/**
 * Makes objects of one shape. Those that node:sqlite makes are dictionaries: to make and read one of 34 columns, as an
 * alarm has, took 9 µs instead of 4. The names are those of our own statements.
 */
function rowMaker(names: readonly string[]): Prepared['rowOf'] {
  const fields = names.map((name, place) => `${JSON.stringify(name)}: values[${place}]`);
  return new Function('values', `return { ${fields.join(', ')} };`) as Prepared['rowOf'];
}

const readDataVersion = plain('PRAGMA data_version', false);
const raiseSequence = plain('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ? RETURNING seq');
const beginSequence = plain('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');

function plain(text: string, writes = true): Compilable {
  return { compiledFor: () => compiledStatement(text, [], writes) };
}
