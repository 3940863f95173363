// Integers of a database that JavaScript cannot count exactly. No operation stores any, but a row with one must be readable.

/** Returns the nearest integer that is exact. */
export function nearestSafeInteger(value: number | bigint): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Number(value)));
}
