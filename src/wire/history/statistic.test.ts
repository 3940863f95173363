// Tests statistic.ts: the fields of section 2.4 in order, and the mean.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarmStatisticSchema, printAlarmStatistic } from './statistic.ts';

const row = { id: 7, tagName: 'Plant/Pump7', message: 'Too hot', priority: 1, code: 42 };
const view = { ...row, isSystem: false };

test('the schema has the eight fields in order, all required, then that of the full view', () => {
  const fields = [...Object.keys(row), 'failureNumber', 'failureTotalTime', 'failureMeanTime'];
  assert.deepEqual(Object.keys(alarmStatisticSchema.properties), [
    ...fields,
    'system',
    'failureTotalSeconds',
    'failureMeanSeconds',
  ]);
  assert.deepEqual(alarmStatisticSchema.required, fields);
});

test('the mean is the total over the number, rounded down', () => {
  assert.equal(
    JSON.stringify(printAlarmStatistic({ ...view, failureNumber: 3, failureTotalMs: 450_188_000 })),
    '{"id":7,"tagName":"Plant/Pump7","message":"Too hot","priority":1,"code":42,"failureNumber":3,' +
      '"failureTotalTime":"125:03:08","failureMeanTime":"41:41:02"}',
  );
  assert.equal(printAlarmStatistic({ ...view, failureNumber: 0, failureTotalMs: 0 }).failureMeanTime, '00:00:00');
});

test('the full view says whether Tocsin raised it', () => {
  const counted = { ...view, failureNumber: 1, failureTotalMs: 0 };
  assert.deepEqual(
    [counted, { ...counted, isSystem: true }].map((one) => printAlarmStatistic(one, true).system),
    [false, true],
  );
  assert.equal('system' in printAlarmStatistic(counted), false);
  const { failureTotalSeconds, failureMeanSeconds } = printAlarmStatistic(
    { ...view, failureNumber: 2, failureTotalMs: 108_900_000 },
    true,
  );
  assert.deepEqual([failureTotalSeconds, failureMeanSeconds], [108_900, 54_450]);
});
