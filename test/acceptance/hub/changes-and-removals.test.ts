// Consoles that ask for changes are told of comments, values, texts, priorities and removals, live and after a gap.

import assert from 'node:assert/strict';
import { type HubClient, hubClient } from '../../harness/hub/hub-client.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const has = (count: number) => (rows: readonly unknown[]) => rows.length >= count;
const values = ({ changes }: HubClient) => changes.map(({ value }) => value);

async function curiousClient(t: Parameters<typeof hubClient>[0], site: Site, filter: object = {}, token = site.token) {
  const client = await hubClient(t, site.app.url, token);
  const { position } = await client.connection.invoke('subscribe', { changes: true, ...filter });
  return { ...client, position };
}

testOnStores('a comment, another text, another priority and a removal are sent at once', async (t, kind) => {
  const site = await startSite(t, kind);
  const plain = await hubClient(t, site.app.url, site.token);
  const curious = await curiousClient(t, site);
  const id = await site.alarms.send({ path: 'pump', alarmMessage: 'warm' });
  await site.request('POST', `/alarms/${id}/comments`, { comment: 'seen' });
  await site.alarms.send({ path: 'pump', alarmMessage: 'hot' });
  await site.alarms.send({ path: 'pump', priority: 1 });
  await site.alarms.acknowledge(id);
  await site.request('DELETE', `/alarms/${id}`);
  await until(() => curious.removals, has(1));
  assert.deepEqual(
    curious.changes.map(({ comment, message, priority, state }) => [comment, message, priority, state]),
    [
      ['seen', 'warm', 3, 3],
      ['seen', 'hot', 3, 3],
      ['seen', 'hot', 1, 3],
      ['seen', 'hot', 1, 1],
    ],
  );
  assert.deepEqual(curious.removals, [id]);
  await site.alarms.send({ path: 'last' });
  await until(() => plain.alarms, has(2));
  assert.deepEqual([plain.changes, plain.removals], [[], []]);
});

testOnStores(
  'values are gathered: the first is sent at once, then the newest of each quarter second',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const curious = await curiousClient(t, site);
    await site.alarms.send({ path: 'rest', raised: false, value: '0' });
    await site.alarms.send({ path: 'pump', value: '0' });
    for (const value of ['1', '2', '3', '4']) {
      await site.alarms.send({ path: 'rest', raised: false, value });
      await site.alarms.send({ path: 'pump', value });
    }
    await until(() => curious.changes, has(1));
    site.app.clock.advance(250);
    await until(() => curious.changes, has(2));
    assert.deepEqual(values(curious), ['1', '4'], 'none of the alarm at rest');
    const id = await site.alarms.send({ path: 'pump', value: '5' });
    await site.alarms.acknowledge(id);
    await until(() => curious.changes, has(3));
    site.app.clock.advance(250);
    await site.alarms.send({ path: 'pump', value: '6' });
    await until(() => curious.changes, has(4));
    assert.deepEqual(values(curious), ['1', '4', '5', '6'], 'the acknowledgement shows the value that waited');
    const log = await site.ask<{ event: string }[]>('GET', `/alarms/${id}/timeline`);
    assert.deepEqual(
      log.map(({ event }) => event),
      ['raised', 'acknowledged'],
      'values are no part of the timeline',
    );
  },
);

testOnStores('after a gap a console gets the newest value, comments and removals, each once', async (t, kind) => {
  const site = await startSite(t, kind);
  const witness = await curiousClient(t, site);
  const first = await curiousClient(t, site);
  const pump = await site.alarms.send({ path: 'pump', value: '0' });
  const valve = await site.alarms.send({ path: 'valve' });
  await site.alarms.acknowledge(valve);
  await until(() => first.changes, has(1));
  const since = first.positions.at(-1) ?? first.position;
  await first.connection.stop();
  for (const value of ['1', '2', '3']) {
    await site.alarms.send({ path: 'pump', value });
    site.app.clock.advance(250);
  }
  await site.request('POST', `/alarms/${pump}/comments`, { comment: 'seen' });
  await site.request('DELETE', `/alarms/${valve}`);
  await until(() => witness.removals, has(1));
  const back = await hubClient(t, site.app.url, site.token);
  const { recovered } = await back.connection.invoke('subscribe', { changes: true, since });
  assert.equal(recovered, true);
  await site.alarms.send({ path: 'pump', value: '4' });
  await until(() => back.changes, has(3));
  const seen = back.changes.map(({ value, comment }) => [value, comment]);
  const expected = [
    ['3', ''],
    ['3', 'seen'],
    ['4', 'seen'],
  ];
  assert.deepEqual([seen, back.removals, back.alarms.slice(2)], [expected, [valve], []]);
});

testOnStores('who filters or is bound to stations learns that an alarm is no longer theirs', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const south = await site.create('/stations', { name: 'South' });
  const inNorth = await curiousClient(t, site, {}, await site.keyFor(['alarms:read'], [north]));
  const inSouth = await curiousClient(t, site, {}, await site.keyFor(['alarms:read'], [south]));
  const urgent = await curiousClient(t, site, { priorities: [1] });
  const removed = await site.alarms.send({ path: 'north', stationId: north, priority: 1 });
  await site.alarms.send({ path: 'north', stationId: north, priority: 2 });
  await site.alarms.acknowledge(removed);
  await site.request('DELETE', `/alarms/${removed}`);
  // A number that is no data server of the caller becomes a placeholder, whose tags can be moved.
  const moved = await site.alarms.send({ path: 'moved', stationId: north, dataServerId: 4_000, priority: 1 });
  const placeholder = (await site.ask<{ dataServerId: number }>('GET', `/alarms/${moved}`)).dataServerId;
  const server = await site.create('/dataservers', { name: 'Real', stationId: south });
  await site.ask('POST', `/dataservers/${placeholder}/move`, { dataServerId: server });
  await site.alarms.send({ path: 'end', stationId: south });
  await until(() => inSouth.alarms, has(1));
  await until(() => inNorth.removals, has(2));
  await until(() => urgent.changes, has(2));
  assert.deepEqual([inNorth.removals, inSouth.removals], [[removed, moved], []]);
  assert.deepEqual(
    [inSouth, urgent].map(({ changes }) => changes.map(({ path, priority }) => [path, priority])),
    [
      [['moved', 1]],
      [
        ['north', 2],
        ['moved', 1],
      ],
    ],
  );
  assert.deepEqual(urgent.removals, [], 'it was told that the alarm is none of its own any more');
});

testOnStores('a temporary alarm that is over is told of as removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const curious = await curiousClient(t, site);
  const id = await site.alarms.send({ path: 'pump', temporary: true });
  await site.alarms.acknowledge(id);
  await site.alarms.send({ path: 'pump', raised: false });
  await until(() => curious.removals, has(1));
  assert.deepEqual(curious.removals, [id]);
  assert.deepEqual(
    curious.changes.map(({ state }) => state),
    [1, 0],
  );
});
