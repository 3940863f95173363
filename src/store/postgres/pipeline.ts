// Pipelines prepared statements to PostgreSQL: sends them without waiting for each other and reads the results in
// order.
//
// `pg` sends a row description request and a sync for each statement, each with a write and a read of the socket; here
// that is done once for all statements sent together. After a failed statement PostgreSQL skips the rest up to the
// sync.

import { type ClientBase, type Connection, type FieldDef, Query } from 'pg';
import { recordMaker, type ShapeField } from '../compiled-shape.ts';
import type { SqlValue } from '../statement.ts';
import { parserOf } from './value-types.ts';

type ResultRow = Readonly<Record<string, unknown>>;
type Fields = readonly (string | null)[];

/** A buffer holds the binary format of its type. */
type Parameter = SqlValue | Buffer;

export type StatementResult = {
  readonly rows: readonly ResultRow[];
  /** The number of rows found or changed. */
  readonly count: number;
  /** The command tag: `SELECT`, or `ROLLBACK` for a COMMIT that was rolled back. */
  readonly command: string;
};

/** A statement prepared on one connection. */
type Prepared = { readonly name: string; rowOf: (fields: Fields) => ResultRow };

type Sent = {
  readonly prepared: Prepared;
  readonly rows: ResultRow[];
  readonly resolve?: (result: StatementResult) => void;
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

  /**
   * Sends a statement without waiting; its failure surfaces in the next `ask`. `key` identifies the prepared statement.
   */
  send(key: unknown, text: string, values: readonly Parameter[] = []): void {
    this.#add(key, text, values, {});
    this.#flight?.connection?.stream.uncork();
  }

  /** Queues a statement that is sent with the next one. */
  sendLater(key: unknown, text: string): void {
    this.#add(key, text, [], {});
  }

  /** Sends a statement and returns its result; statements asked in one turn of the event loop share a sync. */
  ask(key: unknown, text: string, values: readonly SqlValue[] = []): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      const flight = this.#add(key, text, values, { resolve, reject });
      queueMicrotask(() => this.#end(flight));
    });
  }

  /** Waits until every statement sent is known to have succeeded. */
  async settle(): Promise<void> {
    const flight = this.#flight;
    if (flight === undefined) return;
    this.#end(flight);
    await flight.finished();
  }

  /** Ends the current flight: later statements run even if an earlier one failed. */
  split(): void {
    this.#end(this.#flight);
  }

  #add(key: unknown, text: string, values: readonly Parameter[], waiting: Pick<Sent, 'resolve' | 'reject'>): Flight {
    this.#flight ??= new Flight(this.#client);
    const flight = this.#flight;
    const known = this.#prepared.get(key);
    const prepared = known ?? { name: `tocsin_${++this.#named}`, rowOf: () => ({}) };
    if (known === undefined) {
      this.#prepared.set(key, prepared);
      // After a failure it is unknown whether it is prepared, so it is prepared again under another name.
      flight.onFailure(() => this.#prepared.get(key) === prepared && this.#prepared.delete(key));
    }
    flight.add({ prepared, rows: [], ...waiting }, known === undefined ? text : undefined, values);
    return flight;
  }

  #end(flight: Flight | undefined): void {
    if (flight === undefined || flight !== this.#flight) return;
    this.#flight = undefined;
    flight.end();
  }
}

/** The statements sent up to one sync. For `pg` they are a single query that receives their messages. */
class Flight extends Query {
  connection: Connection | undefined;
  readonly #sent: Sent[] = [];
  #completed = 0;
  #failure: { readonly error: unknown } | undefined;
  readonly #undo: (() => void)[] = [];
  readonly #finished = Promise.withResolvers<void>();
  /** Called by the client to stop the query's timeout. */
  callback: (error?: unknown) => void = () => {};

  constructor(client: ClientBase) {
    super({ text: '' });
    this.#finished.promise.catch(() => {});
    client.query(this);
  }

  override readonly submit = (connection: Connection): null => {
    this.connection = connection;
    return null;
  };

  /** `text` is set when the statement is not prepared yet. */
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

  finished(): Promise<void> {
    return this.#finished.promise;
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const sent = this.#sent[this.#completed];
    if (sent !== undefined) sent.prepared.rowOf = recordMaker(fields.map(shapeOf));
  }

  handleDataRow({ fields }: { fields: Fields }): void {
    const sent = this.#sent[this.#completed];
    sent?.rows.push(sent.prepared.rowOf(fields));
  }

  handleCommandComplete({ text }: { text: string }): void {
    const sent = this.#sent[this.#completed++];
    if (sent?.resolve === undefined) return;
    const [command = '', ...numbers] = text.split(' ');
    sent.resolve({ rows: sent.rows, count: Number(numbers.at(-1) ?? 0), command });
  }

  /** Keeps the first failure; later ones only report that an earlier statement failed. */
  handleError(error: unknown): void {
    this.callback(error);
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    for (const undo of this.#undo) undo();
    for (const { reject } of this.#sent.slice(this.#completed)) reject?.(error);
    this.#finished.reject(error);
  }

  handleReadyForQuery(): void {
    this.callback();
    this.#finished.resolve();
  }
}

function wireForm(value: Parameter): string | Buffer | null {
  return value === null || Buffer.isBuffer(value) ? value : String(value);
}

function shapeOf({ name, dataTypeID }: FieldDef): ShapeField<string> {
  return { name, parse: parserOf(dataTypeID) };
}
