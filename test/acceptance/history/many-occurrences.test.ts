// An alarm with many unacknowledged occurrences is acknowledged in pieces: shown at once, worked off later, also after a restart.

import assert from 'node:assert/strict';
import type { PollingLoop } from '../../../src/dispatch/polling-loop.ts';
import { recount } from '../../harness/history/recount.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { executeSql, poisonUpdates } from '../../harness/stores/execute-sql.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const flapping = { path: 'Door', alarmMessage: 'The door is open', eventCondition: { transitory: true } };

/** Fifty occurrences a minute, which is no chatter; returns the id of the alarm. */
async function flap(site: Site, times: number, path = 'Door'): Promise<number> {
  let id = 0;
  for (let left = times; left > 0; left -= 50) {
    const list = Array.from({ length: Math.min(50, left) }, () => ({ ...flapping, path }));
    [id = 0] = await site.ask<number[]>('POST', '/alarms/batch', list);
    site.app.clock.advance(60_000);
  }
  return id;
}

/** Ends the loop that works off pieces, as a server does that ends before it has looked again. */
async function leavePieces(site: Site): Promise<void> {
  await (site.app.polled.pendingWork as PollingLoop).stop();
}

async function count(site: Site, condition: string): Promise<number> {
  const tables = await tablesOf(site.app.environment);
  const [row] = await tables.select(`SELECT count(*) AS n FROM alarm_histories WHERE ${condition}`);
  await tables.close();
  return Number((row as { n: number }).n);
}

testOnStores('acknowledging a flapping alarm writes few of its occurrences in one transaction', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { password: 'three words at random' });
  const id = await flap(site, 450);
  await leavePieces(site);
  await site.ask('POST', `/alarms/${id}/acknowledge`, { comment: 'The latch is worn', onBehalfOf: ana.id });
  assert.ok((await count(site, 'ack_at IS NOT NULL')) <= 50, 'few are written with the command');

  const shown = async () =>
    (await site.alarms.histories('?limit=1000&view=full')).items.map(({ ackUser, comment, ackTime }) => [
      ackUser,
      comment,
      ackTime !== undefined,
    ]);
  const expected = Array.from({ length: 450 }, () => ['ana', 'The latch is worn', true]);
  assert.deepEqual(await shown(), expected, 'shown at once as acknowledged');

  await flap(site, 120);
  await site.ask('POST', `/alarms/${id}/acknowledge`, {});
  const others = Array.from({ length: 120 }, () => ['admin', '', true]);
  assert.deepEqual(await shown(), [...expected, ...others], 'a second one is for what came after the first');

  await site.restart();
  await until(
    () => count(site, 'ack_at IS NULL'),
    (left) => left === 0,
  );
  assert.deepEqual(await shown(), [...expected, ...others]);
  assert.equal((await site.list('/alarms/histories?search=latch worn')).paging.total, 450);
  const interventions = (await site.list('/alarms/interventions')).items;
  assert.deepEqual(
    interventions.map(({ id: userId, interventionNumber, reactionMeanTime }) => [
      userId,
      interventionNumber,
      reactionMeanTime,
    ]),
    [
      [1, 120, '00:02:15'],
      [ana.id, 450, '00:05:00'],
    ],
  );
  const tables = await tablesOf(site.app.environment);
  assert.equal((await tables.all('pending_acknowledgements')).length, 0);
  for (const [name, { wrong, missing }] of Object.entries(await recount(tables)))
    assert.deepEqual({ wrong, missing }, { wrong: [], missing: [] }, name);
  await tables.close();
});

testOnStores(
  'acknowledging many flapping alarms at once writes few of their occurrences in one transaction',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const paths = Array.from({ length: 20 }, (_, n) => `Door${n}`);
    const list = paths.flatMap((path) => Array.from({ length: 40 }, () => ({ ...flapping, path })));
    const ids = [...new Set(await site.ask<number[]>('POST', '/alarms/batch', list))];
    await leavePieces(site);
    await site.ask('POST', '/alarms/acknowledge', { ids });
    const written = await count(site, 'ack_at IS NOT NULL');
    assert.ok(written <= 40 + 19, `${written} are written with the command`);
    assert.equal((await site.alarms.list('?limit=1000')).paging.total, 0);
    await site.restart();
    await until(
      () => count(site, 'ack_at IS NULL'),
      (left) => left === 0,
    );
  },
);

testOnStores('a long comment on many occurrences is written to one after the other', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await flap(site, 30);
  await leavePieces(site);
  const comment = Array.from({ length: 3_000 }, (_, n) => `word${n}`).join(' ');
  await site.ask('POST', `/alarms/${id}/acknowledge`, { comment });
  assert.equal(await count(site, 'ack_at IS NOT NULL'), 1, 'the newest alone');
  assert.equal((await site.alarms.get(id)).state, 0);
  await site.restart();
  await until(
    () => count(site, 'ack_at IS NULL'),
    (left) => left === 0,
  );
  assert.equal((await site.list('/alarms/histories?search=word0')).paging.total, 30);
});

testOnStores('an acknowledgement that cannot go on is set aside, and the next one is carried out', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await flap(site, 200);
  const other = await flap(site, 200, 'Gate');
  await leavePieces(site);
  for (const one of [id, other]) await site.ask('POST', `/alarms/${one}/acknowledge`, {});
  await executeSql(site.app, poisonUpdates(kind, 'alarm_histories', `new.alarm_id = ${id}`));
  await site.restart();
  await until(
    () => count(site, `ack_at IS NULL AND alarm_id = ${other}`),
    (left) => left === 0,
  );
  assert.ok((await count(site, `ack_at IS NULL AND alarm_id = ${id}`)) >= 150);
  const asides = (await site.alarms.fromTocsin()).filter(({ path }) => String(path).includes('set-aside/'));
  assert.equal(asides.length, 1);
  assert.match(String(asides[0]?.message), /cannot be written to all of them because of a fault in Tocsin/);
});

testOnStores('one node at a time works off pieces, and another goes on after it has ended', async (t, kind) => {
  const site = await startSite(t, kind);
  const work = () => (site.app.polled.pendingWork as PollingLoop).poll();
  const id = await flap(site, 200);
  const lease = JSON.stringify({ node: 'another', until: site.app.clock.now() + 10_000 });
  await executeSql(site.app, `insert into meta (key, value) values ('pending-work', '${lease}')`);
  await site.ask('POST', `/alarms/${id}/acknowledge`, {});
  await work();
  assert.ok((await count(site, 'ack_at IS NULL')) >= 150, 'the other node has the lease');
  site.app.clock.advance(10_000);
  await work();
  assert.equal(await count(site, 'ack_at IS NULL'), 0, 'it has run out');
  await site.restart();
  await site.ask('POST', `/alarms/${await flap(site, 200)}/acknowledge`, {});
  await work();
  assert.equal(await count(site, 'ack_at IS NULL'), 0, 'a node that ends gives its lease back');
});
