// Statements that go to PostgreSQL without waiting for each other: prepared once on a connection, answered in their order.
//
// What `pg` does for each statement - a description of its rows, a sync, and so a write and a read of the socket - is done
// here once for all that is asked at a time. A statement that fails has PostgreSQL pass over the rest up to the sync.

import { type ClientBase, type Connection, type FieldDef, Query } from 'pg';
import type { SqlValue } from '../statement.ts';
import { parserOf } from './value-types.ts';

type Row = Readonly<Record<string, unknown>>;
type Fields = readonly (string | null)[];

/** Bytes are in the binary form of their type. */
type Parameter = SqlValue | Buffer;

export type Answer = {
  readonly rows: readonly Row[];
  /** How many rows were found or changed. */
  readonly count: number;
  /** Such as `SELECT` or, of a COMMIT that was none, `ROLLBACK`. */
  readonly command: string;
};

/** A statement as one connection knows it. */
type Prepared = { readonly name: string; rowOf: (fields: Fields) => Row };

type Sent = {
  readonly prepared: Prepared;
  readonly rows: Row[];
  readonly resolve?: (answer: Answer) => void;
  readonly reject?: (error: unknown) => void;
};

const pipelines = new WeakMap<ClientBase, Pipeline>();

export class Pipeline {
  readonly #client: ClientBase;
  readonly #prepared = new Map<unknown, Prepared>();
  #named = 0;
  #flight: Flight | undefined;

  private constructor(client: ClientBase) {
    this.#client = client;
  }

  static of(client: ClientBase): Pipeline {
    const pipeline = pipelines.get(client) ?? new Pipeline(client);
    pipelines.set(client, pipeline);
    return pipeline;
  }

  /** Sent on; its failure shows in what is asked next. `key` is what the statement is known again by. */
  send(key: unknown, text: string, values: readonly Parameter[] = []): void {
    this.#add(key, text, values, {});
    this.#flight?.connection?.stream.uncork();
  }

  /** Goes with what is sent next. */
  sendLater(key: unknown, text: string): void {
    this.#add(key, text, [], {});
  }

  /** What is asked in one turn is answered together. */
  ask(key: unknown, text: string, values: readonly SqlValue[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const flight = this.#add(key, text, values, { resolve, reject });
      queueMicrotask(() => this.#endOf(flight));
    });
  }

  /** Waits until all that was sent is known to have succeeded. */
  async settle(): Promise<void> {
    const flight = this.#flight;
    if (flight === undefined) return;
    this.#endOf(flight);
    await flight.over();
  }

  /** What is sent from now on is looked at even if something before it failed. */
  part(): void {
    this.#endOf(this.#flight);
  }

  #add(key: unknown, text: string, values: readonly Parameter[], waiting: Pick<Sent, 'resolve' | 'reject'>): Flight {
    this.#flight ??= new Flight(this.#client);
    const flight = this.#flight;
    const known = this.#prepared.get(key);
    const prepared = known ?? { name: `tocsin_${++this.#named}`, rowOf: () => ({}) };
    if (known === undefined) {
      this.#prepared.set(key, prepared);
      // It may be prepared or not, so it is prepared anew under another name.
      flight.onFailure(() => this.#prepared.get(key) === prepared && this.#prepared.delete(key));
    }
    flight.add({ prepared, rows: [], ...waiting }, known === undefined ? text : undefined, values);
    return flight;
  }

  #endOf(flight: Flight | undefined): void {
    if (flight === undefined || flight !== this.#flight) return;
    this.#flight = undefined;
    flight.end();
  }
}

/** What is sent up to a sync. To `pg` it is one query, whose messages are handed to it. */
class Flight extends Query {
  connection: Connection | undefined;
  readonly #sent: Sent[] = [];
  #answered = 0;
  #failure: { readonly error: unknown } | undefined;
  readonly #undo: (() => void)[] = [];
  readonly #over = Promise.withResolvers<void>();
  /** The client has it stop the clock of the query. */
  callback: (error?: unknown) => void = () => {};

  constructor(client: ClientBase) {
    super({ text: '' });
    this.#over.promise.catch(() => {});
    client.query(this);
  }

  override readonly submit = (connection: Connection): null => {
    this.connection = connection;
    return null;
  };

  /** `text` is given when it is not prepared yet. */
  add(sent: Sent, text: string | undefined, values: readonly Parameter[]): void {
    const { connection } = this;
    if (this.#failure !== undefined) sent.reject?.(this.#failure.error);
    this.#sent.push(sent);
    if (connection === undefined) return;
    if (connection.stream.writableCorked === 0) connection.stream.cork();
    const { name } = sent.prepared;
    if (text !== undefined) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: values.map(wireForm) } as never, true);
    if (text !== undefined) connection.describe({ type: 'P' }, true);
    connection.execute(null, true);
  }

  onFailure(undo: () => void): void {
    this.#undo.push(undo);
  }

  end(): void {
    this.connection?.sync();
    this.connection?.stream.uncork();
  }

  over(): Promise<void> {
    return this.#over.promise;
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const sent = this.#sent[this.#answered];
    if (sent !== undefined) sent.prepared.rowOf = rowMaker(fields);
  }

  handleDataRow({ fields }: { fields: Fields }): void {
    const sent = this.#sent[this.#answered];
    sent?.rows.push(sent.prepared.rowOf(fields));
  }

  handleCommandComplete({ text }: { text: string }): void {
    const sent = this.#sent[this.#answered++];
    if (sent?.resolve === undefined) return;
    const [command = '', ...numbers] = text.split(' ');
    sent.resolve({ rows: sent.rows, count: Number(numbers.at(-1) ?? 0), command });
  }

  /** The first failure counts: what follows it says only that it follows one. */
  handleError(error: unknown): void {
    this.callback(error);
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    for (const undo of this.#undo) undo();
    for (const { reject } of this.#sent.slice(this.#answered)) reject?.(error);
    this.#over.reject(error);
  }

  handleReadyForQuery(): void {
    this.callback();
    this.#over.resolve();
  }
}

function wireForm(value: Parameter): string | Buffer | null {
  return value === null || Buffer.isBuffer(value) ? value : String(value);
}

/** Makes objects of one shape. The names are those of our own statements. */
function rowMaker(fields: readonly FieldDef[]): Prepared['rowOf'] {
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  const values = fields.map(({ name }, place) => {
    const value =
      parsers[place] === undefined ? `f[${place}]` : `f[${place}] === null ? null : p[${place}](f[${place}])`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  const make = new Function('f', 'p', `return { ${values.join(', ')} };`);
  return (given) => make(given, parsers) as Row;
}
