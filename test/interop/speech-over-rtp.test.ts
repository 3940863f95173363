// espeak-ng heard over RTP on loopback: the received side is written as WAV and measured.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type TestContext, test } from 'node:test';
import { MediaSession, printWav, readWav } from '@tocsin/sip';
import { CommandSpeech } from '../../src/channels/voice/speech.ts';
import { ProcessPool } from '../../src/channels/voice/speech-process.ts';
import { readConfig } from '../../src/config.ts';
import { withoutProgram } from '../harness/server/tools.ts';
import { bandShare, bestMatch } from '../harness/telephone/sound.ts';
import { until } from '../harness/until.ts';

const signal = new AbortController().signal;

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-speech-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function speechIn(cacheDir: string): CommandSpeech {
  const { speech } = readConfig({});
  return new CommandSpeech({ ...speech, cacheDir }, new ProcessPool(2), (error) => assert.fail(String(error)));
}

async function connected(t: TestContext): Promise<readonly [MediaSession, MediaSession]> {
  const [caller, called] = [
    await MediaSession.open({ address: '127.0.0.1' }),
    await MediaSession.open({ address: '127.0.0.1' }),
  ];
  t.after(() => [caller, called].map((session) => session.close()));
  caller.accept(called.answer(caller.offer()));
  return [caller, called];
}

/** Records what a session hears: the sound, and the longest time between packets by their timestamps and by arrival. */
function record(session: MediaSession) {
  const sound: number[] = [];
  const recorded = { sound, longestMissingMs: 0, longestWaitMs: 0 };
  let [next, arrivedAt] = [-1, Number.NaN];
  session.on('audio', (samples, timestamp) => {
    const now = performance.now();
    if (next >= 0) recorded.longestMissingMs = Math.max(recorded.longestMissingMs, ((timestamp - next) | 0) / 8);
    if (next >= 0) recorded.longestWaitMs = Math.max(recorded.longestWaitMs, now - arrivedAt);
    [next, arrivedAt] = [(timestamp + samples.length) >>> 0, now];
    sound.push(...samples);
  });
  return recorded;
}

function keysOf(session: MediaSession): { text: string } {
  const keys = { text: '' };
  session.on('keyPressed', (key) => {
    keys.text += key;
  });
  return keys;
}

test('speech arrives whole and without a gap, and keys are understood both ways', {
  skip: withoutProgram('espeak-ng'),
}, async (t) => {
  const folder = await temporaryFolder(t);
  const spoken = await speechIn(folder).say('Pump 3 high level. Press 1 to take the alarm.', 'en', signal);
  assert.ok(spoken.length > 8000 * 2, `${spoken.length / 8000} s of speech`);
  const [caller, called] = await connected(t);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const recorded = record(called);
  const [pressed, answered] = [keysOf(called), keysOf(caller)];
  delay.enable();
  assert.equal(await caller.play(spoken), 'ended');
  await until(
    () => recorded.sound.length,
    (samples) => samples > spoken.length,
  );
  delay.disable();
  // Keys take the place of the sound, so the gaps are read before them.
  const { longestMissingMs, longestWaitMs } = recorded;
  await Promise.all([caller.sendKeys('12#'), called.sendKeys('4321')]);
  await until(
    () => [pressed.text, answered.text].join(' '),
    (keys) => keys === '12# 4321',
  );
  const file = join(folder, 'received.wav');
  await writeFile(file, printWav(Int16Array.from(recorded.sound)));
  const heard = readWav(await readFile(file), { mostBytes: 1e7, mostSeconds: 60, isStreamed: false });
  assert.ok(bestMatch(heard, spoken) > 0.99, `correlation ${bestMatch(heard, spoken)}`);
  assert.ok(bandShare(heard, 300, 3400) > 0.5, `${bandShare(heard, 300, 3400)} of the energy between 300 and 3,400 Hz`);
  assert.ok(longestMissingMs <= 60, `${longestMissingMs} ms of sound missing`);
  // A machine that stopped the whole process for a while is not what is measured.
  const stoppedMs = Math.max(0, delay.max / 1e6 - 20);
  assert.ok(longestWaitMs <= 60 + stoppedMs, `${longestWaitMs} ms between packets`);
});

test('each language is spoken by its voice', { skip: withoutProgram('espeak-ng') }, async (t) => {
  const speech = speechIn(await temporaryFolder(t));
  const texts = [
    ['en', 'Press one to take the alarm.'],
    ['fr', "Appuyez sur un pour prendre l'alarme."],
    ['de', 'Drücken Sie eins, um den Alarm zu übernehmen.'],
  ] as const;
  for (const [language, text] of texts) {
    const sound = await speech.say(text, language, signal);
    assert.ok(sound.length > 8000 && sound.length < 8000 * 8, `${language}: ${sound.length / 8000} s`);
    assert.ok(bandShare(sound, 300, 3400) > 0.5, language);
  }
  const [english, german] = [await speech.say('Alarm', 'en', signal), await speech.say('Alarm', 'de', signal)];
  assert.notDeepEqual(english, german);
});
