// Tests sms.ts: segments as the network counts them, and what a text message of three segments has room for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsIn } from './catalogue.ts';
import { segmentsOf, shortMessage } from './sms.ts';

test('a text is counted in septets if GSM-7 has its characters, in UTF-16 units otherwise', () => {
  const table: readonly [text: string, segments: number][] = [
    ['', 1],
    ['x'.repeat(160), 1],
    ['x'.repeat(161), 2],
    ['x'.repeat(306), 2],
    ['x'.repeat(307), 3],
    ['x'.repeat(459), 3],
    ['x'.repeat(460), 4],
    ['é'.repeat(160), 1],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    ['ê'.repeat(70), 1],
    ['ê'.repeat(71), 2],
    [`${'x'.repeat(70)}ê`, 2],
    ['😀'.repeat(35), 1],
    ['😀'.repeat(36), 2],
    ['ê'.repeat(201), 3],
    ['ê'.repeat(202), 4],
  ];
  for (const [text, segments] of table) assert.equal(segmentsOf(text), segments, text.slice(0, 3) + text.length);
});

const en = wordsIn('en');
const end = (named: number): string => `Reply 4711 (${named}).`;

test('as many texts as fit are named, and the others are counted', () => {
  const long = (letter: string): string => letter.repeat(140);
  assert.deepEqual(shortMessage(['one', 'two'], 2, en, end), {
    text: '1 of 2: one\n2 of 2: two\nReply 4711 (2).',
    named: 2,
  });
  const { text, named } = shortMessage([long('a'), long('b'), long('c'), long('d')], 12, en, end);
  assert.equal(named, 2);
  assert.match(text, /^1 of 12: a+\n2 of 12: b+\nand 10 more\nReply 4711 \(2\)\.$/);
  assert.equal(segmentsOf(text), 3);
});

test('the texts of the site are left out before an alarm is', () => {
  const alarm = 'Arrêt de la pompe '.repeat(8).trim();
  const own = { opening: 'Eaux du Nord, centre de contrôle. '.repeat(4).trim(), closing: 'Merci. '.repeat(20).trim() };
  const alone = shortMessage([alarm], 1, en, end);
  assert.equal(shortMessage([alarm], 1, en, end, own).text, alone.text, 'the whole alarm, and nothing else');
  const short = { opening: 'Eaux du Nord', closing: 'Merci' };
  assert.equal(shortMessage(['one'], 1, en, end, short).text, 'Eaux du Nord\none\nMerci\nReply 4711 (1).');
  const long = { ...short, closing: own.closing.repeat(4) };
  assert.match(shortMessage(['one'], 1, en, end, long).text, /^Eaux du Nord\none\nReply/, 'the closing goes first');
  assert.ok(segmentsOf(shortMessage(['x'.repeat(900)], 1, en, end, own).text) <= 3);
});

test('a text that is too long for a message is cut, with the number of characters left out', () => {
  for (const letter of ['x', 'ê']) {
    const { text, named } = shortMessage([letter.repeat(1_000)], 1, en, end);
    assert.deepEqual([named, segmentsOf(text)], [1, 3]);
    const [, shown = '', left] = /^(x+|ê+)\.\.\. \((\d+) more characters\)\nReply 4711 \(1\)\.$/.exec(text) ?? [];
    assert.equal(shown.length + Number(left), 1_000, text);
  }
});

test('typographic characters of the catalogue do not make a text longer', () => {
  const { text } = shortMessage(['l’eau “monte” – vite…'], 1, en, () => '');
  assert.equal(text, 'l\'eau "monte" - vite...');
  for (const language of ['fr', 'de']) {
    const words = wordsIn(language);
    const { text: asked } = shortMessage(['x'.repeat(100)], 1, words, () => words.replyToTake('4711', 1, true));
    assert.equal(segmentsOf(asked), 1, asked);
  }
});
