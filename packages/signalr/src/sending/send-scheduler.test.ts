// Tests the send scheduler: it runs work at once while the time slice lasts, and in order after that.

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

it('runs posted work at once while the time slice lasts', () => {
  const done: number[] = [];
  const scheduler = new SendScheduler(1_000, noTrouble, clock);
  for (const number of [1, 2, 3]) scheduler.post(once(() => done.push(number)));
  assert.deepEqual(done, [1, 2, 3]);
});

it('runs the rest in later turns, in order', async () => {
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

it('all work posted in a turn shares one time slice', async () => {
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

it('work posted by a running step keeps its order', () => {
  const done: string[] = [];
  const scheduler = new SendScheduler(1_000, noTrouble, clock);
  scheduler.post(() => {
    scheduler.post(once(() => done.push('inner')));
    done.push('outer');
    return true;
  });
  assert.deepEqual(done, ['outer', 'inner']);
});

it('continues after a step that throws', () => {
  const seen: unknown[] = [];
  const scheduler = new SendScheduler(1_000, (error) => seen.push(error), clock);
  const failure = new Error('x');
  scheduler.post(() => {
    throw failure;
  });
  scheduler.post(once(() => seen.push('next')));
  assert.deepEqual(seen, [failure, 'next']);
});
