// Stations, data servers and tag groups that a report names and its caller does not have never refuse it.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { detail, type List, refusal } from '../../harness/site/site-caller.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const missing = 42_000;
const sending = ['alarms:write', 'alarms:read', 'directory:read'];

async function placeholders(site: Site): Promise<List['items']> {
  return (await site.list('/dataservers')).items.filter(({ placeholder }) => placeholder !== undefined);
}

testOnAnyStore(
  'a data server that does not exist becomes a placeholder of its caller and number, made once and listed as such',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const source = site.as(await site.keyFor(sending));
    const first = await source.alarms.report({ dataServerId: missing, path: 'pump' });
    assert.match(first.warnings ?? '', /^dataServerId: data server 42000 does not exist/);
    await source.alarms.send({ dataServerId: missing, path: 'fan' });
    const [server, ...others] = await placeholders(site);
    assert.equal(others.length, 0);
    assert.ok(server);
    const { caller } = server.placeholder as { caller: string };
    assert.match(caller, /^key:\d+$/);
    assert.deepEqual([server.name, server.placeholder], [`? ${missing} ${caller}`, { caller, dataServerId: missing }]);
    assert.equal((await source.alarms.get(first.id)).fullPath, `? ${missing} ${caller}\\pump`);
    const journal = await site.list(`/journal?subject=dataServer:${server.id}`);
    assert.deepEqual(
      journal.items.map(({ kind: what, actor }) => [what, actor]),
      [['dataServer.created', caller]],
    );
  },
);

testOnAnyStore("one source's return to normal never ends the other's alarm", async (t, kind) => {
  const site = await startSite(t, kind);
  const [one, other] = [site.as(await site.keyFor(sending)), site.as(await site.keyFor(sending))];
  const id = await one.alarms.send({ dataServerId: missing, path: 'pump' });
  const foreign = await other.alarms.send({ dataServerId: missing, path: 'pump', raised: false });
  assert.notEqual(foreign, id);
  assert.equal((await site.alarms.get(id)).state, 3);
  const theirs = (await placeholders(site))[0]?.id;
  const third = await other.alarms.send({ dataServerId: theirs, path: 'pump', raised: false });
  assert.notEqual(third, id, "another's placeholder is not the caller's either");
  assert.equal((await site.alarms.get(id)).state, 3);
});

testOnAnyStore(
  "a data server of a station that is not the caller's looks like one that does not exist",
  async (t, kind) => {
    const site = await startSite(t, kind);
    const north = await site.create('/stations', { name: 'North' });
    const hidden = await site.create('/dataservers', { name: 'Secret' });
    const source = site.as(await site.keyFor(sending, [north]));
    const { id, warnings } = await source.alarms.report({ dataServerId: hidden, path: 'pump' });
    assert.match(warnings ?? '', new RegExp(`data server ${hidden} does not exist`));
    assert.equal((await source.alarms.get(id)).stationId, north);
  },
);

testOnAnyStore('the number stays the placeholder until an administrator moves its tags', async (t, kind) => {
  const site = await startSite(t, kind);
  const source = site.as(await site.keyFor(sending));
  // The next data server that is made will have the number.
  const probe = await site.create('/dataservers', { name: 'Probe' });
  const number = probe + 2;
  const id = await source.alarms.send({ dataServerId: number, path: 'pump' });
  const real = await site.create('/dataservers', { name: 'Boilers' });
  assert.equal(real, number, 'a server of that id has appeared');
  assert.equal(await source.alarms.send({ dataServerId: number, path: 'pump' }), id);
  const [server] = await placeholders(site);
  assert.equal(await site.ask('POST', `/dataservers/${server?.id}/move`, { dataServerId: real }), 1);
  const moved = await source.alarms.report({ dataServerId: number, path: 'pump', raised: false });
  assert.deepEqual([moved.id, moved.warnings], [id, null]);
  const { fullPath, dataServerId, state } = await site.alarms.get(id);
  assert.deepEqual([fullPath, dataServerId, state], ['Boilers\\pump', real, 2]);
  assert.deepEqual((await placeholders(site))[0]?.placeholder, {
    ...(server?.placeholder as object),
    movedTo: real,
  });
  const [entry] = (await site.list(`/journal?kind=dataServer.changed`)).items;
  assert.deepEqual(entry?.after, { name: server?.name, movedTo: real, tags: 1 });
});

testOnAnyStore(
  'a move names the tags that both data servers have, and only placeholders are moved',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const real = await site.create('/dataservers', { name: 'Boilers' });
    await site.alarms.send({ dataServerId: real, path: 'pump' });
    await site.alarms.send({ dataServerId: missing, path: 'pump' });
    const [server] = await placeholders(site);
    const clash = await site.request('POST', `/dataservers/${server?.id}/move`, { dataServerId: real });
    assert.deepEqual([clash.status, /"pump"/.test(detail(clash))], [409, true]);
    for (const [from, to] of [
      [real, server?.id],
      [server?.id, server?.id],
      [server?.id, 2],
      [server?.id, 99_999],
    ])
      assert.equal((await site.request('POST', `/dataservers/${from}/move`, { dataServerId: to })).status, 422);
    assert.equal((await site.request('POST', `/dataservers/99999/move`, { dataServerId: real })).status, 404);
  },
);

