// Tests what the pipeline sends to PostgreSQL and how it reads the results, against a connection that the test answers.

import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { Pipeline } from './pipeline.ts';

/** The server's end of the connection: keeps the letters of the messages it gets, and sends what the test says. */
class Server extends Duplex {
  sent = '';
  #hasStarted = false;
  #rest: Buffer = Buffer.alloc(0);

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    // The first message has no letter.
    if (!this.#hasStarted) {
      this.#rest = this.#rest.subarray(this.#rest.readInt32BE());
      this.#hasStarted = true;
      this.answer(message('R', int32(0)), ready);
    }
    while (this.#rest.length > 0) {
      this.sent += String.fromCharCode(this.#rest[0] ?? 0);
      this.#rest = this.#rest.subarray(1 + this.#rest.readInt32BE(1));
    }
    done();
  }

  answer(...messages: readonly Buffer[]): void {
    this.push(Buffer.concat(messages));
  }

  /** Returns the letters of the messages since the last call. */
  taken(): string {
    const { sent } = this;
    this.sent = '';
    return sent;
  }

  // The methods of a socket that pg calls.
  connect(): void {
    setImmediate(() => this.emit('connect'));
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  return int32(value).subarray(2);
}

function message(letter: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body]);
}

const ready = message('Z', Buffer.from('I'));
const parsed = message('1');
const bound = message('2');
const done = (tag: string): Buffer => message('C', Buffer.from(`${tag}\0`));
const failed = message('E', Buffer.from('SERROR\0C23505\0Mtaken\0\0'));

const bigint = 20;

/** Describes one column `id` of the type bigint. */
const described = message(
  'T',
  int16(1),
  Buffer.from('id\0'),
  int32(0),
  int16(0),
  int32(bigint),
  int16(8),
  int32(-1),
  int16(0),
);

const row = (id: string): Buffer => message('D', int16(1), int32(id.length), Buffer.from(id));

async function connected(t: TestContext): Promise<{ server: Server; pipeline: Pipeline }> {
  const server = new Server();
  const client = new Client({ stream: () => server as never, pipeline: true });
  // The end of the test cuts the connection.
  client.on('error', () => {});
  await client.connect();
  t.after(() => server.destroy());
  return { server, pipeline: Pipeline.of(client) };
}

test('statements of one turn share a sync, and one that is prepared is neither parsed nor described again', async (t) => {
  const { server, pipeline } = await connected(t);
  pipeline.send('write', 'insert into t values ($1)', [1]);
  const [one, other] = [pipeline.ask('read', 'select id from t'), pipeline.ask('read', 'select id from t')];
  await nextTurn();
  // Parse, Bind, Describe, Execute for each new statement, Bind and Execute for the known one, one Sync.
  assert.equal(server.taken(), 'PBDEPBDEBES');
  server.answer(parsed, bound, message('n'), done('INSERT 0 1'), parsed, bound, described, row('7'), done('SELECT 1'));
  server.answer(bound, row('8'), row('9'), done('SELECT 2'), ready);
  assert.deepEqual(await one, { rows: [{ id: 7 }], count: 1, command: 'SELECT' });
  assert.deepEqual(await other, { rows: [{ id: 8 }, { id: 9 }], count: 2, command: 'SELECT' });
});

test('the failure of a statement sent without waiting surfaces in the next one asked', async (t) => {
  const { server, pipeline } = await connected(t);
  pipeline.send('write', 'insert into t values ($1)', [1]);
  const asked = pipeline.ask('read', 'select id from t');
  await nextTurn();
  server.taken();
  server.answer(parsed, bound, message('n'), failed, ready);
  await assert.rejects(asked, { code: '23505' });
  // It is unknown whether the statements were prepared, so they are prepared again.
  const again = pipeline.ask('read', 'select id from t');
  await nextTurn();
  assert.equal(server.taken(), 'PBDES');
  server.answer(parsed, bound, described, done('SELECT 0'), ready);
  assert.deepEqual(await again, { rows: [], count: 0, command: 'SELECT' });
});

test('settle waits for the statements sent, and fails with the first of their failures', async (t) => {
  const { server, pipeline } = await connected(t);
  await pipeline.settle();
  pipeline.send('write', 'insert into t values ($1)', [1]);
  pipeline.send('write', 'insert into t values ($1)', [1]);
  const settled = pipeline.settle();
  await nextTurn();
  assert.equal(server.taken(), 'PBDEBES');
  server.answer(parsed, bound, message('n'), done('INSERT 0 1'), bound, failed, ready);
  await assert.rejects(settled, { code: '23505' });
  assert.equal(server.taken(), '');
});
