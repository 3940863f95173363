// Keys heard as tones, through G.711 and noise; a single tone, noise and short blips are no keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Codec, decode, encode } from './g711.ts';
import { ToneDetector } from './tone-detector.ts';

const frequencies: Readonly<Record<string, readonly [number, number]>> = {
  1: [697, 1209],
  2: [697, 1336],
  3: [697, 1477],
  A: [697, 1633],
  4: [770, 1209],
  5: [770, 1336],
  6: [770, 1477],
  B: [770, 1633],
  7: [852, 1209],
  8: [852, 1336],
  9: [852, 1477],
  C: [852, 1633],
  '*': [941, 1209],
  0: [941, 1336],
  '#': [941, 1477],
  D: [941, 1633],
};

type Tone = { readonly ms: number; readonly volume?: number; readonly twist?: number; readonly offBy?: number };

function tone(key: string, { ms, volume = 4000, twist = 1, offBy = 1 }: Tone): number[] {
  const [low, high] = frequencies[key] ?? [0, 0];
  const wave = (hertz: number, at: number): number => Math.sin((2 * Math.PI * hertz * offBy * at) / 8000);
  return Array.from({ length: ms * 8 }, (_, at) => volume * wave(low, at) + volume * twist * wave(high, at));
}

/** Noise that is the same in each run. */
function withNoise(samples: readonly number[], volume: number): number[] {
  let state = 1;
  return samples.map((sample) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return sample + volume * (state / 2 ** 30 - 1);
  });
}

function keysIn(samples: readonly number[], codec: Codec = 'PCMA'): string {
  const detector = new ToneDetector();
  const heard = decode(codec, encode(codec, Int16Array.from([...samples, ...new Array(1600).fill(0)])));
  return detector
    .push(heard)
    .flatMap(({ kind, key }) => (kind === 'pressed' ? [key] : []))
    .join('');
}

const pause = new Array<number>(80 * 8).fill(0);

for (const codec of ['PCMA', 'PCMU'] as const) {
  test(`all sixteen keys are heard through ${codec} and noise`, () => {
    const all = '123A456B789C*0#D';
    const samples = [...all].flatMap((key) => [...tone(key, { ms: 80 }), ...pause]);
    assert.equal(keysIn(withNoise(samples, 300), codec), all);
  });
}

test('the same key twice is two keys, and a long one is one', () => {
  assert.equal(keysIn([...tone('5', { ms: 80 }), ...pause, ...tone('5', { ms: 80 })]), '55');
  assert.equal(keysIn(tone('5', { ms: 3000 })), '5');
});

test('quiet, twisted and slightly wrong tones are heard, as lines make them', () => {
  assert.equal(keysIn(tone('7', { ms: 100, volume: 700 })), '7');
  assert.equal(keysIn(tone('7', { ms: 100, twist: 2 })), '7');
  assert.equal(keysIn(tone('7', { ms: 100, twist: 0.75 })), '7');
  assert.equal(keysIn(tone('7', { ms: 100, offBy: 1.006 })), '7');
});

test('a blip, one tone alone, noise, and a chord are no keys', () => {
  assert.equal(keysIn(tone('5', { ms: 20 })), '');
  assert.equal(keysIn(tone('5', { ms: 200, twist: 0 })), '');
  assert.equal(keysIn(withNoise(new Array(8000).fill(0), 8000)), '');
  const hum = (at: number): number => 4000 * Math.sin((2 * Math.PI * 350 * at) / 8000);
  assert.equal(keysIn(tone('5', { ms: 200 }).map((sample, at) => sample + hum(at))), '');
  const [five, nine] = [tone('5', { ms: 200 }), tone('9', { ms: 200 })];
  assert.equal(keysIn(five.map((sample, at) => sample + (nine[at] ?? 0))), '');
});

test('a released key tells how long it was held', () => {
  const detector = new ToneDetector();
  const events = detector.push(Int16Array.from([...tone('4', { ms: 200 }), ...new Array(800).fill(0)]));
  assert.deepEqual(events.at(-1), { kind: 'released', key: '4', durationMs: 200 });
});
