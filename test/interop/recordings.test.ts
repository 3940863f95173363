// MP3 recordings through ffmpeg: a tone is played, and hours of silence are refused.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { printWav } from '@tocsin/sip';
import { ProcessPool } from '../../src/channels/voice/speech-process.ts';
import { readRecording } from '../../src/channels/voice/speech-recordings.ts';
import { readConfig } from '../../src/config.ts';
import { withoutProgram } from '../harness/server/tools.ts';
import { bandShare } from '../harness/telephone/sound.ts';

const skip = withoutProgram('ffmpeg');
const { decoder } = readConfig({}).speech;

function read(bytes: Uint8Array): Promise<Int16Array> {
  return readRecording(bytes, 'audio/mpeg', decoder, new ProcessPool(1), new AbortController().signal);
}

function encoded(source: readonly string[], input?: Uint8Array): Buffer {
  const quality = ['-ar', '8000', '-b:a', '8k', '-f', 'mp3', 'pipe:1'];
  const { stdout, status } = spawnSync('ffmpeg', ['-loglevel', 'error', ...source, ...quality], {
    input: input ?? '',
    maxBuffer: 1e8,
  });
  assert.equal(status, 0);
  return stdout;
}

test('an MP3 recording is decoded to sound for the telephone', { skip }, async () => {
  const tone = Int16Array.from({ length: 16_000 }, (_, at) => 15_000 * Math.sin((2 * Math.PI * 1000 * at) / 8000));
  const sound = await read(encoded(['-i', 'pipe:0'], printWav(tone)));
  assert.ok(Math.abs(sound.length - tone.length) < 1600, `${sound.length} samples`);
  assert.ok(bandShare(sound, 900, 1100) > 0.9);
});

test('a recording of half an hour of silence in two megabytes is refused', { skip }, async () => {
  const silence = encoded(['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '1800']);
  assert.ok(silence.length < 2 * 1024 * 1024);
  await assert.rejects(read(silence), /is longer than 120 seconds/);
});

test('what only looks like MP3 is refused by the decoder', { skip }, async () => {
  const frame = Buffer.concat([Buffer.of(0xff, 0xfb, 0x50, 0xc4), Buffer.alloc(204)]);
  const playlist = Buffer.from('#EXTM3U\nfile:///etc/passwd\n');
  await assert.rejects(read(playlist), /but is not/);
  const { length } = await read(Buffer.concat([...new Array(20).fill(frame), playlist])).catch(() => new Int16Array());
  assert.ok(length <= 20 * 220, 'nothing but the frames was played');
});
