// A provider tied to a node that does not run is down: the next number, the next person and an alarm follow.

import assert from 'node:assert/strict';
import { decideCalls } from '../../../src/operations/calls/engine/decide-calls.ts';
import { announceNode } from '../../../src/operations/system/nodes.ts';
import { readEvents } from '../../../src/store/event-log.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const tied = { name: 'PBX', channel: 'voice', kind: 'simulator', settings: { fault: 'none' }, node: 'gone' };

const rowsOf = async (site: Site, alarm: number) =>
  (await site.list(`/call/histories?limit=100&alarmId=${alarm}`)).items;

testOnAnyStore('the other number of the person and the relief are called, and an alarm says why', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/providers', tied);
  const text = { channel: 'simulator', address: '77' };
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  const bo = await site.person('bo', { numbers: [voice('+33100000002'), text] });
  const relief = await site.group('Relief', [await site.team('Day', [bo])]);
  const group = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId: relief });
  const alarm = await site.alarms.raise(group, { priority: 1 });
  const rows = await until(
    () => rowsOf(site, alarm),
    (found) => found.some(({ user, address }) => user === 'bo' && address === '77'),
  );
  assert.equal(rows.find(({ user }) => user === 'ana')?.outcome, 'providerDown');
  await until(
    async () => (await site.alarms.fromTocsin()).map(({ path }) => path),
    (paths) => paths.includes('system/channel/voice'),
  );
  await site.expectWhatRings();
});

testOnStores('a provider whose node runs is waited for, and saving one whose node does not warns', async (t, kind) => {
  const site = await startSite(t, kind);
  const saved = await site.request('POST', '/providers', tied);
  assert.match(saved.headers.get('tocsin-warnings') ?? '', /no node named "gone" is running/);
  const { id } = (await site.list('/providers?limit=10')).items.find(({ name }) => name === 'PBX') ?? {};
  await site.app.store.write(announceNode, { id: 'other', name: 'gone', address: 'http://127.0.0.1:9' });
  const again = await site.request('PUT', `/providers/${id}`, tied);
  assert.deepEqual([again.status, again.headers.get('tocsin-warnings')], [200, null]);
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 1 });
  await until(
    () => site.list('/calls?limit=10'),
    ({ items }) => JSON.stringify(items).includes('Pumps'),
  );
  assert.ok(!(await rowsOf(site, alarm)).some(({ outcome }) => outcome === 'providerDown'), 'left to the other node');
  await site.alarms.acknowledge(alarm);
});

testOnStores(
  'who is called is decided anew when the node of a provider falls silent, and when it is back',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const announce = () =>
      site.app.store.write(announceNode, { id: 'other', name: 'gone', address: 'http://127.0.0.1:9' });
    const changes = async () => {
      const events = await site.app.store.read(readEvents, { after: 0, limit: 10_000 });
      return events.filter((event) => event.kind === 'node.changed').length;
    };
    const lookIn = async () => {
      const now = site.app.clock.now();
      const { lookAgainAt = Number.POSITIVE_INFINITY } = await site.app.store.read(decideCalls, { now });
      return lookAgainAt - now;
    };
    const person = await site.person('ana', { numbers: [{ channel: 'simulator', address: '77', timeToRetry: 600 }] });
    await site.create('/providers', tied);
    await announce();
    await until(changes, (count) => count === 1);
    await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [person])]), { priority: 1 });
    await person.isCalled();
    assert.equal(await lookIn(), 15_001);
    site.app.clock.advance(5_000);
    assert.equal(await lookIn(), 10_001);
    await announce();
    assert.equal(await lookIn(), 15_001);
    assert.equal(await changes(), 1, 'it was seen a short while ago');
    site.app.clock.advance(20_000);
    await announce();
    await until(changes, (count) => count === 2);
  },
);

testOnAnyStore('a provider saved with a blank node is tied to none, and calls', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const [name, node] of [
    ['PBX', ''],
    ['Other', '  '],
  ] as const) {
    const saved = await site.request('POST', '/providers', { ...tied, name, node });
    assert.deepEqual([saved.status, saved.headers.get('tocsin-warnings')], [200, null]);
  }
  const { items } = await site.list('/providers?limit=10');
  assert.deepEqual([...new Set(items.map(({ node }) => node))], [null]);
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 1 });
  await ana.isCalled();
  await ana.takes();
});

testOnStores(
  'the first provider works on another node: the attempt is left to that node until it is gone',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.app.store.write(announceNode, { id: 'other', name: 'gone', address: 'http://127.0.0.1:9' });
    await site.create('/providers', { ...tied, order: 1 });
    await site.create('/providers', { ...tied, name: 'PBX 2', node: null, order: 2 });
    const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarm = await site.alarms.raise(group, { priority: 1 });
    await until(
      () => site.list('/calls?limit=10'),
      ({ items }) => JSON.stringify(items).includes('Pumps'),
    );
    await site.app.poll();
    await site.app.poll();
    const taken = (await rowsOf(site, alarm)).flatMap(({ provider }) => provider ?? []);
    assert.ok(!taken.includes('PBX 2'), 'the second provider is not used');
    site.app.clock.advance(20_000);
    await ana.isCalled();
    await ana.takes();
  },
);
