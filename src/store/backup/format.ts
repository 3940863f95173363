// The backup format: gzipped lines of JSON, the same for both databases, with row counts and a checksum at the end, so
// that a truncated or altered file is refused before anything is changed.

import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { StartError } from '../../errors.ts';
import { newestVersion, type Schema } from '../schema.ts';
import type { DatabaseKind, SqlValue } from '../statement.ts';
import { GzipEnvelope } from './gzip-envelope.ts';
import type { Ids } from './high-water.ts';

/** Some rows of one table; a backup is a sequence of batches, with all rows of a table together. */
export type RowBatch = {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
};

/** Event ids are internal to a database; after a restore the events of a subject are found by its id instead. */
const internalOfEvents: readonly string[] = ['id', 'previous_id'];

export function isBackedUp({ internalColumns }: Schema, table: string, column: string): boolean {
  const internal = table === 'events' ? internalOfEvents : internalColumns[table];
  return internal?.includes(column) !== true;
}

/** Returns the tables that a backup holds. */
export function backedUpTables({ tables, notInBackups }: Schema): readonly string[] {
  return tables.filter((table) => !notInBackups.includes(table));
}

/** Enough rows for speed. */
export const rowsPerBatch = 256;
/** A batch ends with the row that reaches this many characters: a recording alone may have three million. */
const charactersPerBatch = 1_000_000;

/** Collects rows until they are a batch. */
export class BatchOfRows {
  #rows: (readonly SqlValue[])[] = [];
  #characters = 0;

  /** Returns whether the batch is full. */
  add(row: readonly SqlValue[]): boolean {
    this.#rows.push(row);
    for (const value of row) if (typeof value === 'string') this.#characters += value.length;
    return this.#rows.length >= rowsPerBatch || this.#characters >= charactersPerBatch;
  }

  /** Returns the rows and begins the next batch. */
  take(): RowBatch['rows'] {
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    return rows;
  }
}

/** A consistent snapshot of a database. */
export type Snapshot = {
  readonly database: DatabaseKind;
  readonly schemaVersion: number;
  readonly epoch: string;
  /** The highest ids assigned, including those of deleted rows. */
  readonly ids: Ids;
  readonly batches: AsyncIterable<RowBatch>;
};

export type BackupHeader = Omit<Snapshot, 'batches'> & { readonly createdAt: string; readonly tocsin: string };

