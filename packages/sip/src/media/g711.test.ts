// G.711 against values of the recommendation, and its error against the size of the sample.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode, silence } from './g711.ts';

test('codes of the recommendation decode to their samples', () => {
  assert.deepEqual([...decode('PCMU', Uint8Array.of(0xff, 0x7f, 0x80, 0x00, 0xf0))], [0, 0, 32_124, -32_124, 120]);
  assert.deepEqual([...decode('PCMA', Uint8Array.of(0xd5, 0x55, 0xaa, 0x2a, 0x80))], [8, -8, 32_256, -32_256, 5504]);
});

for (const codec of ['PCMA', 'PCMU'] as const) {
  test(`${codec} gives back every sample within half a step`, () => {
    const samples = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
    const back = decode(codec, encode(codec, samples));
    // A step is a sixteenth of its segment, so the error is at most half of that; the largest samples are clipped.
    const isFar = (sample: number, at: number): boolean =>
      Math.abs(sample) < 32_200 && Math.abs(sample - (back[at] ?? 0)) > (Math.abs(sample) + 132) / 30 + 4;
    assert.deepEqual([...samples.filter(isFar)], []);
  });

  test(`${codec} gives back every code that it decodes`, () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const samples = decode(codec, codes);
    assert.deepEqual(decode(codec, encode(codec, samples)), samples);
    assert.equal(Math.abs(decode(codec, Uint8Array.of(silence[codec]))[0] ?? 99) <= 8, true);
  });
}
