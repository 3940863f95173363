// Waits until a condition holds, by polling.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const pollEveryMs = 5;
/** Far longer than anything takes on a quiet machine: only a test that fails waits for so long. */
const patienceMs = 60_000;

/**
 * Polls until the value is accepted; fails, with the last value, after `withinMs`. It counts its pauses instead of reading
 * a clock, which would run on while the machine suspends this process and everything it waits for.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  isAccepted: (value: T) => boolean,
  withinMs = patienceMs,
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += pollEveryMs) {
    const value = await read();
    if (isAccepted(value)) return value;
    assert.ok(waitedMs < withinMs, `not accepted after ${withinMs} ms: ${JSON.stringify(value)?.slice(0, 300)}`);
    await pause(pollEveryMs);
  }
}

export async function untilEqual<T>(read: () => T, expected: T, withinMs = patienceMs): Promise<void> {
  await until(
    async () => read(),
    (value) => JSON.stringify(value) === JSON.stringify(expected),
    withinMs,
  );
}

/** Polls until the value has not changed for many polls. */
export async function untilStill(read: () => number): Promise<void> {
  let last = Number.NaN;
  let sameFor = 0;
  await untilEqual(() => {
    sameFor = read() === last ? sameFor + 1 : 0;
    last = read();
    return sameFor >= 20;
  }, true);
}
