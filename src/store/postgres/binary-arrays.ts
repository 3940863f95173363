// Encodes rows for PostgreSQL as one array per column, in the binary format of its protocol.
//
// Passed as JSON, decoding the rows took a sixth of the database's time for an alarm.

import type { RowColumn, RowStatement, SqlRow } from '../row-batch.ts';

const headerBytes = 20;
/** The element types by their oid in pg_type. */
const elementTypes = { int: 20, text: 25 } as const;
const intBytes = 8;
const isNull = -1;

/** Returns the parameters of a row statement, one array per column. */
export function arraysOf<R extends SqlRow>({ columns }: RowStatement<R>, rows: readonly R[]): readonly Buffer[] {
  return columns.map((column) => (column.type === 'int' ? intArray(column, rows) : textArray(column, rows)));
}

function intArray({ name, valueIn }: RowColumn, rows: readonly SqlRow[]): Buffer {
  const array = arrayOf('int', rows.length, rows.length * (4 + intBytes));
  let offset = headerBytes;
  for (const row of rows) {
    const value = valueIn(row) ?? null;
    if (value === null) {
      offset = array.writeInt32BE(isNull, offset);
      continue;
    }
    if (!Number.isSafeInteger(value)) throw new TypeError(`No integer for "${name}": ${value}`);
    offset = array.writeInt32BE(intBytes, offset);
    offset = array.writeInt32BE(Math.floor((value as number) / 2 ** 32), offset);
    offset = array.writeUInt32BE((value as number) >>> 0, offset);
  }
  return array.subarray(0, offset);
}

function textArray({ valueIn }: RowColumn, rows: readonly SqlRow[]): Buffer {
  let length = 0;
  for (const row of rows) length += 4 + Buffer.byteLength(String(valueIn(row) ?? ''));
  const array = arrayOf('text', rows.length, length);
  let offset = headerBytes;
  for (const row of rows) {
    const value = valueIn(row) ?? null;
    const written = value === null ? isNull : array.write(String(value), offset + 4);
    array.writeInt32BE(written, offset);
    offset += 4 + Math.max(written, 0);
  }
  return array.subarray(0, offset);
}

/** Allocates an array and writes its header: one dimension, no null bitmap, element type, length, lower bound 1. */
function arrayOf(type: keyof typeof elementTypes, count: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(headerBytes + bytes);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(0, 4);
  array.writeInt32BE(elementTypes[type], 8);
  array.writeInt32BE(count, 12);
  array.writeInt32BE(1, 16);
  return array;
}
