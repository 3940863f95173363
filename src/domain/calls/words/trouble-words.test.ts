// Tests trouble-words.ts: each trouble of calling has a sentence of its own in every language.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../language.ts';
import { type CallingTrouble, callingTroubles } from '../calling-health.ts';
import { troubleIn } from './trouble-words.ts';

test('what is wrong with calling is said in each language, in French and German without a word of English', () => {
  const english = /\b(the|is|are|was|of|by|and|nobody|called|number|not|until|alarm|call|calls|this|with|for)\b/;
  for (const code of Object.keys(callingTroubles) as readonly CallingTrouble[]) {
    const sentences = languages.map((language) => troubleIn(language, code));
    assert.equal(new Set(sentences).size, languages.length, code);
    for (const language of ['fr', 'de'] as const) assert.doesNotMatch(troubleIn(language, code), english, code);
  }
});
