// Tests sign-in-throttle.ts: growing delays for guesses from one address, and budgets that new addresses share.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CountedGuesses,
  countedSpan,
  decideSignIn,
  guessWindowMs,
  newAddressBudgets,
} from './sign-in-throttle.ts';

const now = 10_000_000;
const unused = { account: undefined, address: undefined, server: undefined };
const own = (count: number, lastAt = now): CountedGuesses['own'] => ({
  count,
  lastAt: count === 0 ? undefined : lastAt,
});

const delays: readonly [guesses: number, seconds: number][] = [
  [0, 0],
  [4, 0],
  [5, 1],
  [6, 2],
  [7, 4],
  [13, 256],
  [14, 300],
  [1_000_000, 300],
];

for (const [count, seconds] of delays) {
  test(`after ${count} guesses from one address, known or new, the next waits ${seconds} s`, () => {
    const expected = seconds === 0 ? { kind: 'check' } : { kind: 'wait', reason: 'own-guesses', ms: seconds * 1_000 };
    for (const budgetUsedBy of [undefined, unused])
      assert.deepEqual(decideSignIn({ own: own(count), budgetUsedBy }, now), expected);
  });
}

test('the delay runs down from the last guess', () => {
  const after = (ms: number) => decideSignIn({ own: own(8), budgetUsedBy: undefined }, now + ms);
  assert.deepEqual(after(3_000), { kind: 'wait', reason: 'own-guesses', ms: 5_000 });
  assert.deepEqual(after(8_000), { kind: 'check' });
});

for (const budget of ['account', 'address', 'server'] as const) {
  test(`a new address waits until the oldest guess of a used-up ${budget} budget is fifteen minutes old`, () => {
    const counted = { own: own(0), budgetUsedBy: { ...unused, [budget]: now - 60_000 } };
    const ms = guessWindowMs - 60_000;
    assert.deepEqual(decideSignIn(counted, now), { kind: 'wait', reason: `${budget}-budget`, ms });
    assert.deepEqual(decideSignIn(counted, now + ms - 1), { kind: 'wait', reason: `${budget}-budget`, ms: 1 });
    assert.deepEqual(decideSignIn(counted, now + ms), { kind: 'check' });
  });
}

test('of several reasons to wait the longest is returned', () => {
  const budgetUsedBy = { account: now - 800_000, address: now - 100_000, server: undefined };
  const ms = guessWindowMs - 100_000;
  assert.deepEqual(decideSignIn({ own: own(6), budgetUsedBy }, now), { kind: 'wait', reason: 'address-budget', ms });
});

test('an account gets at most twenty guesses in any fifteen minutes from one known address that guesses without pause', () => {
  const guesses: number[] = [];
  for (let at = 0; at < 4 * guessWindowMs; at += 1_000) {
    const { after } = countedSpan(at);
    const counted = guesses.filter((guess) => guess > after);
    const lastAt = counted.at(-1);
    const decision = decideSignIn({ own: { count: counted.length, lastAt }, budgetUsedBy: undefined }, at);
    if (decision.kind === 'check') guesses.push(at);
    assert.ok(counted.length <= newAddressBudgets.account, `${counted.length} at ${at}`);
  }
  assert.ok(guesses.length > 20, 'it is never locked out for good');
});
