// Tests request-body.ts: accepted content types, bodies that come slowly, and body fingerprints.

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { AppError, attempt } from '../../errors.ts';
import { checkContentType, fingerprintOf, gatherBody, readBody } from './request-body.ts';
import { WaitingBytes } from './waiting-bytes.ts';

const body = '{"path":"Plant/Area7/Pump1807","value":"83","raised":true,"alarmMessage":"Pump 1807 is too hot"}';

const types: readonly [type: string | undefined, isTaken: boolean][] = [
  [undefined, true],
  ['', true],
  ['application/json;odata=verbose', true],
  ['application/json; profile="a;charset=latin1"; charset=utf-16', true],
  ['text/json', true],
  ['Application/Problem+JSON; charset=utf-8', true],
  ['text/plain', false],
  ['application/xml', false],
  ['application/x-www-form-urlencoded', false],
];

for (const [type, isTaken] of types) {
  test(`the content type ${type} is ${isTaken ? 'JSON' : 'refused'}`, () => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const refusal = attempt(() => checkContentType(headers, ['application/json']));
    assert.equal(refusal instanceof AppError ? refusal.code : 'taken', isTaken ? 'taken' : 'unsupported-media-type');
    assert.doesNotThrow(() => checkContentType(headers, 'any'));
  });
}

test('the same body has the same fingerprint', () => {
  for (const text of ['', '{}', body, body.repeat(100)]) {
    assert.equal(fingerprintOf(Buffer.from(text)), fingerprintOf(Buffer.from(text)));
  }
});

test('bodies that differ in a byte or two, in order or in length have different fingerprints', () => {
  const bytes = Buffer.from(body);
  const variants: Buffer[] = [bytes, Buffer.concat([bytes, Buffer.alloc(1)]), Buffer.concat([Buffer.alloc(1), bytes])];
  for (let at = 0; at < bytes.length; at++) {
    for (let other = 0; other < 256; other++) if (other !== bytes[at]) variants.push(withByte(bytes, at, other));
    const next = bytes[at + 1];
    if (next === undefined) continue;
    for (let up = 1; up < 100; up++) variants.push(withByte(withByte(bytes, at, up), at + 1, next ^ up));
    if (next !== bytes[at]) variants.push(withByte(withByte(bytes, at, next), at + 1, bytes[at] ?? 0));
  }
  const different = new Set(variants.map((variant) => variant.toString('latin1')));
  assert.ok(different.size > 30_000);
  assert.equal(new Set(variants.map(fingerprintOf)).size, different.size);
});

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = byte;
  return changed;
}

test('a body that comes slowly but steadily is read to its end, and one that stops is given up with what arrived', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const gather = () => {
    const stream = Object.assign(new PassThrough(), { headers: {} });
    const { promise, resolve } = Promise.withResolvers<readonly [code: string | undefined, text: string]>();
    const limits = { limit: 1_000, isIntake: true, stalledMs: 30_000, held: new WaitingBytes(1_000).hold() };
    gatherBody(stream as unknown as IncomingMessage, limits, (error, bytes) =>
      resolve([error instanceof AppError ? error.code : error?.message, String(bytes)]),
    );
    return { stream, promise };
  };
  const steady = gather();
  const stopped = gather();
  stopped.stream.write('{"path":');
  for (const piece of body.match(/.{1,10}/g) ?? []) {
    steady.stream.write(piece);
    await new Promise(setImmediate);
    t.mock.timers.tick(29_000);
  }
  steady.stream.end();
  assert.deepEqual(await steady.promise, [undefined, body]);
  assert.deepEqual(await stopped.promise, ['request-timeout', '{"path":']);
});

test('null counts as no body, because generated programs send it where a body is optional', () => {
  for (const text of ['', 'null', ' null\n']) assert.deepEqual(readBody(text, 'application/json').value, {});
});

test('bodies that are too large together are refused, and taken when others are over; one alone is limited by its route', async () => {
  const waiting = new WaitingBytes(100);
  const gather = async (length: number) => {
    const stream = Object.assign(new PassThrough(), { headers: {} });
    const held = waiting.hold();
    const { promise, resolve } = Promise.withResolvers<string>();
    const limits = { limit: 1_000, isIntake: false, stalledMs: 30_000, held };
    gatherBody(stream as unknown as IncomingMessage, limits, (error, bytes) =>
      resolve(error instanceof AppError ? error.code : String(bytes?.length)),
    );
    stream.end('x'.repeat(length));
    return { ended: await promise, held };
  };
  const first = await gather(60);
  const second = await gather(60);
  assert.deepEqual([first.ended, second.ended], ['60', 'unavailable']);
  second.held.release();
  assert.equal((await gather(40)).ended, '40');
  const other = new WaitingBytes(10).hold();
  assert.doesNotThrow(() => other.take(500));
  first.held.release();
  assert.equal((await gather(60)).ended, '60');
});
