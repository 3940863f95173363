// One trunk of two nodes: another node registers the account when the one that did is killed, and both share its lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInAsAdmin } from '../harness/kills/admin.ts';
import { startServer } from '../harness/server/server-process.ts';
import { withoutProgram } from '../harness/server/tools.ts';
import { migratedStore } from '../harness/site/app.ts';
import { startSite } from '../harness/site/site.ts';
import { voice } from '../harness/site/site-phones.ts';
import { storesUnderTest } from '../harness/stores/stores.ts';
import { SipPeer } from '../harness/telephone/sip-peer.ts';
import { until } from '../harness/until.ts';

const skip = storesUnderTest().includes('postgres') ? withoutProgram('espeak-ng') : 'two nodes need PostgreSQL';

const trunkTo = (peer: SipPeer, more: object = {}) => ({
  name: 'PBX',
  channel: 'voice',
  kind: 'sip',
  settings: { host: '127.0.0.1', port: peer.port, user: '700', ...more },
  secrets: { password: 'password-4711' },
});

test('the registration of a trunk moves to the other node within 15 s of a kill', { skip }, async (t) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const environment: Record<string, string> = {
    ...(await migratedStore(t, 'postgres')),
    TOCSIN_SECRETS_KEY: 'the key of all nodes',
  };
  const first = await startServer(environment);
  t.after(() => first.end('SIGKILL'));
  const admin = await signInAsAdmin(() => [first.url]);
  await admin.ask('POST', '/providers', trunkTo(peer, { register: true }));
  await until(
    () => peer.registrations.length,
    (count) => count > 0,
  );
  const second = await startServer({ ...environment, TOCSIN_DATA_DIR: `${environment.TOCSIN_DATA_DIR}-second` });
  t.after(() => second.end('SIGKILL'));
  assert.equal(new Set(peer.registrations).size, 1, 'only one node registers');
  const killedAt = performance.now();
  await first.end('SIGKILL');
  await until(
    () => new Set(peer.registrations).size,
    (contacts) => contacts === 2,
  );
  t.diagnostic(`registered by the other node after ${Math.round(performance.now() - killedAt)} ms`);
});

test('two nodes together never use more lines than the trunk has', { skip }, async (t) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, 'postgres', { overrides: { TOCSIN_SECRETS_KEY: 'the key of all nodes' } });
  const other = await site.startNode();
  await site.create('/providers', { ...trunkTo(peer), lines: 2 });
  const people = [];
  for (let n = 1; n <= 8; n++)
    people.push(await site.person(`p${n}`, { numbers: [voice(`+3310000000${n}`, { countTry: 1 })] }));
  const group = await site.group('Pumps', [await site.team('Night', people)]);
  await site.alarms.raise(group, { priority: 3 });
  await until(
    () => peer.calls,
    (calls) => calls === 2,
  );
  await until(
    () => {
      peer.rejectAll();
      void site.app.poll();
      void other.app.poll();
      return peer.calls;
    },
    (calls) => calls >= people.length,
  );
  assert.equal(peer.mostAtOnce, 2);
  await site.expectWhatRings();
});
