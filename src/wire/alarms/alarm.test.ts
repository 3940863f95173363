// Tests alarm.ts: the twenty fields of section 2.2 in order, and their values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDefinition } from '../../domain/alarms/definition.ts';
import type { AlarmView } from '../../domain/alarms/view.ts';
import { alarmSchema, printAlarm } from './alarm.ts';

const fields = [
  'id',
  'dataServerId',
  'path',
  'fullPath',
  'name',
  'localizedName',
  'value',
  'message',
  'resetMessage',
  'ackMessage',
  'priority',
  'state',
  'masked',
  'alarmTime',
  'lastChange',
  'ackUser',
  'attachedFile',
  'resetAttachedFile',
  'ackAttachedFile',
  'comment',
];

const bare: AlarmView = {
  id: 7,
  dataServerId: 1,
  dataServerName: 'API',
  path: 'Plant/Pump7',
  name: 'Plant/Pump7',
  priority: 3,
  value: '',
  definition: emptyDefinition,
  life: { state: 0, mask: undefined, raisedAt: undefined, lastChange: Date.UTC(2026, 4, 31, 6, 30, 0, 5) },
  createdAt: Date.UTC(2026, 4, 30),
  ackUser: '',
  comment: '',
};
const inParis = { timeZone: 'Europe/Paris' };

test('the schema has the twenty fields in order, all required', () => {
  assert.deepEqual(Object.keys(alarmSchema.properties), fields);
  assert.deepEqual(alarmSchema.required, fields);
});

test('a minimal alarm has every field, and no null', () => {
  const printed = printAlarm(bare, inParis);
  assert.deepEqual(Object.keys(printed), fields);
  assert.equal(
    JSON.stringify(printed),
    '{"id":7,"dataServerId":1,"path":"Plant/Pump7","fullPath":"API\\\\Plant/Pump7","name":"Plant/Pump7",' +
      '"localizedName":"Plant/Pump7","value":"","message":"","resetMessage":"","ackMessage":"","priority":3,"state":0,' +
      '"masked":false,"alarmTime":"2026-05-30T02:00:00.000+02:00","lastChange":"2026-05-31T06:30:00.005","ackUser":"",' +
      '"attachedFile":"","resetAttachedFile":"","ackAttachedFile":"","comment":""}',
  );
});

test('every field prints its own part of the alarm', () => {
  const texts = (of: string) => ({ ...emptyDefinition.alarm, message: `${of} message`, attachedFile: `${of}.pdf` });
  const printed = printAlarm(
    {
      ...bare,
      value: '81.5',
      definition: { names: {}, alarm: texts('alarm'), reset: texts('reset'), ack: texts('ack') },
      life: {
        state: 3,
        mask: { until: 1, reason: 'works', by: 'user:1' },
        raisedAt: Date.UTC(2026, 0, 1),
        lastChange: 0,
      },
      ackUser: 'Ana',
      comment: 'seen',
    },
    { timeZone: 'UTC' },
  );
  assert.deepEqual(printed, {
    id: 7,
    dataServerId: 1,
    path: 'Plant/Pump7',
    fullPath: 'API\\Plant/Pump7',
    name: 'Plant/Pump7',
    localizedName: 'Plant/Pump7',
    value: '81.5',
    message: 'alarm message',
    resetMessage: 'reset message',
    ackMessage: 'ack message',
    priority: 3,
    state: 3,
    masked: true,
    alarmTime: '2026-01-01T00:00:00.000+00:00',
    lastChange: '1970-01-01T00:00:00.000',
    ackUser: 'Ana',
    attachedFile: 'alarm.pdf',
    resetAttachedFile: 'reset.pdf',
    ackAttachedFile: 'ack.pdf',
    comment: 'seen',
  });
});

const cases: readonly [languages: readonly string[], localizedName: string][] = [
  [[], 'Plant/Pump7'],
  [['fr'], 'Pompe 7'],
  [['FR-ca'], 'Pompe 7'],
  [['de-at'], 'Pumpe sieben'],
  [['de'], 'Plant/Pump7'],
  [['it', 'fr'], 'Pompe 7'],
  [['es', 'fr'], 'Pompe 7'],
  [['constructor', 'toString', '', '-'], 'Plant/Pump7'],
];

for (const [languages, localizedName] of cases) {
  test(`Accept-Language [${languages}] selects ${localizedName}`, () => {
    const names = { fr: 'Pompe 7', 'de-AT': 'Pumpe sieben', es: '' };
    const alarm = { ...bare, definition: { ...emptyDefinition, names } };
    assert.equal(printAlarm(alarm, { ...inParis, languages }).localizedName, localizedName);
  });
}
