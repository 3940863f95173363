// Polls until a condition holds.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const betweenLooksMs = 5;
/** Far longer than anything takes on a quiet machine: only a test that fails waits for so long. */
const patienceMs = 60_000;

/**
 * Polls until the value is as wished, and returns it; fails with the last value after `withinMs`. It counts its pauses and
 * reads no clock: a clock would go on while the machine suspends this process together with everything it waits for.
 */
export async function until<T>(
  look: () => T | Promise<T>,
  isWished: (value: T) => boolean,
  withinMs = patienceMs,
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += betweenLooksMs) {
    const value = await look();
    if (isWished(value)) return value;
    assert.ok(waitedMs < withinMs, `not as wished after ${withinMs} ms: ${JSON.stringify(value)?.slice(0, 300)}`);
    await pause(betweenLooksMs);
  }
}
