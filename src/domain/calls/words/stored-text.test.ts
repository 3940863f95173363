// Tests stored-text.ts: stored texts in the language and zone of the person, and texts that try to hold marks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SystemText } from '../../alarms/system-texts/texts.ts';
import { wordsIn } from './catalogue.ts';
import { mark, textFor, withoutMarks, withSystemText } from './stored-text.ts';

const ana = { words: wordsIn('fr-FR'), language: 'fr-FR', timeZone: 'Europe/Paris' };
const bo = { words: wordsIn('de'), language: 'de', timeZone: 'America/New_York' };
const cy = { words: wordsIn('pt'), language: 'pt', timeZone: 'UTC' };

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

test('a system alarm is worded in the language of the person, inside of other marks too', () => {
  const down = { code: 'provider-down', parameters: { provider: 'Trunk', reason: 'no response' } } as const;
  const message = 'The provider Trunk is down: no response.';
  const stored = `${mark.back}${withSystemText(down, message)}: ${mark.taken('Zoe')}`;
  assert.deepEqual(
    [ana, bo, cy].map((reader) => textFor(stored, reader)),
    [
      'Retour à la normale : Le fournisseur Trunk est en panne : no response.: Zoe l’a prise.',
      'Wieder normal: Der Anbieter Trunk ist ausgefallen: no response.: Zoe hat ihn übernommen.',
      'Back to normal: The provider Trunk is down: no response.: Zoe has taken it.',
    ],
  );
});

test('the code of a newer version is told by the message stored with it', () => {
  const newer = { code: 'from-the-future', parameters: {} } as unknown as SystemText;
  assert.equal(textFor(withSystemText(newer, 'It is late.'), bo), 'It is late.');
});

test('a version without codes says the message between their marks, and nothing of them', () => {
  const stored = withSystemText({ code: 'set-aside-alarm', parameters: { alarmId: 7 } }, 'It is late.');
  // What such a version makes of marks that it does not know.
  assert.equal(stored.replace(/\ue000(\w+)(?: ([^\ue000]*))?\ue000/g, ''), 'It is late.');
});

test('what stands in a system alarm holds no marks', () => {
  const parameters = { provider: `Trunk${mark.drill}`, reason: `${mark.test}no` };
  const stored = withSystemText({ code: 'provider-down', parameters }, 'English');
  assert.equal(textFor(stored, bo), 'Der Anbieter Trunkdrill ist ausgefallen: testno.');
});
