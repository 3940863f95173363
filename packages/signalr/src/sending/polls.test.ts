// Tests the queue between polls: how much one response carries, and the cursor after it.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Backlog } from './backlog.ts';
import { Payload } from './payload.ts';
import { PollQueue } from './polls.ts';

function makeQueue() {
  const backlog = new Backlog(1_000_000_000, () => 0);
  return { backlog, queue: new PollQueue(backlog.share(() => {})) };
}

const payload = (length: number) => new Payload(Buffer.alloc(length), false);

it('a response carries all of a burst of small messages', () => {
  const { queue, backlog } = makeQueue();
  for (let number = 1; number <= 400; number++) queue.add([payload(100)], String(number));
  assert.equal(queue.hasRoom, true);
  const { payloads, cursor } = queue.take();
  assert.deepEqual([payloads.length, cursor, queue.length, backlog.bytes], [400, '400', 0, 0]);
});

it('a response carries a part of a large backlog, with the cursor of its last message', () => {
  const { queue } = makeQueue();
  for (let number = 1; number <= 100; number++) queue.add([payload(10_000)], String(number));
  assert.equal(queue.hasRoom, false);
  assert.deepEqual([queue.take().cursor, queue.take().cursor], ['7', '14']);
  queue.add([payload(200_000)], 'large');
  let last = queue.take();
  while (queue.length > 0) last = queue.take();
  assert.equal(last.cursor, 'large', 'one that is larger than a response is carried whole');
});

it('messages with one cursor are carried together', () => {
  const { queue, backlog } = makeQueue();
  const together = Array.from({ length: 30 }, () => payload(10_000));
  queue.add(together, 'all');
  queue.add([payload(1)], 'next');
  assert.equal(queue.take().payloads.length, 30);
  assert.equal(queue.take().cursor, 'next');
  queue.add(together, 'again');
  queue.clear();
  assert.deepEqual([queue.length, backlog.bytes], [0, 0]);
});
