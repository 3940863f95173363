// Tests the charsets of bodies, and of intakes that send several at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, attempt } from '../../errors.ts';
import { charsetOf, contentEncoding, decodeIntake, decodeStrictly } from './body-encoding.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

test('a declared charset is honoured, everywhere', () => {
  for (const decode of [decodeStrictly, decodeIntake]) {
    assert.equal(decode(latin1('Stör'), 'application/json; charset=ISO-8859-1'), 'Stör');
    assert.equal(decode(Buffer.from('Stör', 'utf16le'), 'application/json; charset="utf-16le"'), 'Stör');
    assert.equal(decode(Buffer.from('Stör'), 'text/plain; charset=UTF-8'), 'Stör');
  }
});

test('bytes that are no UTF-8 are refused, but an intake reads each of them as Windows-1252', () => {
  const mixed = Buffer.concat([Buffer.from('é€ '), latin1('é'), Buffer.from([0x80]), Buffer.from(' 😀')]);
  const refusal = attempt(() => decodeStrictly(mixed, undefined));
  assert.equal(refusal instanceof AppError && refusal.code, 'malformed-json');
  assert.equal(decodeIntake(mixed, undefined), 'é€ é€ 😀');
});

test('an intake reads incomplete and overlong sequences, surrogates and numbers beyond Unicode byte by byte', () => {
  for (const bytes of [
    [0xc3],
    [0xe2, 0x82],
    [0xc0, 0xaf],
    [0xe0, 0x80, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
  ]) {
    const text = decodeIntake(Buffer.from(bytes), undefined);
    assert.equal(text.length, bytes.length, String(bytes));
    assert.doesNotMatch(text, /\ufffd/);
  }
});

test('a byte order mark is not part of the text', () => {
  assert.equal(decodeIntake(Buffer.from('\ufeff{}'), undefined), '{}');
});

test('an unknown charset is refused; an intake reads the body as if none was declared', () => {
  const refusal = attempt(() => decodeStrictly(Buffer.from('{}'), 'application/json; charset=klingon'));
  assert.equal(refusal instanceof AppError && refusal.code, 'unsupported-media-type');
  assert.equal(decodeIntake(Buffer.from('{}'), 'application/json; charset=klingon'), '{}');
});

test('charsets and encodings are read in any case, quoted or not', () => {
  assert.equal(charsetOf('application/json ; v=1; Charset = "UTF-8"'), 'utf-8');
  assert.equal(charsetOf('application/json'), undefined);
  assert.deepEqual(['GZip', ' br ', 'identity', undefined].map(contentEncoding), ['gzip', 'br', undefined, undefined]);
});
