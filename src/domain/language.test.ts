// Tests which language sentences are worded in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offeredLanguage } from './language.ts';

test('the first wanted language that is offered is taken, by its primary tag; English if there is none', () => {
  const wanted = [['fr-CA'], ['pt', 'DE_ch', 'fr'], ['en', 'de'], ['pt'], [''], ['constructor'], []];
  assert.deepEqual(wanted.map(offeredLanguage), ['fr', 'de', 'en', 'en', 'en', 'en', 'en']);
});
