// Tests media.ts: which file names are allowed, and the type detected from a file's content.

import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { soak } from '../../test/harness/soak.ts';
import { refused, samples } from '../../test/harness/telephone/media-files.ts';
import { isMediaName, mediaTypeOf, mediaTypes } from './media.ts';

const good = [
  'siren.wav',
  'a',
  'A',
  '7',
  '_',
  '-',
  '-rf',
  'a.',
  'a.b.c',
  'console.wav',
  'null',
  'com',
  'com10.txt',
  'x'.repeat(128),
];
const bad = [
  ...[
    '',
    '.',
    '..',
    '...',
    '.a',
    '..a',
    'a..b',
    'a..',
    'a/b',
    'a\\b',
    '/a',
    'C:a',
    'a:b',
    'a b',
    ' a',
    'a\n',
    '\na',
    'a\0',
  ],
  ...['é', '😀', 'a%2fb', 'a~1~', 'x'.repeat(129), 'ａ.wav', '\u212a', 'a\u202egpj.exe', '*', '?', '"', "'", '$a', '`'],
  ...['CON', 'con', 'Con.wav', 'PRN', 'AUX.', 'nul', 'NUL.tar.gz', 'COM1', 'com0.txt', 'LPT9.wav', 'lpt1'],
];

test('valid names are accepted and unsafe names are rejected', () => {
  for (const name of good) assert.equal(isMediaName(name), true, JSON.stringify(name));
  for (const name of bad) assert.equal(isMediaName(name), false, JSON.stringify(name));
});

test('an allowed name never leaves its folder, on any operating system', () => {
  const pieces = fc.constantFrom(
    'a',
    'B',
    '7',
    '.',
    '..',
    '-',
    '_',
    '/',
    '\\',
    ':',
    'con',
    'NUL',
    '\0',
    ' ',
    '%2e',
    '~',
  );
  const names = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(names, (name) => {
      if (!isMediaName(name)) return;
      assert.equal(posix.join('/media', name), `/media/${name}`);
      assert.equal(posix.resolve('/media', name), `/media/${name}`);
      assert.equal(win32.resolve('C:\\media', name), `C:\\media\\${name}`);
      assert.equal(encodeURIComponent(name), name);
    }),
    { numRuns: soak(5_000) },
  );
});

test('any name of the allowed characters is accepted, and a name with any other character is rejected', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
  const name = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 5, maxLength: 128 });
  fc.assert(fc.property(name, (text) => isMediaName(text) && isMediaName(`${text.slice(0, 120)}.wav`)));
  const other = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((text) => !/[\w.-]/.test(text));
  fc.assert(fc.property(name, other, (text, character) => !isMediaName(text.slice(0, 100) + character)));
});

for (const [what, type, bytes] of samples) test(`${what} is ${type}`, () => assert.equal(mediaTypeOf(bytes), type));

for (const [what, bytes] of refused) test(`${what} is refused`, () => assert.equal(mediaTypeOf(bytes), undefined));

test('the samples include every media type', () =>
  assert.deepEqual(new Set(samples.map(([, type]) => type)), new Set(mediaTypes)));

test('detection returns a known type or undefined for arbitrary and truncated bytes', () => {
  const some = fc.constantFrom(...samples.map(([, , bytes]) => bytes), ...refused.map(([, bytes]) => bytes));
  const cut = fc.tuple(some, fc.nat(500), fc.uint8Array({ maxLength: 600 }));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    cut.map(([start, length, rest]) => Buffer.concat([start.subarray(0, length), rest])),
  );
  fc.assert(
    fc.property(bytes, (content) => {
      const type = mediaTypeOf(content);
      assert.ok(type === undefined || mediaTypes.includes(type));
    }),
    { numRuns: soak(3_000) },
  );
});

test('bytes after the header do not change the type', () => {
  const binary = samples.filter(([, type]) => type !== 'text/plain');
  fc.assert(
    fc.property(fc.constantFrom(...binary), fc.uint8Array({ maxLength: 3_000 }), ([, type, bytes], rest) => {
      assert.equal(mediaTypeOf(Buffer.concat([bytes, Buffer.from([0]), rest])), type);
    }),
  );
});

test('text is accepted unless it contains a control character or begins with markup', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((given) => !/\p{Cc}/u.test(given));
  const control = fc.constantFrom('\0', '\x07', '\b', '\v', '\f', '\x1b', '\x7f', '\x80', '\x9f');
  const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n', '\ufeff', '\u2028'), maxLength: 5 });
  const markup = fc.constantFrom('<', '<!', '#!', '%!', '{\\rtf', '{\\RTF');
  const typeOf = (given: string) => mediaTypeOf(Buffer.from(given));
  fc.assert(fc.property(text, text, (a, b) => typeOf(`:${a}\r\n\t${b}`) === 'text/plain'));
  fc.assert(fc.property(text, control, text, (a, character, b) => typeOf(a + character + b) === undefined));
  fc.assert(fc.property(space, markup, text, (before, start, after) => typeOf(before + start + after) === undefined));
});
