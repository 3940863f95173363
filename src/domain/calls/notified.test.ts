// What is left of what an attempt told, and whether a further call would tell something new.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarmsNamed, stillTold, type Told, toldByEither, toldName, toldThing } from './notified.ts';
import { howToReply, readBack } from './text-reply.ts';

const alarm = (id: number) => ({ id, list: 'alarm', alarm_id: 100 + id });
const news = (id: number) => ({ id, list: 'reset', alarm_id: 100 });
const twelve = Array.from({ length: 12 }, (_, index) => alarm(index + 1));
const ten = twelve.slice(0, 10).map(toldName);

test('what can be taken, what is known of, and whether there is more to tell', () => {
  const table: readonly [told: Told, open: readonly ReturnType<typeof alarm>[], expected: [number, number, boolean]][] =
    [
      [{ names: ['alarm 101'], upTo: 0 }, [alarm(1)], [1, 1, false]],
      [{ names: ['alarm 101'], upTo: 0 }, [alarm(1), alarm(2)], [1, 1, true]],
      [{ names: ['alarm 101'], upTo: 0 }, [], [0, 0, false]],
      [{ names: ['cause 2'], upTo: 0 }, [news(2), news(3)], [1, 1, true]],
      // Only counted: known of, but nothing to take, and nothing new as long as the same ten would be told.
      [{ names: ten, upTo: 12 }, twelve, [10, 12, false]],
      [{ names: ten, upTo: 12 }, [...twelve, alarm(13)], [10, 12, true]],
      [{ names: ten, upTo: 12 }, twelve.slice(1), [9, 11, true]],
      [{ names: ten, upTo: 12 }, twelve.slice(10), [0, 2, true]],
    ];
  for (const [told, open, expected] of table) {
    const { named, known, hasMore } = stillTold(told, open);
    assert.deepEqual([named.length, known.length, hasMore], expected, JSON.stringify([told, open]));
  }
});

test('made again, only what both messages name was told for sure', () => {
  const before = { names: ['alarm 1', 'alarm 2'], upTo: 9 };
  const again = { names: ['alarm 3', 'alarm 1'], upTo: 12 };
  assert.deepEqual(toldByEither(before, again), { names: ['alarm 1'], upTo: 9 });
  assert.equal(toldByEither(before, { ...again, upTo: 0 }).upTo, 0);
});

test('alarms are told apart from news', () => {
  assert.deepEqual([alarm(1), news(2)].map(toldThing), [
    { name: 'alarm 101', isAlarm: true },
    { name: 'cause 2', isAlarm: false },
  ]);
  assert.deepEqual(alarmsNamed(['alarm 101', 'cause 2']), [101]);
});

test('how to reply to a text, and what is sent back', () => {
  const things = (alarms: number, others: number) =>
    [...twelve.slice(0, alarms), ...twelve.slice(0, others).map(({ id }) => news(id))].map(toldThing);
  assert.equal(howToReply('47', things(1, 0), 1), 'Reply 47 to take it.');
  assert.equal(howToReply('47', things(2, 0), 2), 'Reply 47 to take them.');
  assert.equal(howToReply('47', things(1, 1), 2), 'Reply 47 to take the alarm above.');
  assert.equal(howToReply('47', things(10, 0), 12), 'Reply 47 to take the 10 alarms above.');
  assert.equal(howToReply('47', things(0, 1), 1), 'Reply 47 to confirm that you have read it.');
  assert.equal(readBack(0, undefined), 'Thank you.');
  assert.equal(readBack(1, undefined), 'You have taken it. Thank you.');
  assert.equal(readBack(3, undefined), 'You have taken 3 alarms. Thank you.');
  assert.equal(readBack(0, 'over'), 'It is over already.');
  assert.equal(readBack(0, 'taken-already'), 'It was taken already.');
});
