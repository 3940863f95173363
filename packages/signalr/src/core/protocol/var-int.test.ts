// Tests the variable-length integers before messages: known bytes, and round trips.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { readVarInt, writeVarInt } from './var-int.ts';

it('writes the bytes that clients expect', () => {
  const vectors: readonly (readonly [number, string])[] = [
    [0, '00'],
    [1, '01'],
    [127, '7f'],
    [128, '8001'],
    [16_383, 'ff7f'],
    [16_384, '808001'],
    [2_097_151, 'ffff7f'],
    [2_097_152, '80808001'],
    [2_147_483_647, 'ffffffff07'],
  ];
  for (const [value, hex] of vectors) assert.equal(writeVarInt(value).toString('hex'), hex);
});

it('reads what it writes, and waits for missing bytes', () => {
  fc.assert(
    fc.property(fc.nat(2_147_483_647), (value) => {
      const bytes = writeVarInt(value);
      assert.deepEqual(readVarInt(Buffer.concat([bytes, Buffer.of(0x80)])), { value, size: bytes.length });
      assert.equal(readVarInt(bytes.subarray(0, -1)), undefined);
    }),
  );
});

it('rejects more than five bytes', () => {
  assert.throws(() => readVarInt(Buffer.alloc(5, 0x80)));
  assert.equal(readVarInt(Buffer.alloc(4, 0x80)), undefined);
});
