// Tests the health of a provider by half-hours.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { halfHourMs, halfHours, type StateChange } from './system-report.ts';

const now = 100 * halfHourMs;
const ago = (count: number) => now - count * halfHourMs;

it('a half-hour is down if it was at any time, and unknown before anything is known', () => {
  assert.deepEqual([...new Set(halfHours([], now))], ['unknown']);
  assert.deepEqual([...new Set(halfHours([{ at: ago(90), state: 'up' }], now))], ['up']);
  const outage: readonly StateChange[] = [
    { at: ago(60), state: 'up' },
    { at: ago(10.5), state: 'down' },
    { at: ago(9.5), state: 'up' },
  ];
  const states = halfHours(outage, now);
  assert.deepEqual(
    states.flatMap((state, index) => (state === 'down' ? [48 - index] : [])),
    [11, 10],
  );
  const fresh = halfHours([{ at: ago(1.5), state: 'up' }], now);
  assert.deepEqual(fresh.slice(-3), ['unknown', 'unknown', 'up']);
  assert.equal(halfHours([{ at: now, state: 'down' }], now).at(-1), 'down');
});
