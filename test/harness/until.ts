// Waiting for something to become as wished, by looking.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const betweenLooksMs = 5;

/**
 * Looks until it is as wished; fails, with what was seen last, when it has waited for `withinMs`. It counts its pauses and
 * asks no clock, which would run on while the machine holds this process up together with all that it waits for.
 */
export async function until<T>(
  look: () => T | Promise<T>,
  isWished: (value: T) => boolean,
  withinMs = 10_000,
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += betweenLooksMs) {
    const value = await look();
    if (isWished(value)) return value;
    assert.ok(waitedMs < withinMs, `not as wished after ${withinMs} ms: ${JSON.stringify(value)?.slice(0, 300)}`);
    await pause(betweenLooksMs);
  }
}
