// Recorded messages: WAV is played as it is, and files that are not what they say never reach the decoder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printWav } from '@tocsin/sip';
import type { MediaType } from '../../domain/media.ts';
import { ProcessPool } from './speech-process.ts';
import { readRecording } from './speech-recordings.ts';

const signal = new AbortController().signal;
const wav = printWav(Int16Array.from({ length: 1000 }, (_, at) => 20_000 * Math.sin(at / 4)));

/** The decoder must not be asked: there is none. */
function read(bytes: Uint8Array, type: MediaType): Promise<Int16Array> {
  return readRecording(bytes, type, ['/nowhere/decoder'], new ProcessPool(1), signal);
}

test('a WAV file is read without a decoder', async () => {
  assert.equal((await read(wav, 'audio/wav')).length, 1000);
});

/** A silent frame of MPEG-1 layer III with 64 kbit/s and 44.1 kHz. */
const frame = Buffer.concat([Buffer.of(0xff, 0xfb, 0x50, 0xc4), Buffer.alloc(204)]);
const archiveEnd = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);

for (const [name, bytes, type, reason] of [
  ['WAV that says it is MP3', wav, 'audio/mpeg', /says it is audio\/mpeg, but is not/],
  ['MP3 with an archive behind it', Buffer.concat([frame, frame, archiveEnd]), 'audio/mpeg', /but is not/],
  [
    'a tag of a quarter of a gigabyte',
    Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f\xff\xfb', 'latin1'),
    'audio/mpeg',
    /larger than itself/,
  ],
  ['more than two megabytes', Buffer.concat([wav, Buffer.alloc(2 * 1024 * 1024)]), 'audio/wav', /more than 2097152/],
  ['a picture', wav, 'image/png', /WAV and MP3 are played/],
] as const) {
  test(`a recording that is ${name} is refused`, () => assert.rejects(read(bytes, type), reason));
}

test('a missing decoder is named', async () => {
  await assert.rejects(read(Buffer.concat([frame, frame]), 'audio/mpeg'), /\/nowhere\/decoder is not installed/);
});
