// Tests alarm.ts: the initial life, and the ISA-18.2 name of each state.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AlarmState, isaStateOf, newLife } from './alarm.ts';

const mask = { until: 2, reason: 'works on pump 7', by: 'user:1' };
const names: readonly [state: AlarmState, name: string][] = [
  [0, 'NORM'],
  [1, 'ACKED'],
  [2, 'RTNUN'],
  [3, 'UNACK'],
];

for (const [state, name] of names) {
  test(`state ${state} is ${name}, and SHLVD when masked`, () => {
    assert.equal(isaStateOf({ state, mask: undefined }), name);
    assert.equal(isaStateOf({ state, mask }), 'SHLVD');
  });
}

test('a new alarm is in state 0 and was never raised', () => {
  const rules = { transitory: false, reactivatable: false, resettable: true, temporary: false, alarmDelay: 0 };
  const { state, raisedAt, lastChange } = newLife(rules, 7);
  assert.deepEqual({ state, raisedAt, lastChange }, { state: 0, raisedAt: undefined, lastChange: 7 });
});
