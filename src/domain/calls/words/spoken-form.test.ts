// Tests the form in which texts are spoken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spokenDigits, spokenForm } from './spoken-form.ts';

test('between a text and the menu there is a pause: every line is a sentence', () => {
  assert.equal(spokenForm('Gas\nPress 1 to take it.', 'en'), 'Gas.\nPress 1 to take it.');
  assert.equal(spokenForm('Alarm 2 of 3:\nhot  \nwet!', 'en'), 'Alarm 2 of 3:\nhot.\nwet!');
  assert.equal(spokenForm('', 'en'), '');
});

test('dates are spoken as people say them, in the language', () => {
  const text = 'until 2026-11-18 08:00';
  assert.equal(spokenForm(text, 'en-GB'), 'until November 18, 2026, 08:00.');
  for (const odd of ['', '-', 'x', 'EN_gb']) assert.equal(spokenForm(text, odd), spokenForm(text, 'en'));
  assert.equal(spokenForm(text, 'fr'), 'until 18 novembre 2026, 08:00.');
  assert.equal(spokenForm('since 2026-11-18T08:00:30', 'de'), 'since 18. November 2026, 08:00.');
  assert.equal(spokenForm('Since 2026-11-15T12:00:00.000Z none', 'en'), 'Since November 15, 2026, 12:00 none.');
  assert.equal(spokenForm('at 2026-11-15T12:00:00+01:00', 'en'), 'at November 15, 2026, 12:00.');
  for (const other of ['part 2026-99-99.', 'part 2026-11-18-4.', 'part 2026-02-30.'])
    assert.equal(spokenForm(other, 'en'), other);
});

test('a code is spoken digit by digit', () => assert.equal(spokenDigits('471108'), '4 7 1 1 0 8'));
