// Tests the order and the limits of password hashing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../errors.ts';
import { inHashingTurn } from './hashing-queue.ts';

/** Occupies both slots until the returned function is called. */
function occupy(): () => Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const both = [inHashingTurn('stranger', () => promise), inHashingTurn('stranger', () => promise)];
  return () => {
    resolve();
    return Promise.all(both);
  };
}

test('known callers go before strangers who have waited longer, at most two at a time', async () => {
  const free = occupy();
  const order: string[] = [];
  let running = 0;
  const work = (name: string) => async () => {
    assert.ok(++running <= 2);
    order.push(name);
    await new Promise(setImmediate);
    running--;
  };
  const all = ['a', 'b', 'c'].map((name) => inHashingTurn('stranger', work(`stranger ${name}`)));
  all.push(...['d', 'e'].map((name) => inHashingTurn('known', work(`known ${name}`))));
  await free();
  await Promise.all(all);
  assert.deepEqual(order, ['known d', 'known e', 'stranger a', 'stranger b', 'stranger c']);
});

test('a full queue of strangers refuses further strangers and no known caller', async () => {
  const free = occupy();
  const waiting = Array.from({ length: 200 }, () => inHashingTurn('stranger', async () => 'done'));
  await assert.rejects(
    inHashingTurn('stranger', async () => 'done'),
    (error) => error instanceof AppError && error.code === 'unavailable' && error.retryAfterSeconds === 5,
  );
  const known = inHashingTurn('known', async () => 'done');
  await free();
  assert.equal(await known, 'done');
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['done']));
});

test('work that throws frees its slot', async () => {
  const failing = Array.from({ length: 5 }, () => inHashingTurn('known', () => Promise.reject(new Error('broken'))));
  for (const { status } of await Promise.allSettled(failing)) assert.equal(status, 'rejected');
  assert.equal(await inHashingTurn('stranger', async () => 'done'), 'done');
});
