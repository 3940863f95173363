// WAV files of every form that is played, files that are refused, and tones through the resampler.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { soak } from '../../test/harness/soak.ts';
import { encode } from './g711.ts';
import { printWav, readWav, WavError } from './wav.ts';

const limits = { mostBytes: 2 * 1024 * 1024, mostSeconds: 60, isStreamed: false };

type Form = { readonly code: number; readonly bits: number; readonly channels: number; readonly rate: number };

function chunk(name: string, body: Uint8Array, size = body.length): Buffer {
  const header = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  header.writeUInt32LE(size, 4);
  return Buffer.concat([header, body, Buffer.alloc(body.length % 2)]);
}

function formatChunk({ code, bits, channels, rate }: Form): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt16LE(code, 0);
  body.writeUInt16LE(channels, 2);
  body.writeUInt32LE(rate, 4);
  body.writeUInt32LE((rate * channels * bits) / 8, 8);
  body.writeUInt16LE((channels * bits) / 8, 12);
  body.writeUInt16LE(bits, 14);
  return chunk('fmt ', body);
}

function file(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WAVE'), ...chunks]);
  return chunk('RIFF', body);
}

function sine(hertz: number, rate: number, seconds: number): number[] {
  return Array.from({ length: rate * seconds }, (_, at) => 20_000 * Math.sin((2 * Math.PI * hertz * at) / rate));
}

function wordsOf(samples: readonly number[]): Buffer {
  return Buffer.from(Int16Array.from(samples).buffer);
}

/** The strength of a frequency in 8 kHz sound, as the amplitude of its sine. */
function strength(samples: Int16Array, hertz: number): number {
  const turn = (2 * Math.PI * hertz) / 8000;
  const inner = samples.subarray(400, samples.length - 400);
  const part = (wave: (x: number) => number): number => inner.reduce((sum, x, at) => sum + x * wave(turn * at), 0);
  return (2 * Math.hypot(part(Math.sin), part(Math.cos))) / inner.length;
}

const peak = 0.7 * 32_767;

for (const [name, form, body] of [
  ['16 bits', { code: 1, bits: 16, channels: 1, rate: 8000 }, wordsOf(sine(1000, 8000, 1))],
  [
    '8 bits',
    { code: 1, bits: 8, channels: 1, rate: 8000 },
    Buffer.from(sine(1000, 8000, 1).map((x) => (x >> 8) + 128)),
  ],
  [
    'A-law',
    { code: 6, bits: 8, channels: 1, rate: 8000 },
    Buffer.from(encode('PCMA', Int16Array.from(sine(1000, 8000, 1)))),
  ],
  [
    'µ-law',
    { code: 7, bits: 8, channels: 1, rate: 8000 },
    Buffer.from(encode('PCMU', Int16Array.from(sine(1000, 8000, 1)))),
  ],
  ['two channels', { code: 1, bits: 16, channels: 2, rate: 8000 }, wordsOf(sine(1000, 8000, 1).flatMap((x) => [x, x]))],
  ['22,050 Hz', { code: 1, bits: 16, channels: 1, rate: 22_050 }, wordsOf(sine(1000, 22_050, 1))],
  ['48 kHz', { code: 1, bits: 16, channels: 1, rate: 48_000 }, wordsOf(sine(1000, 48_000, 1))],
  ['6 kHz', { code: 1, bits: 16, channels: 1, rate: 6000 }, wordsOf(sine(1000, 6000, 1))],
  ['an odd rate', { code: 1, bits: 16, channels: 1, rate: 11_027 }, wordsOf(sine(1000, 11_027, 1))],
] as const) {
  test(`a file of ${name} sounds as it should, as long and at full level`, () => {
    const samples = readWav(file(formatChunk(form), chunk('data', body)), limits);
    assert.ok(Math.abs(samples.length - 8000) <= 1, `${samples.length} samples`);
    assert.ok(Math.abs(strength(samples, 1000) - peak) < peak * 0.05, `${strength(samples, 1000)}`);
  });
}

