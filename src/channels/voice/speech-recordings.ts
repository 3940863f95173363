// Recorded messages: the bytes of a WAV or MP3 file to sound for the telephone.

import { readWav, WavError } from '@tocsin/sip';
import type { Recording } from '../../domain/calls/words/recorded-text.ts';
import { type MediaType, mediaTypeOf } from '../../domain/media.ts';
import type { Recordings } from './call-sounds.ts';
import type { ProcessPool } from './speech-process.ts';

const mostBytes = 2 * 1024 * 1024;
/** A call lasts three minutes at most, and the menu behind the recording must be heard as well. */
const mostSeconds = 120;
/** The longest recording has 2 MB at the rate of a telephone; a decoder that keeps the rate of the file writes up to six times as much. */
const mostDecodedBytes = 16 * 1024 * 1024;
const decoderLimits = { timeoutMs: 15_000, mostBytes: mostDecodedBytes, mostMemory: 1024 * 1024 * 1024 };

/** Where recordings are kept. */
export type RecordingStore = {
  /** Undefined if there is no such recording. */
  find(recording: Recording): Promise<{ readonly type: MediaType; readonly bytes: Uint8Array } | undefined>;
};

export class StoredRecordings implements Recordings {
  readonly #store: RecordingStore;
  readonly #decoder: readonly string[];
  readonly #pool: ProcessPool;

  constructor(store: RecordingStore, decoder: readonly string[], pool: ProcessPool) {
    this.#store = store;
    this.#decoder = decoder;
    this.#pool = pool;
  }

  async read(recording: Recording, signal: AbortSignal): Promise<Int16Array> {
    const found = await this.#store.find(recording);
    if (found === undefined) throw new WavError('does not exist');
    return readRecording(found.bytes, found.type, this.#decoder, this.#pool, signal);
  }
}

/**
 * Returns samples of 8 kHz. Throws an Error whose message completes "the recording …". MP3 goes through `decoder`, a program
 * that reads MP3 from its input and writes WAV.
 */
export async function readRecording(
  bytes: Uint8Array,
  type: MediaType,
  decoder: readonly string[],
  pool: ProcessPool,
  signal: AbortSignal,
): Promise<Int16Array> {
  if (bytes.length > mostBytes) throw new WavError(`has more than ${mostBytes} bytes`);
  if (type !== 'audio/wav' && type !== 'audio/mpeg') throw new WavError(`is ${type}; WAV and MP3 are played`);
  // The content decides, so that a decoder is never given a file that is something else as well.
  if (mediaTypeOf(bytes) !== type) throw new WavError(`says it is ${type}, but is not`);
  if (type === 'audio/wav') return readWav(bytes, { mostBytes, mostSeconds, isStreamed: false });
  if (tagBytes(bytes) >= bytes.length) throw new WavError('has a tag that is larger than itself');
  const wav = await pool.run(decoder, bytes, decoderLimits, signal);
  return readWav(wav, { mostBytes: mostDecodedBytes, mostSeconds, isStreamed: true });
}

/** The size that an ID3 tag before the sound claims, seven bits per byte. */
function tagBytes(bytes: Uint8Array): number {
  if (String.fromCharCode(...bytes.subarray(0, 3)) !== 'ID3') return 0;
  return 10 + bytes.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}
