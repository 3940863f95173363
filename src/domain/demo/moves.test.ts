// Tests of the moves of the demo plant: the first one, their rate, and that nobody is called for ever.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DemoMove, nextMove, nextMoveAt, type TagNow } from './moves.ts';
import { demoTags, firstTag } from './plant.ts';
import { type DemoTag, isCalled } from './tag.ts';

const madeAt = Date.UTC(2026, 10, 16, 2, 12, 41);
const hourMs = 3_600_000;

type Made = { readonly at: number; readonly move: DemoMove; readonly tags: readonly TagNow[] };

/** Plays the plant for some hours; nobody but its own people acknowledges anything. */
function play(hours: number): readonly Made[] {
  let tags: readonly TagNow[] = demoTags.map(({ path }) => ({ path, state: 0, isMasked: false, raisedAt: undefined }));
  const made: Made[] = [];
  for (let now = madeAt + 10_000, moves = 0; now < madeAt + hours * hourMs; moves++) {
    const moment = { seed: 7, moves, madeAt, now };
    const move = nextMove(tags, moment);
    const next = nextMoveAt(tags, move, moment);
    tags = tags.map((tag) => (move.kind !== 'nothing' && tag.path === move.path ? moved(tag, move, now) : tag));
    made.push({ at: now, move, tags });
    now = next;
  }
  return made;
}

function moved(tag: TagNow, move: DemoMove, now: number): TagNow {
  if (move.kind === 'raise') return { ...tag, state: 3, raisedAt: now };
  return { ...tag, state: tag.state & (move.kind === 'return' ? 2 : 1) };
}

const tagOf = (path: string): DemoTag => demoTags.find((tag) => tag.path === path) as DemoTag;
const calledIn = (tags: readonly TagNow[]) => tags.filter(({ path, state }) => state >= 2 && isCalled(tagOf(path)));

test('the first move raises the alarm that rings, and the same seed makes the same moves', () => {
  const made = play(2);
  assert.deepEqual(made[0]?.move, { kind: 'raise', path: firstTag.path, value: '2.64 m' });
  assert.deepEqual(play(2), made);
});

test('moves come every 20 to 60 seconds in the first hour, and seldom later', () => {
  const made = play(24);
  const gaps = made.slice(1).map(({ at }, index) => at - (made[index]?.at ?? 0));
  assert.ok(Math.min(...gaps) >= 20_000 && Math.max(...gaps) <= 600_000);
  const inFirstHour = made.filter(({ at }) => at < madeAt + hourMs).length;
  assert.ok(inFirstHour >= 60 && inFirstHour <= 180, `${inFirstHour}`);
  assert.ok(made.length - inFirstHour < 23 * 45, `${made.length}`);
});

test('people are called for one alarm at a time, it is taken within five minutes, and few alarms stand', () => {
  const made = play(24);
  for (const { at, tags } of made) {
    const called = calledIn(tags);
    assert.ok(called.length <= 1, 'called at once');
    for (const { raisedAt = 0 } of called) assert.ok(at - raisedAt < 5 * 60_000, 'not taken');
    assert.ok(tags.filter(({ state }) => (state & 1) !== 0).length <= 9, 'stand');
    assert.ok(tags.filter(({ state }) => state >= 2).length <= 9, 'not acknowledged');
  }
  const groups = new Set(made.flatMap(({ tags }) => calledIn(tags).map(({ path }) => tagOf(path).group)));
  assert.deepEqual([...groups].toSorted(), ['Electrical', 'Pumps']);
});
