// A call recorded by the telephone of others, Net::SIP: its sound is written as WAV and measured, and its keys are understood.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { readWav } from '@tocsin/sip';
import { startOnFreePort, startProgram } from '../../packages/sip/test/harness/programs.ts';
import { CommandSpeech } from '../../src/channels/voice/speech.ts';
import { ProcessPool } from '../../src/channels/voice/speech-process.ts';
import { readConfig } from '../../src/config.ts';
import { withoutProgram } from '../harness/server/tools.ts';
import { startSite } from '../harness/site/site.ts';
import { voice } from '../harness/site/site-phones.ts';
import { bandShare, bestMatch } from '../harness/telephone/sound.ts';

const script = resolve('test/harness/telephone/record-call.pl');
const hasNetSip = spawnSync('perl', ['-MNet::SIP', '-e', '1']).status === 0;
const skip =
  withoutProgram('espeak-ng') ||
  withoutProgram('ffmpeg') ||
  (!hasNetSip && 'Net::SIP is missing: apt-get install libnet-sip-perl');

test('a call recorded by its peer has the whole greeting, no gap over 60 ms, and its keys are understood', {
  skip,
}, async (t) => {
  const { program, port } = await startOnFreePort(
    (at) => startProgram('perl', (folder) => [script, String(at), folder, '11']),
    'udp',
  );
  t.after(() => program.stop());
  const site = await startSite(t, 'sqlite');
  const settings = { host: '127.0.0.1', port, user: 'tocsin' };
  await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  assert.equal(await program.ended, 0, program.output());
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana', 'both keys were understood');

  const wav = join(program.folder, 'heard.wav');
  const raw = ['-f', 'mulaw', '-ar', '8000', '-i', join(program.folder, 'heard.ul')];
  assert.equal(spawnSync('ffmpeg', ['-loglevel', 'error', ...raw, wav]).status, 0);
  const heard = readWav(await readFile(wav), { mostBytes: 1e7, mostSeconds: 60, isStreamed: false });
  const speech = new CommandSpeech(
    { ...readConfig({}).speech, cacheDir: program.folder },
    new ProcessPool(1),
    () => {},
  );
  const greeting = 'Hello ana, this is Tocsin with an alarm. Press 1 to hear it.';
  // The person presses a key before the end of the greeting.
  const spoken = (await speech.say(greeting, 'en', new AbortController().signal)).subarray(0, 8000 * 2);
  const match = bestMatch(heard, spoken);
  const share = bandShare(heard.subarray(0, 8000 * 3), 300, 3400);
  const rms = Math.sqrt(spoken.reduce((sum, _, at) => sum + (heard[at] ?? 0) ** 2, 0) / spoken.length);
  const gap = longestGap(await readFile(join(program.folder, 'packets.txt'), 'utf8'));
  t.diagnostic(
    `${(heard.length / 8000).toFixed(1)} s heard, level ${Math.round(rms)}, correlation ${match.toFixed(3)} with the greeting, ${(share * 100).toFixed(0)} % between 300 and 3,400 Hz, at most ${gap.missing} ms missing and ${gap.wait.toFixed(0)} ms between packets`,
  );
  assert.ok(match > 0.95, `correlation ${match}`);
  assert.ok(share > 0.5 && rms > 300, `share ${share}, level ${rms}`);
  assert.ok(gap.missing <= 60, `${gap.missing} ms missing`);
});

/** The longest time that is missing between two packets by their timestamps, and the longest wait for one, in milliseconds. */
function longestGap(lines: string): { readonly missing: number; readonly wait: number } {
  const packets = lines
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  let [missing, wait] = [0, 0];
  for (const [index, [, timestamp = 0, arrival = 0]] of packets.entries()) {
    const [, before = timestamp, arrivedBefore = arrival] = packets[index - 1] ?? [];
    missing = Math.max(missing, (timestamp - before - 160) / 8);
    wait = Math.max(wait, arrival - arrivedBefore);
  }
  return { missing, wait };
}
