// Nodes with different scripts: what one cannot run another does, and an alarm and the system report say that they differ.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshStore, startOn } from '../../harness/site/app.ts';
import { type Site, siteOn, startSite } from '../../harness/site/site.ts';
import { scriptFolder } from '../../harness/site/site-scripts.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const skip = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';

const execute = (scriptId: number) => ({ type: 'ExecuteCommand', scriptId, parameter: '' });
const succeeds = '#!/bin/sh\nexit 0\n';
const differ = 'system/scripts-differ';

const ownPaths = async (site: Site) =>
  (await site.alarms.fromTocsin()).filter(({ state }) => state === 3).map(({ path }) => path);

/** Starts a node beside the site that has another folder of scripts, or none. */
async function nodeWith(t: TestContext, { app }: Site, scripts: Readonly<Record<string, string>>): Promise<Site> {
  const { TOCSIN_DATA_DIR = '' } = await freshStore(t, 'sqlite');
  const { TOCSIN_SCRIPTS_DIR: _, TOCSIN_SCRIPTS_USER: __, ...environment } = app.environment;
  const settings = Object.keys(scripts).length === 0 ? {} : (await scriptFolder(t, scripts)).settings;
  return siteOn(t, await startOn(t, { ...environment, ...settings, TOCSIN_DATA_DIR }, app.clock));
}

test('a node without the folder of scripts switches no command off: the other runs it, and both say so', {
  skip,
}, async (t) => {
  const site = await startSite(t, 'postgres', { scripts: { '7': succeeds } });
  const bare = await nodeWith(t, site, {});
  const id = await bare.alarms.send({ path: 'pump', alarmActions: [execute(7)] });
  assert.equal((await site.scripts.ended(id)).outcome, 'succeeded');
  assert.deepEqual(await ownPaths(site), [differ]);
  type Report = { readonly nodes: readonly { readonly self: boolean; readonly scriptIds?: readonly number[] }[] };
  const { nodes } = await bare.ask<Report>('GET', '/system');
  const shown = nodes.map(({ self, scriptIds }) => [self, scriptIds]).toSorted();
  assert.deepEqual(shown, [
    [false, [7]],
    [true, undefined],
  ]);
  await bare.app.stop();
  assert.deepEqual(await ownPaths(site), []);
});

test('a command runs on the node that has its script', { skip }, async (t) => {
  const site = await startSite(t, 'postgres', { scripts: { '7': succeeds } });
  const other = await nodeWith(t, site, { '8': succeeds });
  for (const scriptId of [7, 8, 7, 8]) {
    const id = await site.alarms.send({ path: `pump ${scriptId}`, temporary: true, alarmActions: [execute(scriptId)] });
    const { outcome } = await until(
      async () => {
        await Promise.all([site.app.poll(), other.app.poll()]);
        return (await site.scripts.endings(id)).at(-1) ?? {};
      },
      (ending) => ending.outcome !== undefined,
    );
    assert.equal(outcome, 'succeeded');
    await site.alarms.send({ path: `pump ${scriptId}`, raised: false });
    await site.alarms.acknowledge(id);
  }
  await other.app.stop();
  const warned = await site.app.request('POST', '/api/v1/alarms', {
    token: site.token,
    body: { path: 'gone', alarmActions: [execute(8)] },
    headers: { prefer: 'handling=strict' },
  });
  assert.match(warned.text, /script 8 does not exist/);
});

testOnStores('a restart changes nothing about the scripts that alarms may run', async (t, kind) => {
  const site = await startSite(t, kind, { scripts: { '7': succeeds } });
  const changes = async () => (await site.list('/journal?kind=scripts.changed')).items.length;
  assert.equal(await changes(), 1);
  await site.restart();
  assert.equal(await changes(), 1);
  const id = await site.alarms.send({ path: 'pump', alarmActions: [execute(7)] });
  assert.equal((await site.scripts.ended(id)).outcome, 'succeeded');
  assert.deepEqual(await ownPaths(site), []);
});
