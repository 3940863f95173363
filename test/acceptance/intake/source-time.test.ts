// A report may say when its source saw it: what arrives late and out of order ends in the state of the newest time.

import assert from 'node:assert/strict';
import { refuse } from '../../harness/site/refused-intakes.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Problem, Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const older = 'time: is older than the last report of the alarm, which stays as it is';
const impossible =
  'time: is more than a minute ahead of the clock of the server, or a year behind it, so it counts as now';
const pump = { path: 'pump', alarmMessage: 'hot' };
const back = { path: 'pump', raised: false };

/** The time so many seconds ago. */
const ago = ({ app }: Site, seconds: number): string => new Date(app.clock.now() - seconds * 1_000).toISOString();

/** Sends one alarm with further headers. */
function post(site: Site, body: object, headers: Record<string, string> = {}) {
  return site.app.request('POST', '/api/v1/alarms', { token: site.token, body, headers });
}

async function eventsOf(site: Site, id: number): Promise<readonly unknown[]> {
  const events = await site.ask<Row[]>('GET', `/alarms/${id}/timeline`);
  return events.map(({ event }) => event);
}

testOnStores(
  'a raise that is sent again after the return changes nothing, is recorded and answered',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [raised, returned] = [ago(site, 120), ago(site, 60)];
    const id = await site.alarms.send({ ...pump, priority: 2, value: '93', time: raised });
    await site.alarms.send({ ...back, value: '20', time: returned });
    await site.alarms.acknowledge(id);
    site.app.clock.advance(1_000);
    const before = await site.alarms.get(id);
    const again = { ...pump, alarmMessage: 'too hot', priority: 1, value: '94', time: raised };
    assert.deepEqual(await site.alarms.report(again), { id, warnings: older });
    assert.deepEqual(await site.alarms.get(id), before, 'neither state nor texts nor value');
    assert.deepEqual(await eventsOf(site, id), ['raised', 'returned', 'acknowledged', 'stale']);
    assert.equal((await site.alarms.histories()).paging.total, 1);
    const newer = { ...pump, time: ago(site, 0) };
    assert.deepEqual(await site.alarms.report(newer), { id, warnings: null });
    const { state, alarmTime } = await site.alarms.get(id);
    assert.deepEqual([state, alarmTime], [3, '2026-11-15T13:00:01.000+01:00'], 'its raise has the time of the server');
  },
);

testOnAnyStore('a spool that is sent out of order ends as its newest report says', async (t, kind) => {
  const site = await startSite(t, kind);
  const reports = [
    { ...pump, path: 'a', time: ago(site, 30) },
    { ...back, path: 'a', time: ago(site, 20) },
    { ...pump, path: 'a', time: ago(site, 10) },
  ];
  for (const [index, order] of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ].entries()) {
    const sent = order.map((which) => ({ ...reports[which], path: `pump ${index}` }));
    const [id = 0, ...others] = await site.ask<number[]>('POST', '/alarms/batch', sent);
    assert.deepEqual(others, [id, id]);
    assert.equal((await site.alarms.get(id)).state, 3, String(order));
  }
  const [first, second] = reports;
  const ids = await site.ask<number[]>('POST', '/alarms/batch', [second, first]);
  const { state, message } = await site.alarms.get(ids[0] ?? 0);
  assert.deepEqual([state, message], [0, ''], 'the return of an alarm that nobody had raised was the newest');
});

testOnAnyStore('reports with the same time count in the order in which they arrive', async (t, kind) => {
  const site = await startSite(t, kind);
  const time = ago(site, 60);
  const id = await site.alarms.send({ ...pump, time });
  assert.equal((await site.alarms.report({ ...back, time })).warnings, null);
  assert.equal((await site.alarms.get(id)).state, 2);
  assert.equal((await site.alarms.report({ ...pump, time })).warnings, null);
  assert.equal((await site.alarms.get(id)).state, 3);
});

