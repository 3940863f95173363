// Positions of the event log as clients store them: read back by the server, and by nobody else.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { printPosition, readPosition } from './cursor.ts';

const key = 'the key of the installation';
const place = { epoch: 'a1b2-c3', position: 4711 };

test('a position is read back, and tells nobody else how many events there were', () => {
  const printed = printPosition(place, key);
  assert.deepEqual(readPosition(printed, key), place);
  assert.equal(printPosition(place, key), printed);
  assert.match(printed, /^[\w-]+$/);
  const bytes = Buffer.from(printed, 'base64url').toString('latin1');
  assert.ok(!printed.includes('4711') && !bytes.includes('4711') && !bytes.includes(place.epoch));
});

test('a position that was changed, cut, made up or sealed with another key is none', () => {
  const printed = printPosition(place, key);
  for (let at = 0; at < printed.length - 1; at += 1) {
    const other = printed[at] === 'A' ? 'B' : 'A';
    assert.equal(
      readPosition(printed.slice(0, at) + other + printed.slice(at + 1), key),
      undefined,
      `changed at ${at}`,
    );
  }
  for (const text of [
    '',
    'A',
    printed.slice(0, 20),
    printed.slice(0, -4),
    '4711.a1b2-c3',
    `4711.a1b2-c3.${'A'.repeat(43)}`,
  ])
    assert.equal(readPosition(text, key), undefined, text);
  assert.equal(readPosition(printed, 'another key'), undefined);
});

test('a position that an earlier version has signed still counts', () => {
  const body = `${place.position}.${place.epoch}`;
  const signature = createHmac('sha256', key).update(`alarm-position:${body}`).digest('base64url');
  assert.deepEqual(readPosition(`${body}.${signature}`, key), place);
});
