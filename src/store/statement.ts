// A statement is a query written once in Kysely and compiled once per database into SQL text with placeholders.

import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { listReader } from './compiled-shape.ts';
import { type StatementTables, tablesOf } from './statement-tables.ts';
import type { Tables } from './tables.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/**
 * Values both databases accept and return without conversion: instants are integers (ms), booleans 0 or 1, lists JSON
 * text.
 */
export type SqlValue = string | number | null;

type Arguments = Readonly<Record<string, SqlValue>>;

export type CompiledStatement = {
  readonly text: string;
  /** The source of each positional parameter: an argument by name, or a constant of the statement. */
  readonly slots: readonly Slot[];
  /** The positional parameters of one execution, in the order of the slots. */
  readonly valuesOf: (args: Arguments) => (SqlValue | undefined)[];
  /** The tables whose rows it reads. */
  readonly reads: readonly string[];
  /** The tables it changes; a failed operation that changed none needs no rollback. */
  readonly writes: readonly string[];
};

type Slot = Placeholder | SqlValue;

export type Compilable = { compiledFor(kind: DatabaseKind): CompiledStatement };

export type Statement<A extends Arguments, R> = Compilable & {
  /** Only carries the types; never set. */
  readonly types?: { readonly args: A; readonly row: R };
};

export class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in for the arguments while the query is built; each property read becomes a placeholder of that name. */
function placeholders<A extends Arguments>(): A {
  return new Proxy({} as A, { get: (_, name) => new Placeholder(String(name)) });
}

/**
 * Writes constants into the SQL text. As parameters they made SQLite prepare the statement again for each execution,
 * because their values decide which index may be used.
 */
class LiteralSqliteCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Placeholder) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

const builders: Record<DatabaseKind, Kysely<Tables>> = {
  sqlite: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new LiteralSqliteCompiler(),
    },
  }),
  postgres: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};

type Build<A, R> = (db: Kysely<Tables>, args: A, kind: DatabaseKind) => { compile(): CompiledQuery<R> };

/** Declares a statement. */
export function statement<A extends Arguments, R = unknown>(build: Build<A, R>): Statement<A, R> {
  return declared((kind) => compile(build(builders[kind], placeholders<A>(), kind).compile()));
}

/** Every statement declared so far, so that a test can go through all of them. */
export const declaredStatements: Compilable[] = [];

/** Returns a statement that is compiled once per database, on first use. */
export function declared(compileFor: (kind: DatabaseKind) => CompiledStatement): Compilable {
  const compiled: Partial<Record<DatabaseKind, CompiledStatement>> = {};
  const made: Compilable = {
    compiledFor(kind) {
      compiled[kind] ??= compileFor(kind);
      return compiled[kind];
    },
  };
  declaredStatements.push(made);
  return made;
}

function compile({ sql: text, parameters, query }: CompiledQuery): CompiledStatement {
  return compiledStatement(text, parameters as readonly Slot[], tablesOf(query));
}

export function compiledStatement(text: string, slots: readonly Slot[], tables: StatementTables): CompiledStatement {
  return { text, slots, valuesOf: valueReader(slots), ...tables };
}

function valueReader(slots: readonly Slot[]): CompiledStatement['valuesOf'] {
  return listReader(slots.map((slot) => (slot instanceof Placeholder ? { property: slot.name } : { constant: slot })));
}

/** Returns the positional parameters of one execution. Throws on a missing argument, which is a bug. */
export function bind(compiled: CompiledStatement, args: Arguments): SqlValue[] {
  const values = compiled.valuesOf(args);
  for (let index = 0; index < values.length; index++) if (values[index] === undefined) throw missing(compiled, index);
  return values as SqlValue[];
}

function missing({ text, slots }: CompiledStatement, index: number): TypeError {
  return new TypeError(`The statement needs an argument "${(slots[index] as Placeholder).name}": ${text}`);
}

/**
 * Declares a statement written as SQL, for text shared by several tables and for SQL that Kysely cannot express. The text
 * names its tables by `table` and `target` of statement-tables.ts.
 */
export function sqlStatement<A extends Arguments, R = unknown>(
  write: (args: A, kind: DatabaseKind) => RawBuilder<unknown>,
): Statement<A, R> {
  return statement<A, R>((db, args, kind) => ({ compile: () => write(args, kind).compile(db) as CompiledQuery<R> }));
}

/** The rows of a JSON list of ids passed as one parameter, so that one statement serves lists of any length. */
export function idsIn(json: string, kind: DatabaseKind) {
  return kind === 'sqlite'
    ? sql<number>`(select value from json_each(${json}))`
    : sql<number>`(select value::bigint from jsonb_array_elements_text(${json}::jsonb) as list(value))`;
}

/**
 * Whether the column holds an id of the JSON list; PostgreSQL then looks each id up in an index, as SQLite does. With a subquery it
 * may walk the whole table beside the list instead, by a plan that was made while the table was nearly empty.
 */
export function isOneOfIds(column: RawBuilder<unknown> | string, json: string, kind: DatabaseKind) {
  const of = typeof column === 'string' ? sql.ref(column) : column;
  return kind === 'sqlite'
    ? sql<SqlBool>`${of} in ${idsIn(json, kind)}`
    : sql<SqlBool>`${of} = any (array${idsIn(json, kind)})`;
}

/** A JSON list of texts as the rows of a table `list` with the column `value`. */
export function textRows(json: string, kind: DatabaseKind) {
  return kind === 'sqlite'
    ? sql`json_each(${json}) as list`
    : sql`jsonb_array_elements_text(${json}::jsonb) as list(value)`;
}

/**
 * A limit hidden from SQLite's planner, for frequent queries. SQLite plans by a limit that is a plain parameter and
 * prepares the statement again for each value, which took longer than reading the rows.
 */
export function opaqueLimit(limit: number, kind: DatabaseKind) {
  return kind === 'sqlite' ? sql<number>`${limit} + 0` : limit;
}

/** Caches what is built for each shape of a query, such as its statements: each combination of conditions is compiled once. */
export function byShape<S, T>(build: (shape: S) => T): (shape: S) => T {
  const built = new Map<string, T>();
  return (shape) => {
    const key = JSON.stringify(shape);
    const found = built.get(key) ?? build(shape);
    built.set(key, found);
    return found;
  };
}
