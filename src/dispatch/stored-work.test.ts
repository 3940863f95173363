// When stored work is begun: not before the last end was noted, suspects last and alone, and never what was given up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quarantined, QuarantineState, Work } from '../domain/quarantine.ts';
import type { Store } from '../store/store.ts';
import { StoredWork } from './stored-work.ts';

const calendar = (id: number) => ({ kind: 'calendar', id }) as const;
const holdBackMs = 10_000;

function workWith(states: Readonly<Record<number, QuarantineState>>) {
  const suspects: (Work & Quarantined)[] = Object.entries(states).map(([id, state]) => ({
    ...calendar(Number(id)),
    ends: [1, 2],
    state,
  }));
  let now = 5_000;
  const held: string[] = [];
  const store = { read: async () => [...suspects] } as unknown as Store;
  const inHand = {
    begin: ({ kind, id }: Work) => void held.push(`+${kind} ${id}`),
    end: ({ kind, id }: Work) => void held.push(`-${kind} ${id}`),
  };
  const clock = { now: () => now, elapsed: () => now };
  const work = new StoredWork({ store, clock, inHand });
  const done: number[] = [];
  const take = (id: number) => work.take(calendar(id), async () => void done.push(id));
  return { work, take, done, held, suspects, advance: (ms: number) => (now += ms) };
}

test('no work is begun before what the last process left is noted', async () => {
  const { work, take, done } = workWith({});
  assert.equal(await take(1), false);
  work.open();
  assert.equal(await take(1), true);
  assert.deepEqual(done, [1]);
});

test('work is in hand while it is done, also when it fails', async () => {
  const { work, held } = workWith({});
  work.open();
  const fails = work.take(calendar(7), () => Promise.reject(new Error('no')));
  await assert.rejects(fails, /no/);
  assert.deepEqual(held, ['+calendar 7', '-calendar 7']);
});

test('suspects are begun after the others, and one at a time', async () => {
  const { work, take, done, advance } = workWith({ 2: 'suspect', 3: 'suspect' });
  work.open();
  assert.deepEqual([await take(2), await take(1)], [false, true]);
  advance(holdBackMs);
  assert.deepEqual([await take(2), await take(3)], [true, false]);
  advance(holdBackMs);
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = work.take(calendar(2), () => promise);
  advance(holdBackMs);
  assert.equal(await take(3), false, 'another one is under way');
  resolve();
  await long;
  advance(holdBackMs);
  assert.equal(await take(3), true);
  assert.deepEqual(done, [1, 2, 3]);
});

test('what was given up is begun when it is released, and not before', async () => {
  const { work, take, done, suspects, advance } = workWith({ 4: 'failed' });
  work.open();
  advance(10 * holdBackMs);
  assert.equal(await take(4), false);
  suspects.splice(0);
  advance(1_000);
  assert.equal(await take(4), true);
  assert.deepEqual(done, [4]);
});
