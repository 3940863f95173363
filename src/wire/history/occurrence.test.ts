// Tests occurrence.ts: the fields of section 2.3 in order, and which are omitted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AlarmHistoryView, alarmHistorySchema, printAlarmHistory } from './occurrence.ts';

const raise = Date.UTC(2026, 4, 31, 6, 30);
const entry: AlarmHistoryView = {
  id: 9,
  tagId: 7,
  tagName: 'Plant/Pump7',
  message: 'Too hot',
  priority: 1,
  alarmTime: raise,
  ackTime: undefined,
  resetTime: undefined,
  comment: '',
  stationId: 2,
  isSystem: false,
  ackUser: '',
};
const always = ['id', 'tagId', 'tagName', 'message', 'priority', 'alarmTime'];
const sometimes = ['ackTime', 'resetTime', 'alarmDuration', 'reactionDuration', 'interventionDuration'];

test('the schema has the twelve fields in order, then those of the full view; fields that may not apply are optional', () => {
  const full = ['stationId', 'system', 'ackUser', 'alarmSeconds', 'reactionSeconds', 'interventionSeconds'];
  assert.deepEqual(Object.keys(alarmHistorySchema.properties), [...always, ...sometimes, 'comment', ...full]);
  assert.deepEqual(alarmHistorySchema.required, [...always, 'comment']);
});

test('an occurrence that is still open has neither ends nor durations', () => {
  assert.equal(
    JSON.stringify(printAlarmHistory(entry, 'Europe/Paris')),
    '{"id":9,"tagId":7,"tagName":"Plant/Pump7","message":"Too hot","priority":1,' +
      '"alarmTime":"2026-05-31T08:30:00.000+02:00","comment":""}',
  );
});

test('an occurrence that is acknowledged and over has everything', () => {
  const over = { ...entry, ackTime: raise + 729_999, resetTime: raise + 450_189_000, comment: 'seen' };
  assert.equal(
    JSON.stringify(printAlarmHistory(over, 'UTC')),
    '{"id":9,"tagId":7,"tagName":"Plant/Pump7","message":"Too hot","priority":1,' +
      '"alarmTime":"2026-05-31T06:30:00.000+00:00","ackTime":"2026-05-31T06:42:09.999+00:00",' +
      '"resetTime":"2026-06-05T11:33:09.000+00:00","alarmDuration":"125:03:09","reactionDuration":"00:12:09",' +
      '"interventionDuration":"124:50:59","comment":"seen"}',
  );
});

test('the full view adds the station, whether Tocsin raised the alarm, and who acknowledged it', () => {
  const full = (more: Partial<AlarmHistoryView>) => {
    const { stationId, system, ackUser } = printAlarmHistory({ ...entry, ...more }, 'UTC', true);
    return { stationId, system, ackUser };
  };
  assert.deepEqual(full({}), { stationId: 2, system: false, ackUser: undefined });
  const acknowledged = { ackTime: raise, ackUser: 'ana', isSystem: true };
  assert.deepEqual(full(acknowledged), { stationId: 2, system: true, ackUser: 'ana' });
});

test('the full view has durations of a day and more in seconds, which no program can read as days', () => {
  const over = { ...entry, ackTime: raise + 729_999, resetTime: raise + 108_900_000 };
  const { alarmDuration, alarmSeconds, reactionSeconds, interventionSeconds } = printAlarmHistory(over, 'UTC', true);
  assert.deepEqual(
    [alarmDuration, alarmSeconds, reactionSeconds, interventionSeconds],
    ['30:15:00', 108_900, 729, 108_170],
  );
});

const present = (times: Partial<AlarmHistoryView>): string[] =>
  Object.keys(printAlarmHistory({ ...entry, ...times }, 'UTC')).filter((field) => sometimes.includes(field));

test('fields that do not apply are omitted', () => {
  assert.deepEqual(present({ ackTime: raise }), ['ackTime', 'reactionDuration']);
  assert.deepEqual(present({ resetTime: raise }), ['resetTime', 'alarmDuration']);
  const lateAck = present({ ackTime: raise + 2, resetTime: raise + 1 });
  assert.deepEqual(lateAck, ['ackTime', 'resetTime', 'alarmDuration', 'reactionDuration']);
});
