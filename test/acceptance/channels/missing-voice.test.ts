// A voice that is gone while the server runs: nobody is rung to hear silence, no try is used, and somebody is told.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { printWav } from '@tocsin/sip';
import { type Site, startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

/** A program that speaks by every voice for which there is a file. */
async function voices(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-voices-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, 'speak');
  const sound = printWav(Int16Array.from({ length: 800 }, (_, at) => 9_000 * Math.sin(at / 3)));
  for (const name of ['en', 'fr']) await writeFile(join(folder, `${name}.wav`), sound);
  await writeFile(program, `#!/bin/sh\ncat > /dev/null\nexec cat ${folder}/$1.wav\n`);
  await chmod(program, 0o755);
  const move = (from: string, to: string) => rename(join(folder, from), join(folder, to));
  return {
    overrides: { TOCSIN_SPEECH_COMMAND: `${program} {voice}`, TOCSIN_SPEECH_VOICES: 'en=en,fr=fr' },
    take: (name: string) => move(name, `${name}.gone`),
    bring: (name: string) => move(`${name}.gone`, name),
  };
}

async function callable(site: Site, peer: SipPeer) {
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
  const id = await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const test = () => site.ask<{ ok: boolean; reason: string }>('POST', `/providers/${id}/test`);
  assert.deepEqual(await test(), { ok: true, reason: '' });
  const numbers = [voice('+33100000001', { countTry: 1 })];
  const ana = await site.person('ana', { language: 'fr', numbers });
  return { id, test, group: await site.group('Pumps', [await site.team('Night', [ana])]) };
}

const answered = (peer: SipPeer, calls: number) =>
  until(
    () => {
      peer.pickUp();
      return peer.calls;
    },
    (count) => count >= calls,
  );

testOnAnyStore('a program that no longer speaks uses up no try, and rings nobody in silence', async (t, kind) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const { overrides, take, bring } = await voices(t);
  const site = await startSite(t, kind, { overrides });
  const { id, test, group } = await callable(site, peer);
  await take('speak');
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await answered(peer, 1);
  const rows = async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items;
  const [first] = await until(rows, ([row]) => row?.outcome === 'providerDown');
  assert.match(String(first?.detail), /nothing can be said: .*not installed/);
  assert.equal((await test()).ok, false);
  const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${id}`);
  assert.equal(health.state, 'down');
  await site.advance('5m');
  assert.equal(peer.calls, 1, 'nobody is rung while nothing can be said');
  await bring('speak');
  assert.deepEqual(await test(), { ok: true, reason: '' });
  await answered(peer, 2);
  peer.hangUp();
  await site.expectWhatRings();
});

testOnAnyStore('another voice speaks for one that is gone, and an alarm says so until it is back', async (t, kind) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const { overrides, take, bring } = await voices(t);
  const site = await startSite(t, kind, { overrides });
  const { id, test, group } = await callable(site, peer);
  const told = async () =>
    (await site.alarms.fromTocsin()).find(({ path }) => path === `system/provider/${id}/voice`)?.state;
  await take('fr.wav');
  await site.alarms.raise(group, { priority: 3 });
  await answered(peer, 1);
  assert.ok((await peer.nextSound()) > 0);
  const said = await test();
  assert.match(said.reason, /the voice fr does not speak/);
  await until(told, (state) => state === 3);
  const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${id}`);
  assert.equal(health.state, 'up');
  await bring('fr.wav');
  await test();
  await until(told, (state) => state !== 3);
  peer.hangUp();
  await site.expectWhatRings();
});
