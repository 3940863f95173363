// Tests the bounded send queues: their backlog, when they are full, and when they are stalled.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { it } from 'node:test';
import { Payload } from './payload.ts';
import { PollQueue, StreamWriter } from './send-queue.ts';

const limits = { queuedMessages: 3, queuedBytes: 100 };
const bytes = (length: number) => Buffer.alloc(length);

/** A stream that completes a write only when the test says so. */
function slowStream() {
  const waiting: (() => void)[] = [];
  const stream = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void waiting.push(done) });
  return { stream, flushOne: () => waiting.shift()?.() };
}

it('the backlog counts messages that the stream has not written', async () => {
  const { stream, flushOne } = slowStream();
  let progress = 0;
  const writer = new StreamWriter(stream, limits, () => progress++);
  for (const expected of [1, 2, 3]) {
    assert.equal(writer.isFull, false);
    writer.write(bytes(10));
    assert.equal(writer.backlog, expected);
  }
  assert.equal(writer.isFull, true);
  flushOne();
  await new Promise(setImmediate);
  assert.deepEqual([writer.backlog, progress], [3, 0], 'the first counts until another has left');
  flushOne();
  await new Promise(setImmediate);
  assert.deepEqual([writer.backlog, writer.isFull, progress], [1, false, 1]);
  flushOne();
  await new Promise(setImmediate);
  assert.equal(writer.backlog, 0);
  writer.write(bytes(10), 3);
  assert.deepEqual([writer.backlog, writer.isFull], [3, true], 'one write of several messages');
  const before = progress;
  flushOne();
  await new Promise(setImmediate);
  assert.deepEqual([writer.backlog, progress], [0, before + 1]);
});

it('the backlog does not count written messages whose callback is still to come', async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  const writer = new StreamWriter(stream, limits, () => {});
  for (let count = 0; count < 10; count++) {
    writer.write(bytes(10));
    assert.equal(writer.backlog, 0);
  }
  await new Promise(setImmediate);
  assert.equal(writer.backlog, 0);
});

it('the queue is also full by bytes, but never with a single message', () => {
  const { stream } = slowStream();
  const writer = new StreamWriter(stream, limits, () => {});
  assert.equal(writer.isFull, false);
  writer.write(bytes(1_000));
  assert.equal(writer.isFull, true);
});

it('the writer is stalled when messages wait and no byte leaves', async () => {
  const { stream, flushOne } = slowStream();
  const writer = new StreamWriter(stream, limits, () => {});
  assert.equal(writer.isStalled(1_000, 10), false);
  assert.equal(writer.isStalled(2_000, 10), false, 'nothing waits');
  writer.write(bytes(1));
  writer.write(bytes(1));
  assert.equal(writer.isStalled(2_005, 10), false);
  assert.equal(writer.isStalled(2_011, 10), true);
  flushOne();
  await new Promise(setImmediate);
  assert.equal(writer.isStalled(2_011, 10), false, 'something has left');
  assert.equal(writer.isStalled(2_022, 10), true);
});

it('the poll queue holds messages for a poll, and is full by bytes', () => {
  const queue = new PollQueue(limits);
  for (const letter of ['a', 'b', 'c', 'd']) {
    queue.add(new Payload(Buffer.from(letter), false));
    assert.equal(queue.isFull, false, 'many small ones are a burst');
  }
  assert.equal(queue.takeAll().toString(), 'abcd');
  assert.deepEqual([queue.backlog, queue.isFull], [0, false]);
  queue.add(new Payload(bytes(100), false));
  assert.equal(queue.isFull, true);
});
