// The scheduler: at once while there is time, in order when there is not.

import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { SendScheduler } from './send-scheduler.ts';

let now: number;
const clock = () => now;

beforeEach(() => {
  now = 0;
});

function work(ms: number): void {
  now += ms;
}

function noTrouble(error: unknown): never {
  throw error;
}

const once = (action: () => void) => () => {
  action();
  return true;
};

it('does at once what is quick', () => {
  const done: number[] = [];
  const scheduler = new SendScheduler(1_000, noTrouble, clock);
  for (const number of [1, 2, 3]) scheduler.post(once(() => done.push(number)));
  assert.deepEqual(done, [1, 2, 3]);
});

it('does the rest in later turns, and nothing overtakes it', async () => {
  const done: string[] = [];
  const scheduler = new SendScheduler(1, noTrouble, clock);
  let steps = 0;
  scheduler.post(() => {
    work(2);
    done.push(`long ${++steps}`);
    return steps === 3;
  });
  scheduler.post(once(() => done.push('short')));
  assert.deepEqual(done, ['long 1']);
  let turns = 0;
  while (done.length < 4) {
    await new Promise(setImmediate);
    turns += 1;
  }
  assert.deepEqual(done, ['long 1', 'long 2', 'long 3', 'short']);
  assert.ok(turns >= 2);
});

it('has one budget for all that is posted in a turn', async () => {
  const scheduler = new SendScheduler(5, noTrouble, clock);
  let done = 0;
  for (let count = 0; count < 20; count++) {
    scheduler.post(
      once(() => {
        work(1);
        done += 1;
      }),
    );
  }
  const inTurn = [done];
  while (done < 20) {
    await new Promise(setImmediate);
    inTurn.push(done);
  }
  assert.deepEqual(inTurn, [5, 10, 15, 20]);
});

it('keeps the order of what is posted from within', () => {
  const done: string[] = [];
  const scheduler = new SendScheduler(1_000, noTrouble, clock);
  scheduler.post(() => {
    scheduler.post(once(() => done.push('inner')));
    done.push('outer');
    return true;
  });
  assert.deepEqual(done, ['outer', 'inner']);
});

it('goes on after a step that fails', () => {
  const seen: unknown[] = [];
  const scheduler = new SendScheduler(1_000, (error) => seen.push(error), clock);
  const failure = new Error('x');
  scheduler.post(() => {
    throw failure;
  });
  scheduler.post(once(() => seen.push('next')));
  assert.deepEqual(seen, [failure, 'next']);
});
