// Nodes with different scripts: what one cannot run another does, and an alarm and the system report say that they differ.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ScriptRunner } from '../../../src/dispatch/script-runner.ts';
import { hasNodeScripts } from '../../../src/operations/scripts/node-scripts.ts';
import { announceNode } from '../../../src/operations/system/nodes.ts';
import type { Store } from '../../../src/store/store.ts';
import { freshStore, startOn } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { type Site, siteOn, startSite } from '../../harness/site/site.ts';
import { scriptFolder } from '../../harness/site/site-scripts.ts';
import { executeSql } from '../../harness/stores/execute-sql.ts';
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

/** Lets the time pass after which a node that was stopped is forgotten, and one that runs announce itself. */
async function forget({ app }: Site): Promise<void> {
  app.clock.advance(270_000);
  await app.store.write(announceNode, { id: 'third', name: 'third', address: 'http://127.0.0.1:1' });
}

test('the scripts of a node that was stopped count until it is forgotten, and its commands are left out when it is late', {
  skip,
}, async (t) => {
  const bare = await startSite(t, 'postgres');
  const other = await nodeWith(t, bare, { '7': succeeds });
  await other.app.stop();
  const id = await bare.alarms.send({ path: 'pump', alarmActions: [execute(7)] });
  assert.deepEqual(await ownPaths(bare), [differ]);
  await bare.app.poll();
  assert.deepEqual(await bare.scripts.endings(id), [], 'it waits for the node');
  const { nodes } = await bare.ask<{ nodes: readonly object[] }>('GET', '/system');
  assert.equal(nodes.length, 1);
  await forget(bare);
  assert.deepEqual(await ownPaths(bare), []);
  bare.app.clock.advance(330_001);
  assert.equal((await bare.scripts.ended(id)).outcome, 'too-late');
  assert.ok((await bare.alarms.fromTocsin()).some(({ path }) => path === 'system/command/7'));
  await bare.expectWhatRings();
});

test('a node that is withdrawn has ended the reading of its folder', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const asked: string[] = [];
  const note = async ({ name }: { readonly name: string }) => void asked.push(name);
  const store = { read: note, write: note, onEvents: () => () => {} } as unknown as Store;
  const node = { nodeId: 'a', nodeName: 'a', endedNodes: undefined, folder: undefined, user: undefined };
  const runner = new ScriptRunner({ store, clock: fakeClock(), ...node, onTrouble: () => {}, onNotice: () => {} });
  await runner.start();
  assert.deepEqual(asked.splice(0), ['set-node-scripts']);
  await runner.endFolderReads();
  t.mock.timers.tick(60_000);
  await runner.stop();
  assert.ok(!asked.includes('set-node-scripts') && !asked.includes('has-node-scripts'), asked.join());
});

test('a node without a folder whose scripts another removed stores them again', { skip }, async (t) => {
  const site = await startSite(t, 'postgres', { scripts: { '7': succeeds } });
  await nodeWith(t, site, {});
  assert.deepEqual(await ownPaths(site), [differ]);
  await executeSql(site.app, `delete from meta where key like 'node_scripts/%' and value like '%"scripts":null%'`);
  const count = async () => {
    const { nodes } = await site.ask<{ nodes: readonly { id: string }[] }>('GET', '/system');
    const stored = await Promise.all(nodes.map(({ id }) => site.app.store.read(hasNodeScripts, { node: id })));
    return stored.filter(Boolean).length;
  };
  assert.equal(await count(), 1);
  await until(count, (stored) => stored === 2);
});

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
  await forget(site);
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
