// WAV files: read as sound for the telephone (8 kHz, one channel, 16 bits), and written as such.

import { type Codec, decode } from './g711.ts';
import { telephoneRate, toTelephoneRate } from './resample.ts';

export type WavLimits = {
  readonly mostBytes: number;
  readonly mostSeconds: number;
  /**
   * Whether the sizes in the file may be larger than the file: programs that write to a pipe do not know them beforehand.
   * A stored file whose sizes are wrong is refused.
   */
  readonly isStreamed: boolean;
};

/** Thrown for files that cannot be played; the message completes "the file …". */
export class WavError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WavError';
  }
}

type Format = {
  readonly encoding: 'pcm8' | 'pcm16' | Codec;
  readonly channels: number;
  readonly rate: number;
};

const [lowestRate, highestRate] = [4000, 192_000];

/** Returns the sound of a file: PCM of 8 or 16 bits, A-law or µ-law, one or two channels, any rate. Throws a WavError. */
export function readWav(bytes: Uint8Array, limits: WavLimits): Int16Array {
  if (bytes.length > limits.mostBytes) throw new WavError(`has more than ${limits.mostBytes} bytes`);
  const { format, data } = chunksOf(bytes, limits.isStreamed);
  const bytesPerFrame = format.channels * (format.encoding === 'pcm16' ? 2 : 1);
  const frames = Math.floor(data.length / bytesPerFrame);
  if (frames > limits.mostSeconds * format.rate) throw new WavError(`is longer than ${limits.mostSeconds} seconds`);
  const mono = mixed(samplesOf(format, data.subarray(0, frames * bytesPerFrame)), format.channels);
  return normalised(toTelephoneRate(mono, format.rate));
}

/** A file of 8 kHz, one channel and 16 bits. */
export function printWav(samples: Int16Array): Uint8Array {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + samples.length * 2, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(telephoneRate, 24);
  bytes.writeUInt32LE(telephoneRate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (const [at, sample] of samples.entries()) bytes.writeInt16LE(sample, 44 + at * 2);
  return bytes;
}

/** Walks the chunks up to the first of sound; what others hold, and what follows, is not looked at. */
function chunksOf(bytes: Uint8Array, isStreamed: boolean): { readonly format: Format; readonly data: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 12 || nameAt(view, 0) !== 'RIFF' || nameAt(view, 8) !== 'WAVE')
    throw new WavError('is no WAV file');
  let format: Format | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = nameAt(view, at);
    const size = view.getUint32(at + 4, true);
    const begin = at + 8;
    if (size > bytes.length - begin && !(isStreamed && name === 'data'))
      throw new WavError(`says it holds ${size} bytes at ${begin}, beyond its end`);
    if (name === 'fmt ') format = formatOf(new DataView(bytes.buffer, bytes.byteOffset + begin, size));
    if (name === 'data') {
      if (format === undefined) throw new WavError('has sound before its format');
      return { format, data: bytes.subarray(begin, begin + size) };
    }
    // Chunks begin at even places.
    at = begin + size + (size % 2);
  }
  throw new WavError('holds no sound');
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

/** The extensible form holds the same code in its longer identifier. */
const extensible = 0xfffe;

function formatOf(view: DataView): Format {
  if (view.byteLength < 16) throw new WavError('has a format that is cut short');
  const short = view.getUint16(0, true);
  const code = short === extensible && view.byteLength >= 26 ? view.getUint16(24, true) : short;
  const [channels, rate, bits] = [view.getUint16(2, true), view.getUint32(4, true), view.getUint16(14, true)];
  const encoding = encodings.get(`${code}/${bits}`);
  if (encoding === undefined)
    throw new WavError(`is of format ${code} with ${bits} bits; PCM of 8 or 16 bits, A-law and µ-law are played`);
  if (channels < 1 || channels > 2) throw new WavError(`has ${channels} channels; one or two are played`);
  if (rate < lowestRate || rate > highestRate) throw new WavError(`has ${rate} samples a second`);
  return { encoding, channels, rate };
}

const encodings: ReadonlyMap<string, Format['encoding']> = new Map([
  ['1/8', 'pcm8'],
  ['1/16', 'pcm16'],
  ['6/8', 'PCMA'],
  ['7/8', 'PCMU'],
]);

function samplesOf({ encoding }: Format, data: Uint8Array): Int16Array {
  if (encoding === 'PCMA' || encoding === 'PCMU') return decode(encoding, data);
  if (encoding === 'pcm8') return Int16Array.from(data, (byte) => (byte - 128) << 8);
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return Int16Array.from({ length: data.length / 2 }, (_, at) => view.getInt16(at * 2, true));
}

function mixed(samples: Int16Array, channels: number): Float32Array {
  if (channels === 1) return Float32Array.from(samples);
  return Float32Array.from({ length: samples.length / 2 }, (_, at) => {
    return ((samples[at * 2] ?? 0) + (samples[at * 2 + 1] ?? 0)) / 2;
  });
}

/** Peaks are brought to this share of full scale, as loud as G.711 carries without clipping; noise is not raised without end. */
const peakAim = 0.7 * 32_767;
const mostGain = 8;

function normalised(samples: Float32Array): Int16Array {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  const gain = peak === 0 ? 1 : Math.min(mostGain, peakAim / peak);
  return Int16Array.from(samples, (sample) => Math.round(sample * gain));
}
