// One source can make the server store so much and no more: what is beyond that is collapsed, and said to everybody.

import assert from 'node:assert/strict';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const sending = ['alarms:write', 'alarms:read', 'directory:read'];

testOnStores(
  'an alarm that chatters begins sixty occurrences at once, and its return counts when it has lasted',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const source = site.as(await site.keyFor(sending));
    const flap = { path: 'contact', alarmMessage: 'Door' };
    const batch = Array.from({ length: 400 }, (_, at) => ({ ...flap, raised: at % 2 === 0 }));
    const [id] = await source.ask<number[]>('POST', '/alarms/batch', batch);
    assert.ok(id !== undefined);
    const occurrences = async () => (await site.alarms.histories(`?alarmId=${id}&limit=1`)).paging.total;
    assert.equal(await occurrences(), 60);
    assert.equal((await site.alarms.get(id)).state, 3, 'the last return has not lasted yet');
    const { warnings } = await source.alarms.report({ ...flap, raised: true });
    assert.match(warnings ?? '', /raised: it has begun more than 60 occurrences within a minute/);
    const [own] = await site.systemAlarms();
    assert.match(String(own), /^system\/over-budget\/key:\d+$/);
    await source.alarms.send({ ...flap, raised: false });
    await site.advance('10s');
    assert.equal((await site.alarms.get(id)).state, 2, 'it has lasted');
    await source.alarms.send({ ...flap, raised: true });
    assert.equal(await occurrences(), 61);
  },
);

testOnAnyStore(
  'a chattering alarm that was acknowledged stays acknowledged until its return has lasted',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const flap = { path: 'contact' };
    const batch = Array.from({ length: 201 }, (_, at) => ({ ...flap, raised: at % 2 === 0 }));
    const [id] = await site.ask<number[]>('POST', '/alarms/batch', batch);
    assert.ok(id !== undefined);
    await site.alarms.acknowledge(id);
    await site.alarms.send({ ...flap, raised: false });
    await site.alarms.send({ ...flap, raised: true });
    assert.equal((await site.alarms.get(id)).state, 1);
    await site.alarms.send({ ...flap, raised: false });
    await site.advance('10s');
    assert.equal((await site.alarms.get(id)).state, 0);
  },
);

testOnAnyStore(
  'a transitory alarm is raised anew after its acknowledgement, however often it was reported',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const event = { path: 'badge', eventCondition: { transitory: true } };
    const [id] = await site.ask<number[]>(
      'POST',
      '/alarms/batch',
      Array.from({ length: 200 }, () => event),
    );
    assert.ok(id !== undefined);
    const occurrences = async () => (await site.alarms.histories(`?alarmId=${id}&limit=1`)).paging.total;
    assert.equal(await occurrences(), 60);
    await site.alarms.acknowledge(id);
    await site.alarms.send(event);
    assert.deepEqual([await occurrences(), (await site.alarms.get(id)).state], [61, 2]);
  },
);

testOnStores(
  'of data servers that do not exist two hundred get a placeholder each, and the others share one',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const source = site.as(await site.keyFor(sending));
    const reports = Array.from({ length: 500 }, (_, at) => ({ dataServerId: 10_000 + at, path: 'pump' }));
    const ids = await source.ask<number[]>('POST', '/alarms/batch', reports);
    assert.equal(new Set(ids).size, 500, 'no two of them share a tag');
    const servers = (await site.list('/dataservers?limit=1000')).items.filter(
      ({ placeholder }) => placeholder !== undefined,
    );
    assert.equal(servers.length, 201);
    const last = await source.alarms.get(ids[499] ?? 0);
    assert.match(String(last.fullPath), /^\? more key:\d+\\10499\/pump$/);
    const again = await source.alarms.report({ dataServerId: 10_499, path: 'pump', raised: false });
    assert.equal(again.id, ids[499]);
    assert.match(again.warnings ?? '', /is kept as "10499\/\.\.\." on the placeholder/);
  },
);

testOnAnyStore(
  'after the shared placeholder was moved to a data server, reports that name this server keep their paths',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const source = site.as(await site.keyFor(sending));
    const boilers = await site.create('/dataservers', { name: 'Boilers' });
    const fire = await source.alarms.send({ dataServerId: boilers, path: 'fire' });
    const reports = Array.from({ length: 202 }, (_, at) => ({ dataServerId: 10_000 + at, path: 'pump' }));
    const ids = await source.ask<number[]>('POST', '/alarms/batch', reports);
    const { items } = await site.list('/dataservers?limit=1000');
    const shared = items.find(({ name }) => String(name).startsWith('? more'))?.id;
    await site.ask('POST', `/dataservers/${shared}/move`, { dataServerId: boilers });
    assert.equal(await source.alarms.send({ dataServerId: boilers, path: 'fire', raised: false }), fire);
    assert.equal(await source.alarms.send({ dataServerId: 10_201, path: 'pump', raised: false }), ids[201]);
  },
);
