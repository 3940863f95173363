// Speech by a program that the test writes: what it is given, what is remembered, and what happens when people hang up.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { printWav } from '@tocsin/sip';
import { until } from '../../../test/harness/until.ts';
import { CommandSpeech, speakable } from './speech.ts';
import { SpeechCache } from './speech-cache.ts';
import { ProcessPool } from './speech-process.ts';

const never = new AbortController().signal;
const sound = Int16Array.from({ length: 800 }, (_, at) => 22_936 * Math.sin(at / 3));
const voices = new Map([
  ['en', 'english'],
  ['fr', 'french'],
]);

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-speech-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const noTrouble = (error: unknown): never => assert.fail(String(error));

/** A program that notes each run and its input, waits while a file named `hold` is there, and says `sound`. */
async function speakingProgram(t: TestContext) {
  const folder = await temporaryFolder(t);
  const program = join(folder, 'speak');
  await writeFile(join(folder, 'sound.wav'), printWav(sound));
  const wait = `while [ -e ${folder}/hold ]; do sleep 0.01; done`;
  const note = `echo "$@" >> ${folder}/runs; cat > ${folder}/input`;
  await writeFile(program, `#!/bin/sh\n${note}\n${wait}\ncat ${folder}/sound.wav\n`);
  await chmod(program, 0o755);
  const cacheDir = join(folder, 'cache');
  const trouble: unknown[] = [];
  return {
    folder,
    cacheDir,
    trouble,
    open: () =>
      new CommandSpeech({ command: [program, '-v', '{voice}'], voices, cacheDir }, new ProcessPool(2), (error) =>
        trouble.push(error),
      ),
    runs: async (): Promise<string[]> =>
      (await readFile(join(folder, 'runs'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean),
    input: () => readFile(join(folder, 'input'), 'utf8'),
  };
}

test('a text is spoken once, then remembered, also after a restart', async (t) => {
  const { open, runs, trouble } = await speakingProgram(t);
  const speech = open();
  const first = await speech.say('Pump 3 high level', 'en', never);
  assert.equal(first.length, sound.length);
  assert.equal(await speech.say('Pump 3 high level', 'en', never), first);
  assert.deepEqual(await open().say('Pump 3 high level', 'en', never), first);
  assert.deepEqual(await runs(), ['-v english']);
  assert.deepEqual(trouble, []);
});

test('each language has its voice, and an unknown one the first', async (t) => {
  const { open, runs } = await speakingProgram(t);
  const speech = open();
  for (const language of ['fr', 'fr-CH', 'en', 'nl']) await speech.say('x', language, never);
  assert.deepEqual(await runs(), ['-v french', '-v english']);
});

test('the text is input, never an argument', async (t) => {
  const { open, runs, input } = await speakingProgram(t);
  await open().say('--help; $(reboot)', 'en', never);
  assert.deepEqual(await runs(), ['-v english']);
  assert.equal(await input(), '--help; $(reboot).\n');
});

test('control characters, turned writing and phonemes do not reach the program', () => {
  assert.equal(speakable('a\0b\u202ec\r\nd\x1b[2J [[e]] \ud800'), 'a b c d [2J e \ufffd');
  assert.equal(speakable('x'.repeat(6000)).length, 5000);
});

test('a damaged file of the cache is made again', async (t) => {
  const { open, runs, cacheDir } = await speakingProgram(t);
  await open().say('x', 'en', never);
  const [name = ''] = await readdir(cacheDir);
  const bytes = await readFile(join(cacheDir, name));
  bytes[200] = 1 ^ (bytes[200] ?? 0);
  await writeFile(join(cacheDir, name), bytes);
  assert.equal((await open().say('x', 'en', never)).length, sound.length);
  await writeFile(join(cacheDir, name), bytes.subarray(0, 20));
  assert.equal((await open().say('x', 'en', never)).length, sound.length);
  assert.equal((await runs()).length, 3);
});

test('a cache that cannot be written costs only time', async (t) => {
  const { open, cacheDir, trouble } = await speakingProgram(t);
  await writeFile(cacheDir, 'a file where the folder should be');
  assert.equal((await open().say('x', 'en', never)).length, sound.length);
  assert.equal(trouble.length, 1);
});

test('two who want the same text wait for one run, and one who hangs up does not end it', async (t) => {
  const { open, runs, folder } = await speakingProgram(t);
  await writeFile(join(folder, 'hold'), '');
  const speech = open();
  const hangsUp = new AbortController();
  const [stays, leaves] = [speech.say('x', 'en', never), speech.say('x', 'en', hangsUp.signal)];
  await until(runs, (started) => started.length === 1);
  hangsUp.abort(new Error('hung up'));
  await assert.rejects(leaves, /hung up/);
  await rm(join(folder, 'hold'));
  assert.equal((await stays).length, sound.length);
  assert.equal((await runs()).length, 1);
});

test('when all have hung up, the next one gets a run of their own', async (t) => {
  const { open, runs, folder } = await speakingProgram(t);
  await writeFile(join(folder, 'hold'), '');
  const speech = open();
  const hangsUp = new AbortController();
  const leaves = speech.say('x', 'en', hangsUp.signal);
  await until(runs, (started) => started.length === 1);
  hangsUp.abort(new Error('hung up'));
  await assert.rejects(leaves, /hung up/);
  await rm(join(folder, 'hold'));
  assert.equal((await speech.say('x', 'en', never)).length, sound.length);
  assert.equal((await runs()).length, 2);
});

test('output that is no WAV is told by the name of the program', async (t) => {
  const settings = { command: ['cat'], voices, cacheDir: await temporaryFolder(t) };
  const speech = new CommandSpeech(settings, new ProcessPool(1), noTrouble);
  await assert.rejects(speech.say('x', 'en', never), {
    why: { code: 'program-output', program: 'cat', said: 'is no WAV file' },
  });
});

test('the folder keeps to its size, and what was used last stays', async (t) => {
  const folder = await temporaryFolder(t);
  const cache = new SpeechCache(folder, 3 * 300, noTrouble);
  const key = (n: number): string => String(n).repeat(64);
  await writeFile(join(folder, 'left.part'), 'by a process that was killed');
  for (const n of [1, 2, 3]) await cache.put(key(n), new Int16Array(100));
  await cache.get(key(1));
  await cache.put(key(4), new Int16Array(100));
  assert.deepEqual(
    (await readdir(folder)).sort(),
    [1, 3, 4].map((n) => `${key(n)}.sound`),
  );
});
