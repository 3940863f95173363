// Tests statistic.ts: the fields of section 2.4 in order, and the mean.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarmStatisticSchema, printAlarmStatistic } from './statistic.ts';

const row = { id: 7, tagName: 'Plant/Pump7', message: 'Too hot', priority: 1, code: 42 };

test('the schema has the eight fields in order, all required', () => {
  const fields = [...Object.keys(row), 'failureNumber', 'failureTotalTime', 'failureMeanTime'];
  assert.deepEqual(Object.keys(alarmStatisticSchema.properties), fields);
  assert.deepEqual(alarmStatisticSchema.required, fields);
});

test('the mean is the total over the number, rounded down', () => {
  assert.equal(
    JSON.stringify(printAlarmStatistic({ ...row, failureNumber: 3, failureTotalMs: 450_188_000 })),
    '{"id":7,"tagName":"Plant/Pump7","message":"Too hot","priority":1,"code":42,"failureNumber":3,' +
      '"failureTotalTime":"125:03:08","failureMeanTime":"41:41:02"}',
  );
  assert.equal(printAlarmStatistic({ ...row, failureNumber: 0, failureTotalMs: 0 }).failureMeanTime, '00:00:00');
});
