// Tests request-body.ts: accepted content types, and body fingerprints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, attempt } from '../../errors.ts';
import { checkContentType, fingerprintOf } from './request-body.ts';

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
