// The limits of programs: time, output, number, and the end of everything they started.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/harness/until.ts';
import { ProcessPool } from './speech-process.ts';

const limits = { timeoutMs: 20_000, mostBytes: 1000 };
const never = new AbortController().signal;
const nothing = new Uint8Array();

function run(script: string, changed: Partial<typeof limits> = {}, signal = never): Promise<string> {
  const output = new ProcessPool(1).run(['sh', '-c', script], nothing, { ...limits, ...changed }, signal);
  return output.then((bytes) => Buffer.from(bytes).toString());
}

async function isGone(pid: string): Promise<void> {
  const isThere = (): boolean => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  };
  await until(isThere, (there) => !there);
}

test('input goes in, output comes out, and the environment is not passed on', async () => {
  const pool = new ProcessPool(1);
  const output = await pool.run(['cat'], Buffer.from('--help\n'), limits, never);
  assert.equal(Buffer.from(output).toString(), '--help\n');
  const names = (await run('env')).split('\n').map((line) => line.split('=')[0]);
  assert.deepEqual(names.filter((name) => name !== 'PWD' && name !== '_' && name !== 'SHLVL').sort(), [
    '',
    'LANG',
    'PATH',
  ]);
});

test('a program that is missing is named with its package', async () => {
  const missing = (program: string) => new ProcessPool(1).run([program], nothing, limits, never);
  await assert.rejects(missing('/nowhere/espeak-ng'), /\/nowhere\/espeak-ng is not installed/);
  await assert.rejects(missing('no-such-voice'), /no-such-voice is not installed; looked for \/usr\/local\/bin/);
});

test('a program that fails is quoted, in printable characters', async () => {
  await assert.rejects(run('printf "bad\\033[31m voice\\n" >&2; exit 3'), {
    message: 'sh ended with 3: "bad [31m voice"',
  });
});

test('a program that hangs, or is not wanted any more, is ended with all it started', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-speech-'));
  t.after(() => rm(folder, { recursive: true }));
  const pidIn = (file: string): Promise<string> => readFile(join(folder, file), 'utf8').catch(() => '');
  const script = (file: string): string => `sleep 600 & echo $! > ${join(folder, file)}; wait`;
  await assert.rejects(run(script('hung'), { timeoutMs: 1000 }), /sh took longer than 1 s/);
  const abort = new AbortController();
  const unwanted = run(script('unwanted'), {}, abort.signal);
  await until(
    () => pidIn('unwanted'),
    (pid) => pid.endsWith('\n'),
  );
  abort.abort(new Error('hung up'));
  await assert.rejects(unwanted, /hung up/);
  for (const file of ['hung', 'unwanted']) await isGone(await pidIn(file));
});

test('a program that writes without end is ended', async () => {
  await assert.rejects(run('cat /dev/zero'), /sh wrote more than 1000 bytes/);
});

test('as many programs as allowed run at once, and the others afterwards', async (t) => {
  const pool = new ProcessPool(1);
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-speech-'));
  t.after(() => rm(folder, { recursive: true }));
  const lock = join(folder, 'lock');
  const script = `mkdir ${lock} || exit 1; sleep 0.02; rmdir ${lock}`;
  const runs = Array.from({ length: 5 }, () => pool.run(['sh', '-c', script], nothing, limits, never));
  await Promise.all(runs);
});
