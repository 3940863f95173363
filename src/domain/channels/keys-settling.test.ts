// Keys that are pressed after the proof of a person.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeysSettling } from './keys-settling.ts';

/** The times of the keys that count, after a proof at 0 whose message begins to be heard at 400 ms. */
function counted(...keys: readonly number[]): readonly number[] {
  const settling = new KeysSettling();
  assert.ok(settling.isPress(0), 'the proof itself');
  settling.begin();
  const early = keys.filter((at) => at < 400).filter((at) => settling.isPress(at));
  settling.hear(400);
  return [...early, ...keys.filter((at) => at >= 400).filter((at) => settling.isPress(at))];
}

for (const [name, keys, expected] of [
  ['a key that bounces does not count', [20], []],
  ['nor one before a second of the message was heard', [1_300], []],
  ['one after it does, and all that follow', [1_400, 1_450, 1_500], [1_400, 1_450, 1_500]],
  ['keys in a row count only after a second without one', [900, 1_500, 2_000, 3_000], [3_000]],
] as const)
  test(name, () => assert.deepEqual(counted(...keys), expected));
