// Reads rows with integers that JavaScript cannot count exactly, which node:sqlite refuses, as the nearest exact ones: one
// such row would otherwise make its table unreadable for lists and backups.

import type { StatementSync } from 'node:sqlite';
import { nearestSafeInteger } from '../safe-integer.ts';

type Row = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Returns the rows that `read` returns from a statement that only reads; it runs again if a row has a large integer. */
export function readAll<T extends Row>(handle: StatementSync, read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    if (!isLargeInteger(error)) throw error;
    return withBigInts(handle, () => read().map(exact));
  }
}

/** As readAll, for a single row. */
export function readOne<T extends Row>(handle: StatementSync, read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isLargeInteger(error)) throw error;
    const row = withBigInts(handle, read);
    return row && exact(row);
  }
}

/** Yields the rows of a statement that only reads; after the first row with a large integer it is run again from there. */
export function* iterateAll<T extends Row>(handle: StatementSync): Generator<T> {
  let count = 0;
  try {
    for (const row of handle.iterate()) {
      count++;
      yield row as unknown as T;
    }
    return;
  } catch (error) {
    if (!isLargeInteger(error)) throw error;
  }
  handle.setReadBigInts(true);
  let index = 0;
  for (const row of handle.iterate()) if (index++ >= count) yield exact(row as unknown as T);
}

function withBigInts<T>(handle: StatementSync, read: () => T): T {
  handle.setReadBigInts(true);
  try {
    return read();
  } finally {
    handle.setReadBigInts(false);
  }
}

function exact<T extends Row>(row: T): T {
  if (Array.isArray(row)) return row.map(nearestSafe) as unknown as T;
  return Object.fromEntries(Object.entries(row).map(([name, from]) => [name, nearestSafe(from)])) as T;
}

/** Returns a value that was read as a large integer as the nearest exact number. */
export function nearestSafe(from: unknown): unknown {
  return typeof from === 'bigint' ? nearestSafeInteger(from) : from;
}

function isLargeInteger(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}
