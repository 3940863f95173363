// Tests which changes of an alarm consoles are told of, and how often.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { emptyDefinition } from './definition.ts';
import { newsDueAt, newsOf } from './news.ts';

const alarm = {
  ...{ stationId: 1, tagGroupId: undefined, priority: 3, dataServerId: 1, name: 'pump', value: '7' },
  definition: emptyDefinition,
  life: { state: 3, mask: undefined },
} as const;
const atRest = { ...alarm, life: { state: 0, mask: undefined } } as const;
const maskedAtRest = { ...atRest, life: { state: 0, mask: { until: 1, reason: '', by: '' } } } as const;

it('a value is news of an alarm that consoles show, and of no other', () => {
  assert.equal(newsOf(alarm, alarm), 'none');
  assert.equal(newsOf(alarm, { ...alarm, value: '8' }), 'gathered');
  assert.equal(newsOf(atRest, { ...atRest, value: '8' }), 'none');
  assert.equal(newsOf(maskedAtRest, { ...maskedAtRest, value: '8' }), 'gathered');
});

it('texts are news also at rest, and what consoles filter by is told at once', () => {
  const definition = { ...emptyDefinition, alarmDelay: 5 };
  assert.equal(newsOf(atRest, { ...atRest, definition }), 'gathered');
  assert.equal(newsOf(atRest, { ...atRest, name: 'pump 7' }), 'gathered');
  for (const other of [{ priority: 1 }, { tagGroupId: 2 }, { stationId: 2 }])
    assert.equal(newsOf(alarm, { ...alarm, ...other, value: '8' }), 'at-once');
});

it('gathered news of one alarm is a quarter of a second apart, also after the clock was set back', () => {
  assert.equal(newsDueAt(undefined, 1_000), 1_000);
  assert.equal(newsDueAt(999, 1_000), 1_249);
  assert.equal(newsDueAt(750, 1_000), 1_000);
  assert.equal(newsDueAt(5_000, 1_000), 1_000);
});
