// Tests intervention.ts: the fields of section 2.5 in order, and undefined means.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarmInterventionSchema, printAlarmIntervention } from './intervention.ts';

const row = { id: 3, user: 'Ana', interventionNumber: 2 };

test('the schema has the five fields in order, all required', () => {
  const fields = [...Object.keys(row), 'reactionMeanTime', 'interventionMeanTime'];
  assert.deepEqual(Object.keys(alarmInterventionSchema.properties), fields);
  assert.deepEqual(alarmInterventionSchema.required, fields);
});

test('an undefined mean is printed as 00:00:00', () => {
  assert.equal(
    JSON.stringify(printAlarmIntervention({ ...row, reactionMeanMs: 65_999, interventionMeanMs: undefined })),
    '{"id":3,"user":"Ana","interventionNumber":2,"reactionMeanTime":"00:01:05","interventionMeanTime":"00:00:00"}',
  );
  const both = printAlarmIntervention({ ...row, reactionMeanMs: undefined, interventionMeanMs: 3_600_000 });
  assert.deepEqual([both.reactionMeanTime, both.interventionMeanTime], ['00:00:00', '01:00:00']);
});
