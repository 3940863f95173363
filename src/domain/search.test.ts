// Tests search.ts: which texts a search matches.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { isFoundIn, wordsOf } from './search.ts';

const cases: readonly [text: string, search: string, found: boolean][] = [
  ['Pump 7, north hall', 'north pump', true],
  ['Pump 7, north hall', 'pum', true],
  ['Pump 7, north hall', 'pum north', false],
  ['Pompe à chaleur Élan', 'elan', true],
  ['Pompe a chaleur elan', 'ÉLAN', true],
  ['Straße', 'STRASSE', true],
  ['Œuvre', 'oeuvre', true],
  ['Oeuvre', 'œuvre', true],
  ['ÆTHER', 'aether', true],
  ['STRAẞE', 'strasse', true],
  ['ﬁlter', 'filter', true],
  ['ΟΔΟΣ', 'οδος', true],
  ['Plant\\Pump1', 'plant pump1', true],
  ['100 % full', '%', true],
  ['fire 🔥 alarm', '🔥', true],
  ['a_b', 'b', true],
  ['anything', '', true],
  ['anything', '"*() OR', false],
];

for (const [text, search, found] of cases) {
  test(`"${search}" ${found ? 'finds' : 'does not find'} "${text}"`, () =>
    assert.equal(isFoundIn(text, search), found));
}

test('words contain no character that is special to LIKE, FTS5 or tsquery', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const word of wordsOf(text)) assert.match(word, /^[\p{L}\p{N}\p{Extended_Pictographic}]{1,64}$/u);
    }),
  );
});

test('every text is found by searching for itself', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => assert.ok(isFoundIn(text, text))));
});
