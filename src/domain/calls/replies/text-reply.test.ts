// The meaning of a reply to a text, with and without a code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OpenText, readReply, unusedCode } from './text-reply.ts';

const one: OpenText = { attemptId: 1, replyCode: '4711', items: [{ alarmId: 7 }] };
const again: OpenText = { attemptId: 2, replyCode: '4712', items: [{ alarmId: 7 }] };
const other: OpenText = { attemptId: 3, replyCode: '4713', items: [{ alarmId: 8 }] };
const both: OpenText = { attemptId: 4, replyCode: '4714', items: [{ alarmId: 7 }, { alarmId: 8 }] };
const over: OpenText = { attemptId: 5, replyCode: '4715', items: [] };

const how = 'how';
const which = 'which';

test('a reply is matched to a text by its code, or to the only open item', () => {
  const table: readonly [text: string, open: readonly OpenText[], means: string][] = [
    ['4711', [one], 'take 1'],
    ['1 4711', [one], 'take 1'],
    ['4711 1', [one], 'take 1'],
    [' 2, 4711. ', [one], 'heard 1'],
    ['3;4713', [one, other], 'decline 3'],
    ['6 4713', [other, one], 'later 3'],
    ['1', [one], 'take 1'],
    ['2', [again, one], 'heard 2'],
    ['1', [one, other], which],
    ['1', [both], which],
    ['1 4714', [both, one], 'take 4'],
    ['1', [over, one], 'take 1'],
    ['1', [over], which],
    ['4711!', [one, other], 'take 1'],
    ['ok 4711', [one, other], 'take 1'],
    ['4711 thanks', [one, other], 'take 1'],
    ['Ok, merci: 2 4713.', [one, other], 'heard 3'],
    ['ok', [one], how],
    ['thank you', [one], how],
    ['4714 all', [both, one], 'take 4'],
    ['ALL 4714', [both, one], 'take 4'],
    ['1 4714 toutes', [both], 'take 4'],
    ['4714 alle', [both], 'take 4'],
    ['2 4714 all', [both], how],
    ['all', [both], how],
    ['4715', [over, one], 'take 5'],
    ['1 9999', [one], which],
    ['9999', [one], how],
    ['4', [one], how],
    ['yes', [one], how],
    ['', [one], how],
    ['toString', [one], how],
    ['1', [], 'nothing'],
    ['4711', [], 'nothing'],
  ];
  for (const [text, open, means] of table) {
    const reply = readReply(text, open);
    assert.equal('problem' in reply ? reply.problem : `${reply.answer} ${reply.attemptId}`, means, text);
  }
});

test('no two open texts to a person share a code', () => {
  assert.equal(unusedCode('4711', new Set()), '4711');
  assert.equal(unusedCode('4711', new Set(['4711', '4712'])), '4713');
  assert.equal(unusedCode('9999', new Set(['9999'])), '1000');
});