testOnStores(
  'a report without a time is of when it arrives, also a repeat between reports with times',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send(pump);
    site.app.clock.advance(10_000);
    const late = { ...back, time: ago(site, 15) };
    assert.equal((await site.alarms.report(late)).warnings, older);
    assert.equal((await site.alarms.report({ ...pump, time: ago(site, 5) })).warnings, null);
    await site.alarms.send(pump);
    assert.equal((await site.alarms.report({ ...back, time: ago(site, 2) })).warnings, older, 'the repeat is newer');
    assert.equal((await site.alarms.get(id)).state, 3);
    await site.restart();
    assert.equal((await site.alarms.report({ ...back, time: ago(site, 2) })).warnings, older, 'also after a restart');
    assert.equal((await site.alarms.report({ ...back, time: ago(site, 0) })).warnings, null);
    assert.equal((await site.alarms.get(id)).state, 2);
  },
);

testOnAnyStore(
  'a time ahead of the server counts as now with a warning, beyond the minute that clocks may differ',
  async (t, kind) => {
    const site = await startSite(t, kind);
    assert.deepEqual(await site.alarms.report({ ...pump, time: ago(site, -60) }), { id: 1, warnings: null });
    assert.deepEqual(await site.alarms.report({ ...back, time: ago(site, -61) }), { id: 1, warnings: impossible });
    assert.equal((await site.alarms.get(1)).state, 2, 'it is never older than anything');
    site.app.clock.advance(61_000);
    assert.equal((await site.alarms.report({ ...pump, time: ago(site, 0) })).warnings, null);
    assert.equal((await site.alarms.get(1)).state, 3, 'and what is seen after it is newer');
  },
);

testOnAnyStore('an alarm of a device whose clock has begun anew is raised now, with a warning', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.alarms.send({ ...back, time: ago(site, 60) });
  for (const time of ['1970-01-01T00:05:00Z', '0001-01-01T00:00:00', ago(site, 367 * 86_400)]) {
    assert.deepEqual(await site.alarms.report({ ...pump, time }), { id: 1, warnings: impossible });
    assert.equal((await site.alarms.get(1)).state, 3);
    await site.alarms.send(back);
  }
  assert.equal((await site.alarms.report({ ...pump, time: ago(site, 366 * 86_400) })).warnings, older);
});

testOnAnyStore(
  'an alarm with a malformed time is raised now; with none, an empty one or null there is no warning',
  async (t, kind) => {
    const site = await startSite(t, kind);
    for (const time of ['noon', 1_763_500_000_000, {}, '2026-02-30T00:00:00Z']) {
      const { id, warnings } = await site.alarms.report({ path: `a ${JSON.stringify(time)}`, time });
      assert.equal(warnings, 'time: cannot be used and was left out');
      assert.equal((await site.alarms.get(id)).state, 3);
    }
    for (const time of [null, '']) assert.equal((await site.alarms.report({ ...pump, time })).warnings, null);
    // The zone of the server is an hour ahead of UTC.
    await site.alarms.send({ path: 'local', time: '2026-11-15T12:30:00' });
    const local = (utc: string) => site.alarms.report({ path: 'local', raised: false, time: `2026-11-15T${utc}Z` });
    assert.equal((await local('11:29:59')).warnings, older);
    assert.equal((await local('11:30:00')).warnings, null);
  },
);

testOnAnyStore('strict handling refuses what would be a warning, and nothing is stored', async (t, kind) => {
  const site = await startSite(t, kind);
  const strict = { prefer: 'handling=strict' };
  const id = await site.alarms.send(pump);
  for (const [time, status] of [
    ['noon', 400],
    [ago(site, 1), 422],
    [ago(site, -61), 422],
  ] as const) {
    const answer = await post(site, { ...back, time }, strict);
    const { errors } = answer.body as Problem;
    assert.deepEqual([answer.status, errors?.map(({ field }) => field)], [status, ['time']]);
  }
  assert.deepEqual(await eventsOf(site, id), ['raised']);
  assert.equal((await post(site, { ...back, time: ago(site, 0) }, strict)).status, 200);
});

testOnAnyStore(
  'a retried request with a key has the same answer, also when newer reports came since',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const key = { 'idempotency-key': 'one' };
    const body = { ...pump, time: ago(site, 60) };
    assert.equal((await post(site, body, key)).status, 200);
    await site.alarms.send({ ...back, time: ago(site, 30) });
    const again = await post(site, body, key);
    assert.deepEqual([again.body, again.headers.get('tocsin-warnings')], [1, null]);
    assert.deepEqual(await eventsOf(site, 1), ['raised', 'returned'], 'it was not executed again');
  },
);