/** The number of rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

const format = 'tocsin-backup';
const formatVersion = 1;

/** Yields the lines of a backup, several at a time; updates `counts` on the way. */
export async function* backupLines(
  header: BackupHeader,
  batches: AsyncIterable<RowBatch>,
  counts: Record<string, number>,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const hashed = (text: string): string => {
    hash.update(text);
    return text;
  };
  yield hashed(lineOf({ format, formatVersion, ...header }));
  for await (const { table, columns, rows } of batches) {
    if (counts[table] === undefined) yield hashed(lineOf({ table, columns }));
    counts[table] = (counts[table] ?? 0) + rows.length;
    if (rows.length > 0) yield hashed(rows.map(lineOf).join(''));
  }
  yield lineOf({ rows: counts, sha256: hash.digest('hex') });
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The error for a store that was never started: a backup of it would hold nothing. */
export function nothingToBackUp(): StartError {
  return new StartError(
    'There is nothing to back up: Tocsin has never been started on this database.',
    'data-unusable',
  );
}

/** Reads the whole file and throws unless it is a complete backup this Tocsin can restore; returns what it holds. */
export async function verifyBackup(
  file: string,
  schema: Schema,
  onBatch: (batch: RowBatch) => void,
): Promise<{ header: BackupHeader; rows: number; counts: RowCounts }> {
  const { header, batches } = await openBackup(file, schema);
  const counts: Record<string, number> = {};
  for await (const batch of batches) {
    counts[batch.table] = (counts[batch.table] ?? 0) + batch.rows.length;
    onBatch(batch);
  }
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { header, rows, counts };
}

/**
 * Returns the header and a stream of the rows. They are complete and unaltered only if the stream ends without an
 * error.
 */
export async function openBackup(
  file: string,
  schema: Schema,
): Promise<{ header: BackupHeader; batches: AsyncIterable<RowBatch> }> {
  const lines = linesOf(file);
  const { value: first } = await lines.next();
  const header = readHeader(file, schema, first ?? Buffer.alloc(0));
  const hash = createHash('sha256')
    .update(first ?? '')
    .update('\n');
  return { header, batches: batchesOf(file, checkedLines(file, lines, hash)) };
}

function readHeader(file: string, schema: Schema, line: Buffer): BackupHeader {
  const header = parse(file, line) as Partial<BackupHeader> & { format?: unknown; formatVersion?: unknown };
  if (header.format !== format) throw refusal(file, 'is not a backup made by Tocsin');
  if (header.formatVersion !== formatVersion || !(Number(header.schemaVersion) <= newestVersion(schema))) {
    throw refusal(
      file,
      `was made by a newer Tocsin (${header.tocsin}, schema ${header.schemaVersion}): restore it with that version`,
    );
  }
  return header as BackupHeader;
}

type BackupRow = readonly SqlValue[];
type TableStart = { readonly table: string; readonly columns: readonly string[] };
type Trailer = { readonly rows: RowCounts; readonly sha256: string };
type BackupLine = BackupRow | TableStart | Trailer;

async function* batchesOf(file: string, lines: AsyncIterable<BackupRow | TableStart>): AsyncGenerator<RowBatch> {
  let start: TableStart | undefined;
  const batch = new BatchOfRows();
  for await (const line of lines) {
    if (isRow(line)) {
      if (line.length !== start?.columns.length) throw altered(file);
      if (batch.add(line)) yield { ...start, rows: batch.take() };
      continue;
    }
    if (start !== undefined) yield { ...start, rows: batch.take() };
    start = refuseOddNames(file, line);
  }
  if (start !== undefined) yield { ...start, rows: batch.take() };
}

function isRow(line: BackupLine): line is BackupRow {
  return Array.isArray(line);
}

/** Refuses names that are not plain identifiers, because they are put into SQL. */
function refuseOddNames(file: string, { table, columns }: TableStart): TableStart {
  // An altered file may lack the field.
  if (!Array.isArray(columns)) throw altered(file);
  if (![table, ...columns].every((name) => /^[a-z_][a-z0-9_]*$/.test(name))) throw altered(file);
  return { table, columns };
}

/** Yields the lines between header and trailer; throws at the end unless count and checksum match the trailer. */
async function* checkedLines(
  file: string,
  lines: AsyncIterable<Buffer>,
  hash: Hash,
): AsyncGenerator<BackupRow | TableStart> {
  let rows = 0;
  let trailer: Trailer | undefined;
  for await (const bytes of lines) {
    const line = parse(file, bytes);
    if (trailer !== undefined) throw altered(file);
    if ('sha256' in line) {
      trailer = line;
      continue;
    }
    hash.update(bytes).update('\n');
    if (isRow(line)) rows++;
    yield line;
  }
  if (trailer === undefined) throw cutShort(file);
  const total = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
  if (trailer.sha256 !== hash.digest('hex') || total !== rows) throw altered(file);
}

function parse(file: string, bytes: Buffer): BackupLine {
  try {
    const line = JSON.parse(bytes.toString());
    if (typeof line === 'object' && line !== null) return line;
  } catch {
    // Refused below with an error that names the file.
  }
  throw altered(file);
}

/** Splits at line feeds only: texts may contain other characters that some readers treat as line ends. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const text = createGunzip();
  source.on('error', (error) => text.destroy(error));
  // The parts of a line are joined once, at its end: joined with each part, a line would be copied as often as it has parts.
  let begun: Buffer[] = [];
  const envelope = new GzipEnvelope();
  try {
    for await (const chunk of source.pipe(text) as AsyncIterable<Buffer>) {
      envelope.add(chunk);
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, end)]);
        begun = [];
        from = end + 1;
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
    }
    if (!(await envelope.isAround(file))) throw altered(file);
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    source.destroy();
  }
  if (begun.length > 0) throw cutShort(file);
}

function unreadable(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return cutShort(file);
  if (code === 'ENOENT') return new StartError(`There is no file ${file}.`, 'bad-usage', error);
  if (code.startsWith('E')) return new StartError(`${file} cannot be read (${code}).`, 'data-unusable', error);
  return code.startsWith('Z_') ? refusal(file, 'is not a backup made by Tocsin, or was altered', error) : error;
}

function cutShort(file: string): StartError {
  return refusal(file, 'is cut short');
}

function altered(file: string): StartError {
  return refusal(file, 'is not a backup made by Tocsin, or was altered');
}

function refusal(file: string, what: string, cause?: unknown): StartError {
  return new StartError(`${file} ${what}. Nothing was changed.`, 'data-unusable', cause);
}
