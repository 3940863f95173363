// Texts of call messages: placeholders of the format, defaults for missing parts, and several alarms in one text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActionList } from '../alarms/alarm.ts';
import { changedDefinition, type DefinitionChange, emptyDefinition } from '../alarms/definition.ts';
import { callText, joinTexts } from './message-text.ts';
import { wordsIn } from './words/catalogue.ts';
import { textFor } from './words/stored-text.ts';

const words = wordsIn('en');
const reader = { words, language: 'en', timeZone: 'Europe/Paris' };

const others = { value: '91', path: 'Plant/Pump1', name: 'Pump one', priority: 1, at: 0, station: 'North' };

test('text and short text come from format, message and name, in that order', () => {
  const table: readonly [change: DefinitionChange, list: ActionList, text: string, short: string][] = [
    [{}, 'alarm', 'Pump one', 'Pump one'],
    [{}, 'reset', 'Back to normal: Pump one', 'Back to normal: Pump one'],
    [{}, 'ack', 'Acknowledged: Pump one', 'Acknowledged: Pump one'],
    [{ alarm: { message: 'too hot' } }, 'alarm', 'too hot', 'too hot'],
    [{ alarm: { message: 'too hot' } }, 'ack', 'Acknowledged: too hot', 'Acknowledged: too hot'],
    [{ alarm: { message: 'too hot', shortMessage: 'hot' } }, 'alarm', 'too hot', 'hot'],
    [{ alarm: { message: 'too hot' }, reset: { message: 'cool' } }, 'reset', 'cool', 'cool'],
    [{ alarm: { message: 'm', format: '{name}|{message}|{value}' } }, 'alarm', 'Pump one|m|91', 'm'],
    [
      { alarm: { message: 'm', shortMessage: 's', format: '{shortMessage} {path} {priority} {time} {station}' } },
      'alarm',
      's Plant/Pump1 1 1970-01-01 01:00 North',
      's',
    ],
    [{ alarm: { format: '{zone}' }, location: { zone: 'Hall 2' } }, 'alarm', 'Hall 2', 'Pump one'],
    [{ alarm: { format: '[{zone}]' } }, 'alarm', '[]', 'Pump one'],
    [{ alarm: { message: '{value}', format: '{message} {nothing} {' } }, 'alarm', '{value} {nothing} {', '{value}'],
    [{ alarm: { format: '{constructor} {__proto__}' } }, 'alarm', '{constructor} {__proto__}', 'Pump one'],
  ];
  for (const [change, list, text, shortText] of table) {
    const definition = changedDefinition(emptyDefinition, change);
    const stored = callText(list, { definition, ...others });
    const shown = { text: textFor(stored.text, reader), shortText: textFor(stored.shortText, reader) };
    assert.deepEqual(shown, { text, shortText }, JSON.stringify(change));
  }
});

test('the texts of several alarms are numbered, and the rest is counted', () => {
  const table: readonly [texts: readonly string[], total: number, expected: string][] = [
    [[], 0, ''],
    [['one'], 1, 'one'],
    [['one', 'two'], 2, '1 of 2: one\n2 of 2: two'],
    [['one', 'two'], 5, '1 of 5: one\n2 of 5: two\nand 3 more'],
  ];
  for (const [texts, total, expected] of table) assert.equal(joinTexts(texts, total, words), expected);
});
