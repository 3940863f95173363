// An event of the short form is read as it was written, and is short.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Description, descriptionOf, isSameDescription, packEvent, unpackEvent } from './packed-event.ts';
import type { AlarmView } from './view.ts';

const texts = { message: 'The door is open', attachedFile: '' };
const view: AlarmView = {
  id: 7,
  dataServerId: 1,
  dataServerName: 'API',
  path: 'Door',
  name: 'Door',
  priority: 3,
  value: '',
  definition: { names: { fr: 'Porte' }, alarm: texts, reset: texts, ack: texts },
  life: { state: 3, mask: undefined, raisedAt: 1_000, lastChange: 1_000 },
  createdAt: 500,
  ackUser: '',
  comment: '',
};
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

function roundTrip(data: Readonly<Record<string, unknown>>, tagGroupId?: number): unknown {
  const known: Description = plain(descriptionOf({ ...(data.alarm as AlarmView), tagGroupId }));
  return plain(unpackEvent(plain(packEvent(data, 1_000, 12)), 1_000, known, 'API'));
}

test('a transition, a comment and news are read as they were written', () => {
  const taken = { ...view, ackUser: 'ana', ackUserId: 3, comment: 'on my way', value: '9' };
  const masked = { ...view, life: { ...view.life, raisedAt: undefined, mask: { until: 9, reason: 'r', by: 'b' } } };
  const action = { type: 'PlaySound', parameter: 'horn.wav', list: 'alarm' };
  const cases: readonly (readonly [data: Readonly<Record<string, unknown>>, tagGroupId?: number])[] = [
    [{ state: 3, isAnnounced: true, isChanged: true, actions: [], alarm: view, historyId: 5 }],
    [
      { state: 3, isAnnounced: false, isChanged: true, actions: [action], tagGroupId: 4, alarm: taken, historyId: 5 },
      4,
    ],
    [{ comment: 'on my way', tagGroupId: 4, alarm: taken, ackSeenBy: [2], historyId: 5 }, 4],
    [{ was: { stationId: 1, priority: 2 }, alarm: masked }],
  ];
  for (const [data, tagGroupId] of cases) assert.deepEqual(roundTrip(data, tagGroupId), plain(data));
});

test('the return of an alarm takes few bytes, however long its texts are', () => {
  const long = { ...view, definition: { ...view.definition, alarm: { ...texts, message: 'x'.repeat(65_536) } } };
  const data = { state: 2, isAnnounced: false, isChanged: true, actions: [], alarm: long, historyId: 1_234_567 };
  const { length } = JSON.stringify(packEvent(data, 1_794_870_000_000, 123_456));
  assert.ok(length <= 70, `${length} bytes`);
});

test('another text, name or place is another description; a definition that is equal is not', () => {
  const known = descriptionOf(view);
  assert.ok(isSameDescription(known, plain(known)));
  for (const other of [
    { name: 'Gate' },
    { priority: 1 },
    { dataServerId: 2 },
    { tagGroupId: 3 },
    { definition: { ...view.definition, ack: { ...texts, attachedFile: 'a.pdf' } } },
    { definition: { ...view.definition, names: {} } },
  ])
    assert.ok(!isSameDescription(known, { ...known, ...other }), JSON.stringify(other));
});
