// Tests how long one pass of a call group takes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PeopleSnapshot } from '../people/call-group.ts';
import { defaultNumber } from '../people/entities.ts';
import type { ContactNumber, Person } from '../people/person.ts';
import { passSeconds } from './group-pass.ts';

const number = (channel: string, more: Partial<ContactNumber> = {}): ContactNumber => ({
  ...defaultNumber,
  id: 1,
  channel,
  address: 'x',
  ...more,
});

function snapshotOf(...people: readonly (readonly ContactNumber[])[]): PeopleSnapshot {
  const members = people.map((_, index) => ({ userId: index + 1, relief: false }));
  return {
    people: new Map(people.map((numbers, index) => [index + 1, { id: index + 1, numbers } as unknown as Person])),
    teams: new Map([[1, { id: 1, name: '', colour: '', members }]]),
    groups: new Map(),
    schedules: new Map(),
  };
}

test('a pass rings everybody at once or one after the other, each on all numbers that ring', () => {
  const twice = number('voice', { countTry: 2, timeToRetrySeconds: 60 });
  const text = number('sms', { countAck: 1, timeToAckSeconds: 100 });
  const notice = number('sms', { final: false, timeToAckSeconds: 1_000 });
  const snapshot = snapshotOf([twice, text, notice], [number('voice')]);
  const group = { teamIds: [1], scheduleId: undefined };
  assert.equal(passSeconds({ ...group, callMode: 'all' }, snapshot), 120 + 200);
  assert.equal(passSeconds({ ...group, callMode: 'turn' }, snapshot), 120 + 200 + 30);
  assert.equal(passSeconds({ ...group, callMode: 'turn', teamIds: [] }, snapshot), 0);
});