testOnAnyStore('delays, masks and latches are not touched by an older report', async (t, kind) => {
  const site = await startSite(t, kind);
  const slow = await site.alarms.send({ ...pump, alarmDelay: 60, time: ago(site, 100) });
  assert.equal((await site.alarms.get(slow)).state, 0, 'the delay begins with the arrival');
  await site.alarms.report({ ...back, alarmDelay: 0, time: ago(site, 101) });
  site.app.clock.advance(60_000);
  // Whatever is due counts before a report.
  assert.equal((await site.alarms.report({ ...back, time: ago(site, 170) })).warnings, older);
  assert.equal((await site.alarms.get(slow)).state, 3, 'the condition held for its delay');

  const latched = { path: 'latched', eventCondition: { resettable: false } };
  const id = await site.alarms.send({ ...latched, time: ago(site, 50) });
  await site.alarms.send({ ...latched, raised: false, time: ago(site, 40) });
  await site.alarms.report({ ...latched, time: ago(site, 45) });
  await site.ask('POST', `/alarms/${id}/reset`);
  assert.equal((await site.alarms.get(id)).state, 2, 'it stayed latched');
  await site.ask('POST', `/alarms/${id}/mask`, { until: ago(site, -600), reason: 'works' });
  await site.ask('POST', `/alarms/${id}/comments`, { comment: 'works on the pump' });
  assert.equal((await site.alarms.report({ ...latched, time: ago(site, 39) })).warnings, null);
  const { state, masked, comment } = await site.alarms.get(id);
  assert.deepEqual([state, masked], [3, true], 'what people did is no report: it outdates nothing');
  assert.equal(comment, '', 'a comment is of the occurrence before');
});

testOnAnyStore('values and alarms share the times of their source', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({
    path: 'temp',
    value: '20',
    eventCondition: { value: '>=80' },
    time: ago(site, 60),
  });
  const report = (value: string, seconds: number) =>
    site.ask('POST', '/tags/values', [{ path: 'temp', value, time: ago(site, seconds) }]);
  await report('93', 30);
  assert.equal((await site.alarms.report({ path: 'temp', value: '20', time: ago(site, 40) })).warnings, older);
  await site.alarms.send({ path: 'temp', value: '20', time: ago(site, 20) });
  await report('95', 25);
  const { state, value } = await site.alarms.get(id);
  assert.deepEqual([state, value], [2, '20']);
});

testOnAnyStore(
  'a refused report that is retried is of its own time, without one of when it was refused',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const token = await site.keyFor(['alarms:write']);
    const retry = async () => {
      const [row] = (await site.list('/intake/refusals?sort=-id&limit=1')).items;
      const path = `/intake/refusals/${row?.id}/retry`;
      const shown = await site.ask('POST', path);
      const done = await site.ask('POST', path, { confirm: true });
      assert.deepEqual(shown.warnings, done.warnings, 'it shows what it does');
      return done.warnings;
    };
    const id = await site.alarms.send({ ...back, time: ago(site, 60) });
    site.app.clock.advance(10_000);
    await refuse(site, { token, body: pump });
    site.app.clock.advance(10_000);
    // Nothing of the alarm changes by this, so that the retry is not refused.
    await site.alarms.send({ ...back, time: ago(site, 5) });
    assert.deepEqual(await retry(), [older]);
    assert.equal((await site.alarms.get(id)).state, 0);

    await refuse(site, { token, body: [{ ...pump, time: ago(site, -300) }], route: 'POST /api/v1/alarms/batch' });
    site.app.clock.advance(600_000);
    await site.alarms.send({ ...back, time: ago(site, 1) });
    assert.deepEqual(await retry(), [`[0].${older}`], 'a time that was ahead then is of when it was refused');
    assert.equal((await site.alarms.get(id)).state, 0);
    await refuse(site, { token, body: { ...pump, time: ago(site, 0) } });
    assert.deepEqual(await retry(), []);
    assert.equal((await site.alarms.get(id)).state, 3);
  },
);
