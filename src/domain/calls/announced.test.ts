// Which announced causes are still open.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Announced, alarmIdsOf, announcedByBoth, announcedItem, openAnnounced } from './announced.ts';
import { howToReply } from './replies/text-reply.ts';
import { wordsIn } from './words/catalogue.ts';

const alarm = (id: number) => ({ id, kind: 'alarm', list: 'alarm', alarm_id: 100 + id });
const news = (id: number) => ({ id, kind: 'alarm', list: 'reset', alarm_id: 100 });
const twelve = Array.from({ length: 12 }, (_, index) => alarm(index + 1));
const ten = twelve.slice(0, 10).map(announcedItem);

test('open causes are split into those that can be taken, those that were counted, and others', () => {
  type Row = [announced: Announced, open: readonly ReturnType<typeof alarm>[], expected: [number, number]];
  const ids = twelve.map(({ id }) => id);
  const table: readonly Row[] = [
    [{ items: [{ alarmId: 101 }], causes: [1] }, [alarm(1)], [1, 1]],
    [{ items: [{ alarmId: 101 }], causes: [1] }, [alarm(1), alarm(2)], [1, 1]],
    [{ items: [{ alarmId: 101 }], causes: [1] }, [], [0, 0]],
    [{ items: [{ causeId: 2 }], causes: [2] }, [news(2), news(3)], [1, 1]],
    [{ items: [{ causeId: 101 }], causes: [] }, [alarm(1)], [0, 0]],
    // Causes that were only counted are known but cannot be taken.
    [{ items: ten, causes: ids }, twelve, [10, 12]],
    [{ items: ten, causes: ids }, [...twelve, alarm(13)], [10, 12]],
    [{ items: ten, causes: ids }, twelve.slice(1), [9, 11]],
    [{ items: ten, causes: ids }, twelve.slice(10), [0, 2]],
    // A newer cause of the same alarm was not announced: it is another occurrence.
    [{ items: [{ alarmId: 101 }], causes: [1] }, [{ ...alarm(1), id: 7 }], [0, 0]],
  ];
  for (const [announced, open, expected] of table) {
    const { named, known } = openAnnounced(announced, open);
    assert.deepEqual([named.length, known.length], expected, JSON.stringify([announced, open]));
  }
});

test('an attempt that was made twice announced only what both messages did', () => {
  const before = { items: [{ alarmId: 1 }, { alarmId: 2 }, { causeId: 4 }], causes: [1, 2, 4, 9] };
  const again = { items: [{ alarmId: 3 }, { alarmId: 1 }, { causeId: 2 }], causes: [3, 1, 2, 9] };
  assert.deepEqual(announcedByBoth(before, again), { items: [{ alarmId: 1 }], causes: [1, 2, 9] });
});

test('an alarm is announced by the id of the alarm, any other cause by its own', () => {
  const drill = { id: 3, kind: 'test', list: '', alarm_id: null };
  const items = [alarm(1), news(2), drill].map(announcedItem);
  assert.deepEqual(items, [{ alarmId: 101 }, { causeId: 2 }, { causeId: 3, isTest: true }]);
  assert.deepEqual(alarmIdsOf(items), [101]);
});

test('how to reply to a text', () => {
  const en = wordsIn('en');
  const items = (alarms: number, others: number) =>
    [...twelve.slice(0, alarms), ...twelve.slice(0, others).map(({ id }) => news(id))].map(announcedItem);
  assert.equal(howToReply('47', items(1, 0), 1, en), 'Reply 47 to take it.');
  assert.equal(howToReply('47', items(2, 0), 2, en), 'Reply 47 to take them.');
  assert.equal(howToReply('47', items(1, 1), 2, en), 'Reply 47 to take the alarm above.');
  assert.equal(howToReply('47', items(10, 0), 12, en), 'Reply 47 to take the 10 alarms above.');
  assert.equal(howToReply('47', items(0, 1), 1, en), 'Reply 47 to confirm that you have read it.');
});
