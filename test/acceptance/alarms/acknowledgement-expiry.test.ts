// An acknowledgement that expires: an alarm that is still active then is unacknowledged again and is called.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { hubClient } from '../../harness/hub/hub-client.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Person } from '../../harness/site/site-phones.ts';
import type { StoreName } from '../../harness/stores/stores.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const rules = { untilAcknowledged: true, ackExpiryMinutes: 30 };

async function siteWithExpiry(t: TestContext, kind: StoreName) {
  const site = await startSite(t, kind);
  await site.ask('PUT', '/callpolicy', { priorities: [{ priority: 1, ...rules }, { priority: 2 }] });
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  return { site, ana, group };
}

async function raisedAndTaken(site: Site, group: number, ana: Person): Promise<number> {
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  await ana.takes();
  return alarm;
}

testOnAnyStore('an acknowledged alarm that is still active after its time is called again', async (t, kind) => {
  const { site, ana, group } = await siteWithExpiry(t, kind);
  const alarm = await raisedAndTaken(site, group, ana);
  const taken = await site.alarms.get(alarm);
  assert.equal(taken.state, 1);
  assert.equal(Date.parse(String(taken.ackUntil)) - Date.parse(String(taken.ackTime)), 30 * 60_000);
  await site.advance('29m');
  await ana.isNotCalled();
  await site.restart();
  await site.advance('1m');
  const again = await site.alarms.get(alarm);
  assert.deepEqual(
    [again.state, again.ackTime, again.ackUser, again.ackUntil, again.occurrences, again.occurrenceId],
    [3, undefined, '', undefined, 1, taken.occurrenceId],
  );
  await ana.isCalled();
  assert.equal((await site.callHistories()).at(-1)?.detail, 'the acknowledgement expired');
  const [entry] = (await site.alarms.histories()).items;
  assert.equal(entry?.ackTime, taken.ackTime, 'the history keeps the first acknowledgement');
  const journal = await site.list('/journal?kind=alarm.acknowledgement-expired');
  assert.deepEqual(
    journal.items.map(({ actor, subject }) => [actor, subject]),
    [['system', `alarm:${alarm}`]],
  );
  const events = (await site.alarms.timeline(alarm)).map(({ event }) => event);
  assert.ok(events.includes('acknowledgement-expired'), events.join());

  await ana.takes();
  assert.equal((await site.alarms.get(alarm)).state, 1);
  await site.advance('30m');
  await ana.isCalled();
  await site.alarms.acknowledge(alarm);
  await ana.isNotCalled();
  await site.alarms.returnsToNormal();
  const [over] = (await site.alarms.histories()).items;
  assert.equal(over?.ackTime, taken.ackTime);
  const [intervention] = (await site.list('/alarms/interventions')).items;
  assert.equal(intervention?.interventionNumber, 1, 'one occurrence is one intervention');
});

testOnAnyStore('a return to normal or a mask cancels the expiry, and other priorities have none', async (t, kind) => {
  const { site, ana, group } = await siteWithExpiry(t, kind);
  await raisedAndTaken(site, group, ana);
  await site.alarms.returnsToNormal();
  const masked = await raisedAndTaken(site, group, ana);
  const end = new Date(site.app.clock.now() + 600_000).toISOString();
  await site.ask('POST', `/alarms/${masked}/mask`, { until: end, reason: 'work on the pump' });
  assert.equal((await site.alarms.get(masked)).ackUntil, undefined);
  // The number has rested since the call before.
  await site.advance('2m');
  const other = await site.alarms.raise(group, { path: 'Other', priority: 2 });
  await ana.isCalled();
  await ana.takes();
  assert.equal((await site.alarms.get(other)).ackUntil, undefined);
  await site.advance('2h');
  await ana.isNotCalled();
  assert.equal((await site.alarms.get(masked)).state, 1);
});

testOnAnyStore('consoles are sent an expired acknowledgement as a change of the alarm', async (t, kind) => {
  const { site, ana, group } = await siteWithExpiry(t, kind);
  const alarm = await raisedAndTaken(site, group, ana);
  const { connection, alarms, changes } = await hubClient(t, site.app.url, site.token);
  await connection.invoke('subscribe', { changes: true });
  await site.advance('30m');
  const changed = await until(
    () => changes.at(-1),
    (change) => change !== undefined,
  );
  assert.deepEqual([changed?.id, changed?.state], [alarm, 3]);
  await ana.isCalled();
  assert.deepEqual(alarms, [], 'it is no new alarm');
});