testOnAnyStore('statistics of a moved alarm go on, each occurrence where it was raised', async (t, kind) => {
  const site = await startSite(t, kind);
  const real = await site.create('/dataservers', { name: 'Boilers' });
  const id = await site.alarms.send({ dataServerId: missing, path: 'pump' });
  const [server] = await placeholders(site);
  await site.ask('POST', `/dataservers/${server?.id}/move`, { dataServerId: real });
  await site.alarms.send({ dataServerId: real, path: 'pump', raised: false });
  await site.alarms.send({ dataServerId: real, path: 'pump' });
  const counts = [];
  for (const dataServerId of [server?.id, real]) {
    const { items } = await site.list(`/alarms/statistics?dataServerId=${dataServerId}`);
    counts.push(items.map((row) => [row.id, row.failureNumber]));
  }
  assert.deepEqual(counts, [[[id, 1]], [[id, 1]]]);
  assert.deepEqual(
    (await site.list('/alarms/statistics')).items.filter((row) => row.id === id).map((row) => row.failureNumber),
    [2],
  );
});

testOnAnyStore('where stationId and dataServerId disagree, the server counts', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const server = await site.create('/dataservers', { name: 'Boilers' });
  const { id, warnings } = await site.alarms.report({ stationId: north, dataServerId: server, path: 'pump' });
  assert.match(warnings ?? '', /^stationId: .*the data server counts$/);
  assert.equal((await site.alarms.get(id)).stationId, 1);
});

testOnAnyStore('a tag group of another station is kept, with a warning', async (t, kind) => {
  const site = await startSite(t, kind);
  const stationId = await site.create('/stations', { name: 'North' });
  const tagGroupId = await site.create('/taggroups', { name: 'Pumps', stationId });
  const { id, warnings } = await site.alarms.report({ path: 'pump', tagGroupId });
  assert.match(warnings ?? '', /^tagGroupId: tag group \d+ is of station \d+, and the tag of station 1: both count$/);
  assert.equal((await site.alarms.get(id)).tagGroupId, tagGroupId);
  const inside = await site.alarms.report({ path: 'other pump', tagGroupId, stationId });
  assert.equal(inside.warnings, null);
});

testOnAnyStore("a station or tag group that does not exist or is not the caller's is left out", async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const hiddenGroup = await site.create('/taggroups', { name: 'Pumps' });
  const source = site.as(await site.keyFor(sending, [north]));
  const cases: readonly (readonly [body: object, field: string])[] = [
    [{ stationId: 99_999 }, 'stationId'],
    [{ stationId: 1 }, 'stationId'],
    [{ tagGroupId: 99_999 }, 'tagGroupId'],
    [{ tagGroupId: hiddenGroup }, 'tagGroupId'],
  ];
  for (const [index, [body, field]] of cases.entries()) {
    const { id, warnings } = await source.alarms.report({ path: `pump ${index}`, ...body });
    assert.match(warnings ?? '', new RegExp(`^${field}: (station|tag group) \\d+ does not exist$`));
    const { stationId, tagGroupId } = await source.alarms.get(id);
    assert.deepEqual([stationId, tagGroupId], [north, undefined]);
  }
});

testOnAnyStore(
  'what cannot be used keeps what is stored: an unknown tag group leaves the known one',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const tagGroupId = await site.create('/taggroups', { name: 'Pumps' });
    const id = await site.alarms.send({ path: 'pump', tagGroupId });
    assert.equal(await site.alarms.send({ path: 'pump', tagGroupId: 99_999 }), id);
    assert.equal((await site.alarms.get(id)).tagGroupId, tagGroupId);
  },
);

testOnAnyStore(
  'a value for a tag of the placeholder is taken; one for an unknown tag is that item’s problem',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send({
      dataServerId: missing,
      path: 'pump',
      raised: false,
      eventCondition: { value: '>5' },
    });
    const answer = await site.request('POST', '/tags/values', [
      { dataServerId: missing, path: 'pump', value: '9' },
      { dataServerId: missing, path: 'fan', value: '9' },
      { dataServerId: missing + 1, path: 'pump', value: '9' },
    ]);
    const results = answer.body as readonly (number | { code: string })[];
    assert.equal(results[0], id);
    assert.deepEqual(
      results.slice(1).map((result) => typeof result === 'object' && result.code),
      ['unprocessable', 'unprocessable'],
    );
    assert.equal((await site.alarms.get(id)).state, 3);
    assert.equal((await placeholders(site)).length, 1, 'a value makes no placeholder');
  },
);

testOnAnyStore(
  'with `Prefer: handling=strict` an unknown location is refused and nothing is stored',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const before = (await site.list('/dataservers')).items.length;
    for (const [field, value] of [
      ['dataServerId', missing],
      ['stationId', missing],
      ['tagGroupId', missing],
    ] as const) {
      const answer = await site.app.request('POST', '/api/v1/alarms', {
        token: site.token,
        body: { path: 'pump', [field]: value },
        headers: { prefer: 'handling=strict' },
      });
      assert.deepEqual(refusal(answer), [422, field]);
    }
    assert.equal((await site.list('/dataservers')).items.length, before);
    assert.equal((await site.alarms.list()).paging.total, 0);
  },
);
