// Tests stored-text.ts: stored texts in the language and zone of the person, and texts that try to hold marks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsIn } from './catalogue.ts';
import { mark, textFor, withoutMarks } from './stored-text.ts';

const ana = { words: wordsIn('fr-FR'), timeZone: 'Europe/Paris' };
const bo = { words: wordsIn('de'), timeZone: 'America/New_York' };
const cy = { words: wordsIn('pt'), timeZone: 'UTC' };

test('marks become words and times of the person', () => {
  const at = Date.UTC(2026, 10, 15, 12);
  const table: readonly [stored: string, french: string, german: string, english: string][] = [
    ['hot', 'hot', 'hot', 'hot'],
    [`${mark.time(at)} hot`, '2026-11-15 13:00 hot', '2026-11-15 07:00 hot', '2026-11-15 12:00 hot'],
    [`${mark.back}hot`, 'Retour à la normale : hot', 'Wieder normal: hot', 'Back to normal: hot'],
    [`at ${mark.acknowledged}hot`, 'at Acquittée : hot', 'at Quittiert: hot', 'at Acknowledged: hot'],
    [`${mark.test}${mark.drill}`, 'Essai : ceci est un exercice', 'Test: das ist eine Übung', 'Test: this is a drill'],
    [
      `${mark.test}${mark.back}x`,
      'Essai : Retour à la normale : x',
      'Test: Wieder normal: x',
      'Test: Back to normal: x',
    ],
    [mark.number(7), 'Message 7', 'Nachricht 7', 'Message 7'],
  ];
  for (const [stored, ...expected] of table)
    assert.deepEqual(
      [ana, bo, cy].map((reader) => textFor(stored, reader)),
      expected,
    );
});

test('a text of an alarm holds no marks', () => {
  assert.equal(textFor(withoutMarks(`${mark.test}hot ${mark.time(0)}`), cy), 'testhot time 0');
});