test('what a telephone cannot carry is filtered out and does not come back as another tone', () => {
  const low = sine(1000, 22_050, 1);
  const both = sine(5000, 22_050, 1).map((x, at) => x / 2 + (low[at] ?? 0) / 2);
  const samples = readWav(
    file(formatChunk({ code: 1, bits: 16, channels: 1, rate: 22_050 }), chunk('data', wordsOf(both))),
    limits,
  );
  assert.ok(strength(samples, 3000) < strength(samples, 1000) / 1000, 'the alias of 5 kHz');
});

test('other chunks, also of odd lengths, are passed over', () => {
  const form = formatChunk({ code: 1, bits: 16, channels: 1, rate: 8000 });
  const bytes = file(
    chunk('LIST', Buffer.from('abc')),
    form,
    chunk('junk', Buffer.alloc(5)),
    chunk('data', wordsOf([1, 2, 3])),
  );
  assert.equal(readWav(bytes, limits).length, 3);
});

test('what is printed is read again, and silence stays silence', () => {
  const samples = Int16Array.from(sine(440, 8000, 0.1));
  const peakOf = Math.max(...samples);
  const back = readWav(printWav(samples), limits);
  assert.ok(back.every((sample, at) => Math.abs(sample - ((samples[at] ?? 0) * peak) / peakOf) < 2));
  assert.deepEqual(readWav(printWav(new Int16Array(100)), limits), new Int16Array(100));
});

const mono = formatChunk({ code: 1, bits: 16, channels: 1, rate: 8000 });
const gigabyte = file(mono, chunk('data', Buffer.alloc(100), 2 ** 30));

for (const [name, bytes, reason] of [
  ['nothing', Buffer.alloc(0), /no WAV/],
  ['a size of a gigabyte', gigabyte, /beyond its end/],
  [
    'ten hours of sound',
    file(formatChunk({ code: 1, bits: 8, channels: 1, rate: 4000 }), chunk('data', Buffer.alloc(300_000))),
    /longer than 60/,
  ],
  ['too many bytes', Buffer.alloc(3 * 1024 * 1024), /more than 2097152/],
  [
    'MP3 inside',
    file(formatChunk({ code: 0x55, bits: 0, channels: 1, rate: 8000 }), chunk('data', Buffer.alloc(9))),
    /format 85/,
  ],
  [
    'six channels',
    file(formatChunk({ code: 1, bits: 16, channels: 6, rate: 8000 }), chunk('data', Buffer.alloc(12))),
    /6 channels/,
  ],
  [
    'a rate of zero',
    file(formatChunk({ code: 1, bits: 16, channels: 1, rate: 0 }), chunk('data', Buffer.alloc(12))),
    /0 samples/,
  ],
  ['no sound', file(mono), /holds no sound/],
  ['no format', file(chunk('data', Buffer.alloc(10))), /before its format/],
  ['half a format', file(chunk('fmt ', Buffer.alloc(10)), chunk('data', Buffer.alloc(10))), /cut short/],
] as const) {
  test(`a file with ${name} is refused`, () => {
    assert.throws(
      () => readWav(bytes, limits),
      (error) => error instanceof WavError && reason.test(error.message),
    );
  });
}

test('sizes that a program wrote to a pipe before it knew them are cut to what came', () => {
  assert.equal(readWav(gigabyte, { ...limits, isStreamed: true }).length, 50);
});

test('any bytes are read or refused', () => {
  const valid = file(mono, chunk('data', wordsOf([1, 2, 3, 4])));
  // Many small values, which are sizes that nearly fit.
  const value = fc.oneof(fc.nat(255), fc.nat(valid.length));
  const damage = fc.array(fc.tuple(fc.nat(valid.length - 1), value), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(damage, fc.boolean(), (changes, isStreamed) => {
      const bytes = Uint8Array.from(valid);
      for (const [at, changed] of changes) bytes[at] = changed;
      try {
        readWav(bytes, { ...limits, isStreamed });
      } catch (error) {
        assert.ok(error instanceof WavError, String(error));
      }
    }),
    { numRuns: soak(10_000) },
  );
});
