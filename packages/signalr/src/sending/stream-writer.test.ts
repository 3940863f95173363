// Tests the writer of a stream: what it passes on and keeps, the order, its end, and when the client counts as stalled.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { it } from 'node:test';
import { Backlog } from './backlog.ts';
import { Payload } from './payload.ts';
import { StreamWriter } from './stream-writer.ts';

const batch = 64 * 1024;
const intervals = { sendTimeout: 30, closeTimeout: 5 };

/** A stream that completes a write only when the test says so, and a writer to it. */
function slowWriter() {
  const waiting: (() => void)[] = [];
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(chunk);
      waiting.push(done);
    },
  });
  const backlog = new Backlog(1_000_000_000, () => 0);
  const share = backlog.share(() => {});
  let progress = 0;
  const writer = new StreamWriter({
    ...{
      stream,
      share,

      formOf: ({ bytes }) => bytes,
      isOpen: () => stream.writable,
    },
    onProgress: () => progress++,
    guard: (work) => {
      work();
    },
  });
  /** Lets the stream take all that it holds, and the writer pass on what follows. */
  const flush = async () => {
    while (waiting.length > 0) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
  };
  return { writer, stream, share, backlog, chunks, waiting, flush, progress: () => progress };
}

const payload = (text: string) => new Payload(Buffer.from(text), false);
const textOf = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();

it('passes on one batch, and keeps the rest as references until the stream has taken it', async () => {
  const { writer, stream, share, backlog, chunks, flush, progress } = slowWriter();
  const message = payload('x'.repeat(1_000));
  for (let count = 0; count < 1_000; count++) writer.send(message);
  assert.ok(stream.writableLength < 2 * batch, `${stream.writableLength} bytes in the stream`);
  assert.equal(writer.hasRoom, false);
  assert.ok(share.bytes > 900_000);
  assert.ok(backlog.bytes < 20_000, `${backlog.bytes} bytes: the message itself counts once`);
  await flush();
  assert.deepEqual([writer.hasRoom, share.messages, backlog.bytes], [true, 0, 0]);
  assert.equal(textOf(chunks), 'x'.repeat(1_000_000));
  assert.ok(progress() > 1);
});

it('keeps the order of small and large messages, and lets nobody write within one', async () => {
  const { writer, chunks, flush } = slowWriter();
  const texts = ['a', 'b'.repeat(3 * batch), 'c', 'd'.repeat(batch), 'e'];
  for (const text of texts) writer.send(payload(text));
  assert.equal(writer.isOpenToOthers, false, 'the second was passed on in part');
  await flush();
  assert.equal(textOf(chunks), texts.join(''));
  assert.ok(chunks.every(({ length }) => length <= batch));
  assert.equal(writer.isOpenToOthers, true);
});

it('ends after everything that was sent, and drops what waits when the client is given up', async () => {
  const patient = slowWriter();
  let ends = 0;
  for (const text of ['a', 'b'.repeat(batch), 'c']) patient.writer.send(payload(text));
  patient.writer.end(() => ends++);
  assert.equal(ends, 0);
  await patient.flush();
  assert.equal(ends, 1);
  const given = slowWriter();
  for (const text of ['a', 'b'.repeat(2 * batch), 'c', 'd']) given.writer.send(payload(text));
  given.waiting.shift()?.();
  await new Promise(setImmediate);
  given.writer.discard();
  assert.deepEqual([given.share.messages, given.backlog.bytes], [0, 0]);
  given.writer.send(payload('last'));
  await given.flush();
  assert.equal(textOf(given.chunks), `a${'b'.repeat(2 * batch)}last`, 'the message that was begun is completed');
});

it('a client is stalled when something waits and nothing leaves, however much waits', async () => {
  const { writer, waiting } = slowWriter();
  assert.equal(writer.check(1_000, intervals), 'fine');
  assert.equal(writer.check(2_000, intervals), 'fine', 'nothing waits');
  for (let count = 0; count < 10_000; count++) writer.send(payload('x'.repeat(1_000)));
  for (let now = 2_000; now < 3_000; now += 25) {
    assert.equal(writer.check(now, intervals), 'fine', 'a little leaves every time');
    waiting.shift()?.();
    await new Promise(setImmediate);
  }
  const stoppedAt = 3_000;
  assert.equal(writer.check(stoppedAt, intervals), 'fine');
  assert.equal(writer.check(stoppedAt + 30, intervals), 'fine');
  assert.equal(writer.check(stoppedAt + 31, intervals), 'stalled');
});

it('a closing transport is late when nothing leaves, or the client does not answer', async () => {
  const { writer, flush } = slowWriter();
  for (const text of ['a', 'b'.repeat(batch), 'c']) writer.send(payload(text));
  writer.check(0, intervals);
  writer.end(() => {});
  assert.equal(writer.check(100, intervals), 'fine', 'the last message has its time');
  assert.equal(writer.check(106, intervals), 'late');
  await flush();
  assert.equal(writer.check(107, intervals), 'fine');
  assert.equal(writer.check(113, intervals), 'late');
});
