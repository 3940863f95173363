// Key 9 takes everything that the call has announced, after its number was read back and confirmed.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import type { Person } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

/** Raises alarms with these priorities in one request; returns their ids. */
function raiseAll(site: Site, { id }: Person, priorities: readonly number[]): Promise<readonly number[]> {
  const alarmActions = [{ type: 'CallUser', id, parameter: '5' }];
  const bodies = priorities.map((priority, n) => ({
    path: `A${n}`,
    alarmMessage: `alarm ${n}`,
    priority,
    alarmActions,
  }));
  return site.ask('POST', '/alarms/batch', bodies);
}

async function takers(site: Site, ids: readonly number[]): Promise<readonly unknown[]> {
  return Promise.all(ids.map(async (id) => (await site.alarms.get(id)).ackUser));
}

testOnAnyStore('9 and 1 take what was read and what was announced by number and station', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const ids = await raiseAll(site, ana, Array(12).fill(3));
  await site.advance('5s');
  await ana.isCalled(/and 2 more$/);
  const said = await ana.answers('1', '9', '1');
  assert.match(said[1] ?? '', /^There are 12, all of Main\.\nAlarm 1 of 12: alarm 0\n.* Press 9 to take all\.$/);
  assert.equal(said[2], 'You are about to take 12 alarms, all of Main. Press 1 to confirm, another key to go back.');
  assert.equal(said[3], 'You have taken 12 alarms. Thank you.');
  assert.deepEqual(await takers(site, ids), Array(12).fill('ana'));
  await ana.isNotCalled();
});

testOnAnyStore('9 leaves an alarm of priority 1 that was not read, and goes on to it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const ids = await raiseAll(site, ana, [1, 1, 3]);
  await site.advance('5s');
  await ana.isCalled();
  const said = await ana.answers('1', '9', '1');
  assert.match(said[2] ?? '', /^You are about to take 2 alarms/);
  assert.match(said[3] ?? '', /^You have taken 2 alarms\. Thank you\.\nAlarm 2 of 3: alarm 1\n/);
  assert.deepEqual(await takers(site, ids), ['ana', '', 'ana']);
  await ana.press('1');
  assert.deepEqual(await takers(site, ids), ['ana', 'ana', 'ana']);
  await site.settle();
});

testOnAnyStore(
  'the alarms are fixed when their number is read back; digits during it do not count',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const ids = await raiseAll(site, ana, [3, 3]);
    await site.advance('5s');
    await ana.isCalled();
    await ana.answers('1');
    assert.match(await ana.press('91'), /Press 1 to confirm/);
    assert.deepEqual(await takers(site, ids), ['', '']);
    assert.match(await ana.press('2'), /^Nothing was taken\.\nPress 1 to take it/);
    await ana.press('9');
    const [late = 0] = await site.ask<readonly number[]>('POST', '/alarms/batch', [
      { path: 'Late', priority: 3, alarmActions: [{ type: 'CallUser', id: ana.id }] },
    ]);
    await site.settle();
    assert.equal(await ana.press('1'), 'You have taken 2 alarms. Thank you.');
    assert.deepEqual(await takers(site, [...ids, late]), ['ana', 'ana', '']);
    await site.advance('59s');
    await ana.isNotCalled();
    await site.advance('1s');
    await ana.isCalled(/^Late$/);
    await ana.takes();
  },
);

testOnStores('9 says who has taken what was only counted, and 1 who has since', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const ids = await raiseAll(site, ana, Array(14).fill(3));
  await site.advance('5s');
  await ana.isCalled(/and 4 more$/);
  await ana.answers('1');
  const take = (index: number, person?: Person) =>
    site.ask('POST', `/alarms/${ids[index]}/acknowledge`, person === undefined ? {} : { onBehalfOf: person.id });
  await take(13, bo);
  await site.ask('POST', `/alarms/${ids[12]}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'scrapped' });
  assert.equal(
    await ana.press('9'),
    'bo has taken another one. Another one is over already. You are about to take 12 alarms, all of Main. Press 1 to confirm, another key to go back.',
  );
  await take(11, bo);
  await take(10, bo);
  assert.equal(await ana.press('1'), 'You have taken 10 alarms. Thank you. bo has taken 2 others.');
  assert.deepEqual(await takers(site, ids), [...Array(10).fill('ana'), 'bo', 'bo', '', 'bo']);
  await site.settle();
});

testOnAnyStore('a call with one alarm has no key 9', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const ids = await raiseAll(site, ana, [3]);
  await site.advance('5s');
  await ana.isCalled();
  const [, , said] = await ana.answers('1', '9');
  assert.match(said ?? '', /^Press 1 to take it.*later\.$/);
  assert.deepEqual(await takers(site, ids), ['']);
  await ana.press('1');
  await site.settle();
});
