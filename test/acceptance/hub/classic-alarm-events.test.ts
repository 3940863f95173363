// The published classic SignalR client on the alarm hub of a whole server receives every alarm once, over restarts and
// cuts.

import assert from 'node:assert/strict';
import { startProxy } from '../../../packages/signalr/test/harness/tcp-proxy.ts';
import { untilEqual } from '../../../packages/signalr/test/harness/until.ts';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { classicClient } from '../../harness/hub/classic-page.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const transports = ['webSockets', 'serverSentEvents', 'longPolling'] as const;
const paths = (rows: readonly Record<string, unknown>[]) => rows.map(({ path }) => path);
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `alarm ${n}`);

testOnStores(
  'a classic client gets the same alarm as the list in onAlarm, at every path and on every transport',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.alarms.send({ path: 'before' });
    const clients = [
      await classicClient(t, site.app.url, site.token, 'webSockets'),
      await classicClient(t, site.app.url, site.token, 'serverSentEvents', '/alarmHub'),
      await classicClient(t, site.app.url, site.token, 'longPolling', '/hubs/alarmHub'),
      await classicClient(t, site.app.url, site.token, 'webSockets', '/signalr/alarmHub'),
    ];
    const id = await site.alarms.send({
      path: 'pump',
      alarmMessage: 'hot',
      value: '93',
      priority: 2,
      names: { fr: 'Pompe' },
    });
    const shown = (await site.alarms.list('?search=pump')).items[0];
    for (const { alarms } of clients) {
      await untilEqual(() => alarms.length, 1);
      assert.equal(JSON.stringify(alarms), JSON.stringify([shown]));
    }
    assert.equal(shown?.id, id);
    const [first] = clients;
    const answer = await first?.server.subscribe({ priorities: [1] });
    assert.match(answer.position, /^[\w-]{40,}$/);
    await site.alarms.send({ path: 'not asked for', priority: 2 });
    await site.alarms.send({ path: 'asked for', priority: 1 });
    await untilEqual(() => paths(first?.alarms ?? []), ['pump', 'asked for']);
    await assert.rejects(async () => first?.server.subscribe('nonsense'), /The filter must be an object/);
  },
);

testOnStores(
  'classic clients that ask for changes are told of changes and removals, on every transport',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const clients = await Promise.all(
      transports.map((transport) => classicClient(t, site.app.url, site.token, transport)),
    );
    const [silent, ...curious] = clients;
    await Promise.all(curious.map(({ server }) => server.subscribe({ changes: true })));
    const id = await site.alarms.send({ path: 'pump' });
    await site.request('POST', `/alarms/${id}/acknowledge`, { comment: 'seen' });
    await site.request('DELETE', `/alarms/${id}`);
    await site.alarms.send({ path: 'last' });
    for (const client of curious) {
      await untilEqual(() => client.removals, [id]);
      assert.deepEqual(
        client.changes.map(({ comment }) => comment),
        ['seen'],
      );
    }
    await untilEqual(() => silent?.alarms.length, 2);
    assert.deepEqual([silent?.changes, silent?.removals], [[], []]);
  },
);

testOnStores('classic clients receive the alarms of a server restart once', async (t, kind) => {
  const TOCSIN_PORT = String(await freePort());
  const site = await startSite(t, kind, { overrides: { TOCSIN_PORT } });
  const clients = await Promise.all(
    transports.map((transport) => classicClient(t, site.app.url, site.token, transport)),
  );
  await site.alarms.send({ path: 'alarm 0' });
  for (const { alarms } of clients) await untilEqual(() => paths(alarms), numbered(1));
  // On another port, which the clients do not use.
  await site.restart({ TOCSIN_PORT: '0' });
  for (let n = 1; n < 5; n++) await site.alarms.send({ path: `alarm ${n}` });
  await site.restart({ TOCSIN_PORT });
  for (let n = 5; n < 8; n++) await site.alarms.send({ path: `alarm ${n}` });
  for (const { alarms, hub } of clients) {
    await until(
      () => alarms.length,
      (count) => count >= 8,
    );
    assert.deepEqual(paths(alarms), numbered(8));
    assert.equal(hub.state, 1, 'connected');
  }
});

testOnStores(
  "a classic client's filter survives a restart: exactly the alarms that match it are sent to the client",
  async (t, kind) => {
    const TOCSIN_PORT = String(await freePort());
    const site = await startSite(t, kind, { overrides: { TOCSIN_PORT } });
    const clients = await Promise.all(
      transports.map((transport) => classicClient(t, site.app.url, site.token, transport)),
    );
    // The second filter replaces the first.
    for (const filter of [{ priorities: [3] }, { priorities: [1] }]) {
      await Promise.all(clients.map(({ server }) => server.subscribe(filter)));
    }
    const sendBoth = async (name: string) => {
      await site.alarms.send({ path: `other ${name}`, priority: 2 });
      await site.alarms.send({ path: name, priority: 1 });
    };
    await sendBoth('before');
    for (const { alarms } of clients) await untilEqual(() => paths(alarms), ['before']);
    await site.restart({ TOCSIN_PORT: '0' });
    await sendBoth('meanwhile');
    await site.restart({ TOCSIN_PORT });
    for (const { alarms } of clients) await untilEqual(() => paths(alarms), ['before', 'meanwhile']);
    await sendBoth('after');
    for (const { alarms } of clients) await untilEqual(() => paths(alarms), ['before', 'meanwhile', 'after']);
  },
);

testOnStores('ten classic clients with randomly cut connections receive every alarm once', async (t, kind) => {
  const site = await startSite(t, kind);
  const proxy = await startProxy(Number(new URL(site.app.url).port));
  t.after(() => proxy.stop());
  const url = `http://127.0.0.1:${proxy.port}`;
  const kinds = Array.from({ length: 10 }, (_, n) => transports[n % transports.length] ?? 'webSockets');
  const clients = await Promise.all(kinds.map((transport) => classicClient(t, url, site.token, transport)));
  const count = 80;
  const before = proxy.count;
  for (let n = 0; n < count; n++) {
    if (n % 4 === 0) proxy.cut(0.3);
    await site.alarms.send({ path: `alarm ${n}` });
  }
  for (const { alarms } of clients) {
    await until(
      () => alarms.length,
      (length) => length >= count,
    );
  }
  await site.alarms.send({ path: 'end' });
  for (const { alarms, hub } of clients) {
    await until(
      () => alarms.at(-1)?.path,
      (path) => path === 'end',
    );
    assert.deepEqual(paths(alarms), [...numbered(count), 'end'], hub.transport.name);
  }
  assert.ok(proxy.count - before > 20, 'they were cut indeed');
});
