// The body that a report becomes, and of which kind it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, kindOf } from './report.ts';

test('a report says no more than was given', () => {
  assert.equal(bodyOf({ path: 'a', isNormal: false }), '{"path":"a"}');
  const hot = { path: 'Plant/Pump7', isNormal: false, message: 'Pump 7 is hot', priority: 1, value: '93', group: 7 };
  assert.deepEqual(JSON.parse(bodyOf(hot)), {
    path: 'Plant/Pump7',
    alarmMessage: 'Pump 7 is hot',
    priority: 1,
    value: '93',
    alarmActions: [{ type: 'CallGroup', id: 7 }],
  });
  const cool = { path: 'Plant/Pump7', isNormal: true, message: 'cool again' };
  assert.deepEqual(JSON.parse(bodyOf(cool)), { path: 'Plant/Pump7', raised: false, resetMessage: 'cool again' });
});

test('only a value without a message is a value', () => {
  const report = { path: 'a', isNormal: false, value: '1' };
  assert.deepEqual(
    [report, { ...report, message: 'hot' }, { ...report, isNormal: true }, { path: 'a', isNormal: false }].map(kindOf),
    ['value', 'raise', 'return', 'raise'],
  );
});
