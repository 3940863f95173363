// The troubles of calling, each by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallingState, type EngineProgress, troublesOf } from './calling-health.ts';

const now = 1_000_000;
const wellState: CallingState = {
  isSimulated: false,
  isLastResortReachable: true,
  isLastResortUnverified: false,
  isLastResortUnanswered: false,
  isSetAside: false,
};
const wellProgress: EngineProgress = {
  audit: { at: now - 130_000, isClean: true },
  cycleAt: now - 30_000,
  eventDelayMs: 5_000,
};

test('calling without trouble is healthy', () => assert.deepEqual(troublesOf(wellState, wellProgress, now), []));

const cases: readonly [
  state: Partial<CallingState> | undefined,
  progress: Partial<EngineProgress>,
  expected: string,
][] = [
  [undefined, {}, 'database-unavailable'],
  [{ isLastResortReachable: false }, {}, 'nobody-reachable'],
  [{ isLastResortUnverified: true }, {}, 'number-not-verified'],
  [{ isLastResortUnanswered: true }, {}, 'last-resort-unanswered'],
  [{ isSetAside: true }, {}, 'call-set-aside'],
  [{}, { audit: { at: now, isClean: false } }, 'gaps-found'],
  [{}, { audit: { at: now - 130_001, isClean: true } }, 'not-audited'],
  [{}, { cycleAt: now - 30_001 }, 'engine-stalled'],
  [{}, { eventDelayMs: 5_001 }, 'events-delayed'],
];

for (const [state, progress, expected] of cases)
  test(`${expected} is reported alone`, () => {
    const given = state && { ...wellState, ...state };
    assert.deepEqual(troublesOf(given, { ...wellProgress, ...progress }, now), [expected]);
  });
