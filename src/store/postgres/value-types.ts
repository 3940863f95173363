// Parsers for values of PostgreSQL's types: numbers and text.

import { types as builtInTypes, type ClientConfig } from 'pg';
import { nearestSafeInteger } from '../safe-integer.ts';

const bigintType = 20;
const numericType = 1700;
const textTypes: ReadonlySet<number> = new Set([25, 1043]);

/** By default `pg` returns bigint and numeric as text; the values that we store all fit into a number. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === bigintType) return readBigint;
    return oid === numericType ? Number : builtInTypes.getTypeParser(oid, format as 'text');
  },
} as NonNullable<ClientConfig['types']>;

function readBigint(text: string): number {
  return nearestSafeInteger(Number(text));
}

/** Returns undefined for types that stay text. */
export function parserOf(oid: number): ((text: string) => unknown) | undefined {
  return textTypes.has(oid) ? undefined : (types.getTypeParser(oid, 'text') as (text: string) => unknown);
}
