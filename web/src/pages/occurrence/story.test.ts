// Tests story.ts: what the entry says of an occurrence whose events are no longer kept, and nothing that it does not say.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlarmEvent, AlarmHistory } from '@tocsin/client';
import type { Names } from '../../data/names.ts';
import { en } from '../../words/en/en.ts';
import { missingOf, mostEvents, storyOf } from './story.ts';

const names: Names = { byId: (id) => `person ${id}`, byName: (name) => name };
const facts = { words: en, names, groupName: () => 'Pumps' };
const alarmTime = '2026-11-16T03:00:00Z';
const ackTime = '2026-11-16T03:05:00Z';
const commented = { id: 1, tagId: 7, alarmTime, comment: 'oil topped up' } as AlarmHistory;
const taken: AlarmHistory = { ...commented, ackTime, ackUser: 'bo' };

function event(kind: string, { time = ackTime, data = {} } = {}): AlarmEvent {
  return { time, event: kind, actor: 'cem', data };
}

function told(entry: AlarmHistory, events: readonly AlarmEvent[] = []): readonly string[] {
  const lines = storyOf(entry, { attempts: [], events }, facts);
  return lines.map(({ text, why }) => `${text}|${why}`);
}

test('the comment of an entry whose events are gone has a line of its own: nobody says who wrote it, or when', () => {
  assert.deepEqual(told(taken), ['Raised|', 'Acknowledged|by bo', 'Comment: oil topped up|']);
  const [, , comment] = storyOf(taken, { attempts: [], events: [] }, facts);
  assert.equal(comment?.at, undefined);
});

test('an entry that nobody acknowledged keeps its comment', () => {
  assert.deepEqual(told(commented), ['Raised|', 'Comment: oil topped up|']);
});

test('a comment that an event tells is told once, with its name', () => {
  const comment = event('commented', { data: { comment: 'oil topped up' } });
  assert.deepEqual(told(commented, [comment]), ['Raised|', 'Comment: oil topped up|by cem']);
});

test('a comment that came with the acknowledgement is told beside one that came before', () => {
  const before = event('commented', { data: { comment: 'on my way' } });
  const lines = told(taken, [event('raised', { time: alarmTime }), before, event('acknowledged')]);
  assert.deepEqual(lines.slice(1), ['Comment: on my way|by cem', 'Acknowledged|by bo', 'Comment: oil topped up|']);
});

test('events that lack the raise are cut: the older ones are not kept any more', () => {
  assert.equal(missingOf([event('acknowledged'), event('returned')]), 'gone');
  assert.equal(missingOf([event('call.round')]), 'gone');
  for (const kind of ['raised', 'reactivated'])
    assert.equal(missingOf([event(kind), event('acknowledged')]), undefined);
});

test('of an occurrence with more events than are told the older ones are not said to be gone', () => {
  const newest = Array.from({ length: mostEvents }, () => event('call.round'));
  assert.equal(missingOf(newest), 'older');
  assert.equal(missingOf([event('raised', { time: alarmTime }), ...newest.slice(1)]), undefined);
});
