// Waiting for something to become as wished, by looking.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Looks until it is as wished; fails, with what was seen last, when that takes longer than `withinMs`. */
export async function until<T>(
  look: () => T | Promise<T>,
  isWished: (value: T) => boolean,
  withinMs = 10_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await look();
    if (isWished(value)) return value;
    assert.ok(Date.now() < deadline, `not as wished after ${withinMs} ms: ${JSON.stringify(value)?.slice(0, 300)}`);
    await pause(5);
  }
}
