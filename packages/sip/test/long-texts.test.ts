// Long texts that are made to keep a parser busy: each takes about as long as a harmless one of the same length.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMessage } from '../src/message/parser.ts';
import { digitOf } from '../src/user-agent/info-digit.ts';
import { plainRequest, wire } from './harness/wire.ts';

const length = 30_000;
const options = 'OPTIONS sip:user@example.com SIP/2.0';

/** Milliseconds that the work takes, as the mean of some times. */
function meanMs(times: number, work: () => void): number {
  const since = performance.now();
  for (let time = 0; time < times; time++) work();
  return (performance.now() - since) / times;
}

/** Work that grows with the square of the length takes more than ten thousand times as long here. */
const mostTimes = 500;

function assertAsQuick(hostile: () => void, harmless: () => void): void {
  meanMs(50, harmless);
  const usual = meanMs(50, harmless);
  // The better of two: the first may have met a machine that was busy.
  const taken = Math.min(meanMs(1, hostile), meanMs(1, hostile));
  assert.ok(taken < usual * mostTimes, `${taken} ms instead of ${usual} ms`);
}

function read(subject: string): () => void {
  const bytes = plainRequest(options, { Subject: subject });
  return () => assert.equal(parseMessage(bytes).kind, 'request');
}

for (const [name, subject] of [
  ['blanks', `a${' '.repeat(length)}b`],
  ['tabs', `a${'\t'.repeat(length)}b`],
  ['blanks around a line end', `a${' '.repeat(length / 2)}\r\n${' '.repeat(length / 2)}b`],
  ['line ends with blanks', `a${' \r\n'.repeat(length / 3)} b`],
] as const)
  test(`a header with a long run of ${name} is read in one pass`, () => {
    assertAsQuick(read(subject), read('y'.repeat(length)));
  });

test('folded lines are joined by one blank, and what is no folding is left', () => {
  const parsed = parseMessage(plainRequest(options, { Subject: 'one \t\r\n \ttwo\r\n three', Comment: 'x  y' }));
  assert.ok(parsed.kind === 'request');
  assert.deepEqual([parsed.headers.get('Subject'), parsed.headers.get('Comment')], ['one two three', 'x  y']);
  assert.equal(parseMessage(wire([`${options} `, 'Via: x'])).kind, 'malformed', 'a blank after the start line counts');
});

function readKey(before: string): () => void {
  const body = `${before}x\r\n Signal = 5 \r\nDuration=160`;
  const headers = { 'Content-Type': 'application/dtmf-relay' };
  const request = parseMessage(plainRequest('INFO sip:a@b.example SIP/2.0', headers, body));
  assert.ok(request.kind === 'request');
  return () => assert.deepEqual(digitOf(request), { digit: '5', durationMs: 160 });
}

for (const [name, filler] of [
  ['line ends', '\r\n'],
  ['blanks', ' '],
  ['equals signs', '='],
] as const)
  test(`the key in an INFO after a long run of ${name} is found in one pass`, () => {
    assertAsQuick(readKey(filler.repeat(length / filler.length)), readKey('y\n'.repeat(length / 2)));
  });
