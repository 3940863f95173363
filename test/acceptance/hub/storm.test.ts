// A storm of alarms reaches every client that reads: those that ask for no positions, on any transport, also on a slow link.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startSlowLink } from '../../../packages/signalr/test/harness/slow-link.ts';
import { type StormClient, type StormKind, startStormClient, stormKinds } from '../../harness/hub/storm-clients.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const batchSize = 250;
const withinMs = 120_000;
/** Long messages, so that much more waits in a second than the kernel takes, or a client acknowledges. */
const messageLength = 8_000;

const paths = Array.from({ length: 500 }, (_, index) => `storm/${index}`);

/** Sends the alarms in batches that the server takes at the same time. */
async function storm(site: Site): Promise<void> {
  const bodies = paths.map((path) => ({ path, alarmMessage: 'x'.repeat(messageLength), priority: 2 }));
  const batches = Array.from({ length: Math.ceil(bodies.length / batchSize) }, (_, index) =>
    bodies.slice(index * batchSize, (index + 1) * batchSize),
  );
  await Promise.all(batches.map((batch) => site.ask('POST', '/alarms/batch', batch)));
}

async function expectAll(clients: readonly StormClient[]): Promise<void> {
  await until(
    () => clients.map(({ heard, breaks }) => (breaks > 0 ? paths.length : heard.length)),
    (counts) => counts.every((count) => count >= paths.length),
    withinMs,
  );
  const results = clients.map(({ kind, heard, breaks }) => ({ kind, heard: heard.length, breaks }));
  assert.deepEqual(
    results,
    clients.map(({ kind }) => ({ kind, heard: paths.length, breaks: 0 })),
  );
  for (const { heard } of clients) assert.deepEqual([...heard].sort(), [...paths].sort());
}

/** Connects a client of the kind over a link of its own. */
async function slowClient(t: TestContext, site: Site, kind: StormKind, bytesPerSecond: number): Promise<StormClient> {
  const link = await startSlowLink(Number(new URL(site.app.url).port), bytesPerSecond);
  t.after(() => link.stop());
  return startStormClient(t, kind, `http://127.0.0.1:${link.port}`, site.token);
}

testOnStores(
  'a storm of alarms reaches every client on every transport, also with stateful reconnect',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const clients: StormClient[] = [];
    for (const one of stormKinds) clients.push(await startStormClient(t, one, site.app.url, site.token));
    await storm(site);
    await expectAll(clients);
  },
);

testOnStores('a storm of alarms reaches every client on a slow link, without a position', async (t, kind) => {
  const site = await startSite(t, kind);
  const clients: StormClient[] = [];
  for (const one of stormKinds) clients.push(await slowClient(t, site, one, 2_000_000));
  await storm(site);
  await expectAll(clients);
});
