// A kept refusal is retried with the rights of its caller: first it shows what it would do, then it does it once.

import assert from 'node:assert/strict';
import { reportAlarms } from '../../../src/operations/alarms/intake/report.ts';
import { endRetry } from '../../../src/operations/intake/refusals.ts';
import { refuse } from '../../harness/site/refused-intakes.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { failWrite } from '../../harness/site/store-faults.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

async function newest(site: Site): Promise<string> {
  const [row] = (await site.list('/intake/refusals?sort=-id&limit=1')).items;
  return `/intake/refusals/${row?.id}/retry`;
}

const confirm = { confirm: true };

testOnAnyStore('a retry only shows what it would do, unless it is confirmed', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const known = await site.as(token).alarms.send({ path: 'pump', raised: false });
  site.app.clock.advance(1_000);
  const body = [{ path: 'pump' }, { path: 'fan', tagGroupId: 9 }, { value: 'nothing to know it by' }];
  await refuse(site, { token, body, route: 'POST /api/v1/alarms/batch' });
  const path = await newest(site);
  const shown = await site.ask('POST', path);
  assert.equal(shown.applied, false);
  assert.deepEqual((shown.alarms as Row[]).slice(0, 2), [
    { id: known, name: 'pump', stateBefore: 0, stateAfter: 3 },
    { name: 'fan', stateAfter: 3 },
  ]);
  assert.deepEqual(shown.warnings, ['[1].tagGroupId: tag group 9 does not exist']);
  assert.equal((await site.alarms.get(known)).state, 0, 'nothing was done');
  assert.equal((await site.list('/alarms?search=fan')).items.length, 0);
  const done = await site.ask('POST', path, confirm);
  assert.deepEqual([done.applied, done.alarms, (done.answer as number[])[0]], [true, [], known]);
  assert.equal((await site.alarms.get(known)).state, 3);
  assert.equal((await site.request('POST', path, confirm)).status, 409, 'once is enough');
  const [row, rest] = (await site.list('/intake/refusals')).items;
  assert.equal(row?.retriedBy, 'user:1');
  assert.deepEqual([rest?.body, rest?.time], ['[{"value":"nothing to know it by"}]', row?.time], 'refused again');
  const [entry] = (await site.list('/journal?kind=intake.retried')).items;
  assert.equal(entry?.actor, 'user:1');
});

testOnAnyStore('a retry is refused when the tag has changed since', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  await refuse(site, { token, body: { path: 'pump', alarmMessage: 'old news' } });
  site.app.clock.advance(1_000);
  const id = await site.as(token).alarms.send({ path: 'pump', raised: false, alarmMessage: 'all is well' });
  const path = await newest(site);
  for (const body of [{}, confirm]) {
    const answer = await site.request('POST', path, body);
    assert.deepEqual([answer.status, (answer.body as Row).code], [409, 'changed-since']);
  }
  const { state, message } = await site.alarms.get(id);
  assert.deepEqual([state, message], [0, 'all is well']);
});

testOnStores('a retry runs with the rights that the caller has, a dead key with those it had', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const token = await site.keyFor(['alarms:write'], [north]);
  const [key] = (await site.list('/auth/keys?sort=-id')).items;
  await site.ask('DELETE', `/auth/keys/${key?.id}`);
  await refuse(site, { token, body: { path: 'pump' }, code: 'not-signed-in' });
  const { answer } = await site.ask('POST', await newest(site), confirm);
  const { stationId } = await site.alarms.get(Number(answer));
  assert.equal(stationId, north, 'it was bound to that station');
  const events = await site.ask<Row[]>('GET', `/alarms/${answer}/timeline`);
  assert.equal(events[0]?.actor, `key:${key?.id}`);
  await refuse(site, { token: await site.keyFor(['alarms:read']), body: { path: 'fan' }, code: 'scope-missing' });
  assert.equal((await site.request('POST', await newest(site), confirm)).status, 403, 'still without the scope');
  assert.equal((await site.request('POST', await newest(site), confirm)).status, 403, 'and may be tried again');
});

testOnAnyStore('values and calls are retried too; a call shows whom it would call', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const token = await site.keyFor(['alarms:write', 'calls:send']);
  const calling = { userIds: [ana.id], msgText: 'Come' };
  await refuse(site, { token, body: calling, route: 'POST /api/v1/call/users', code: 'too-many-requests' });
  const call = await newest(site);
  const shown = await site.ask('POST', call);
  assert.deepEqual(shown.calls, [{ userIds: [ana.id], callGroupIds: [], groupingIds: [] }]);
  await ana.isNotCalled();
  assert.equal((await site.ask('POST', call, confirm)).answer, true);
  await ana.isCalled(/Come/);
  await ana.hears();

  const value = [{ path: 'tank', value: '9' }];
  await refuse(site, { token, body: value, route: 'POST /api/v1/tags/values', isPartial: true });
  const values = await newest(site);
  const missing = (await site.ask('POST', values)).alarms as Row[];
  assert.match(String(missing[0]?.problem), /tank/, 'the tag is not there yet');
  await site.alarms.send({ path: 'tank', raised: false, eventCondition: { value: '>5' } });
  const { alarms } = await site.ask('POST', values);
  assert.equal((alarms as Row[])[0]?.stateAfter, 3);
});

testOnStores('a retry of a body that is still no JSON is refused with the reason', async (t, kind) => {
  const site = await startSite(t, kind);
  await refuse(site, { token: await site.keyFor(['alarms:write']), body: '{', code: 'malformed-json' });
  const answer = await site.request('POST', await newest(site), confirm);
  assert.deepEqual([answer.status, (answer.body as Row).code], [400, 'malformed-json']);
  assert.equal((await site.request('POST', '/intake/refusals/9999/retry')).status, 404);
});

testOnStores('a retried list carries out every report of a tag, not only the first', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const body = [{ path: 'pump', raised: false }, { path: 'fan' }, { path: 'pump', value: '9' }, { path: 'pump' }];
  await refuse(site, { token, body, route: 'POST /api/v1/alarms/batch' });
  site.app.clock.advance(60_000);
  const path = await newest(site);
  const shown = ((await site.ask('POST', path)).alarms as Row[]).map((row) => [
    row.name,
    row.stateBefore,
    row.stateAfter,
  ]);
  const expected = [
    ['pump', undefined, 0],
    ['fan', undefined, 3],
    ['pump', 0, 3],
    ['pump', 3, 3],
  ];
  assert.deepEqual(shown, expected, 'shown item by item');
  const { answer } = await site.ask('POST', path, confirm);
  const [id, , ...others] = answer as number[];
  assert.deepEqual(others, [id, id]);
  assert.equal((await site.alarms.get(id as number)).state, 3);
  assert.equal((await site.list('/intake/refusals')).items.length, 1, 'nothing is left');
});

testOnStores('reports that follow one which others have overtaken are refused with it', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const body = [{ path: 'pump' }, { path: 'pump', alarmMessage: 'old news' }, { path: 'fan' }];
  await refuse(site, { token, body, route: 'POST /api/v1/alarms/batch' });
  site.app.clock.advance(60_000);
  const pump = await site.as(token).alarms.send({ path: 'pump', raised: false, alarmMessage: 'all is well' });
  site.app.clock.advance(60_000);
  const path = await newest(site);
  const shown = ((await site.ask('POST', path)).alarms as Row[]).map(
    ({ problem, stateAfter }) => problem ?? stateAfter,
  );
  const reason = `Alarm ${pump}, "pump", has changed since.`;
  assert.deepEqual(shown, [reason, reason, 3]);
  const { answer } = await site.ask('POST', path, confirm);
  assert.deepEqual(
    (answer as Row[]).slice(0, 2).map(({ code }) => code),
    ['changed-since', 'changed-since'],
  );
  const { state, message } = await site.alarms.get(pump);
  assert.deepEqual([state, message], [0, 'all is well']);
});

testOnAnyStore('a retry shows a temporary alarm that comes again after it has gone', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const alarm = { path: 'door', temporary: true };
  const known = await site.as(token).alarms.send(alarm);
  await site.alarms.acknowledge(known);
  await refuse(site, { token, body: [{ path: 'door', raised: false }, alarm], route: 'POST /api/v1/alarms/batch' });
  const { alarms } = await site.ask('POST', await newest(site));
  assert.deepEqual(alarms, [
    { id: known, name: 'door', stateBefore: 1, stateAfter: 0 },
    { name: 'door', stateAfter: 3 },
  ]);
});

testOnAnyStore(
  'of a list with one bad item that item alone is retried, and no alarm is raised twice',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const token = await site.keyFor(['alarms:write']);
    const bad = { value: 'ä, nothing to know it by' };
    const kept = async () => (await site.list('/intake/refusals')).items;
    // The longer list is looked through in slices.
    for (const fires of [1, 700]) {
      const before = (await kept()).length;
      const fire = { alarmMessage: `Fire of ${fires}`, value: 'x'.repeat(100) };
      const list = [...Array.from({ length: fires }, () => fire), bad, { alarmMessage: 'Smoke' }];
      assert.equal((await site.as(token).request('POST', '/alarms/batch', list)).status, 200);
      const refused = (await until(kept, ({ length }) => length > before)).at(-1);
      assert.deepEqual([refused?.body, refused?.code], [JSON.stringify([bad]), 'invalid-input']);
      const { answer } = await site.ask('POST', `/intake/refusals/${refused?.id}/retry`, confirm);
      assert.deepEqual(
        (answer as Row[]).map(({ code }) => code),
        ['invalid-input'],
      );
      assert.equal((await site.list(`/alarms?search=of ${fires}`)).paging.total, fires);
    }
  },
);

testOnAnyStore(
  'a value is retried for a tag that was defined meanwhile, unless it has had a value since',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const token = await site.keyFor(['alarms:write']);
    const body = [
      { path: 'tank', value: '9' },
      { path: 'boiler', value: '9' },
    ];
    await refuse(site, { token, body, route: 'POST /api/v1/tags/values', code: 'unprocessable' });
    const ids: number[] = [];
    for (const { path } of body) {
      site.app.clock.advance(60_000);
      ids.push(await site.alarms.send({ path, raised: false, eventCondition: { value: '>5' } }));
    }
    await site.as(token).ask('POST', '/tags/values', [{ path: 'boiler', value: '1' }]);
    const { answer } = await site.ask('POST', await newest(site), confirm);
    assert.deepEqual([(answer as number[])[0], (answer as Row[])[1]?.code], [ids[0], 'changed-since']);
    const states = await Promise.all(ids.map(async (id) => (await site.alarms.get(id)).state));
    assert.deepEqual(states, [3, 0]);
  },
);

const halfWay = [
  { alarmMessage: 'Fire' },
  { path: 'pump', raised: false },
  { path: 'pump', alarmMessage: 'Pump' },
  { alarmMessage: 'Smoke' },
];

testOnStores('a retry that fails half-way keeps the rest, and raises no alarm twice', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  await refuse(site, { token, body: halfWay, route: 'POST /api/v1/alarms/batch' });
  const { isLost } = failWrite(site.app.store, reportAlarms, 1);
  const { answer } = await site.ask('POST', await newest(site), confirm);
  assert.ok(isLost());
  assert.deepEqual(
    (answer as (number | Row)[]).map((result) => (typeof result === 'number' ? 'done' : result.code)),
    ['done', 'done', 'unavailable', 'unavailable'],
  );
  const [whole, rest] = (await site.list('/intake/refusals')).items;
  assert.deepEqual([whole?.retriedBy, rest?.body], ['user:1', JSON.stringify(halfWay.slice(2))]);
  await site.ask('POST', await newest(site), confirm);
  for (const message of ['Fire', 'Smoke'])
    assert.equal((await site.list(`/alarms?search=${message}`)).paging.total, 1, message);
});

testOnStores('what a retry leaves is not lost when it cannot be kept', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const bad = { value: 'nothing to know it by' };
  await refuse(site, { token, body: [{ path: 'pump' }, bad], route: 'POST /api/v1/alarms/batch' });
  const path = await newest(site);
  failWrite(site.app.store, endRetry);
  assert.equal((await site.request('POST', path, confirm)).status, 503);
  const [row] = (await site.list('/intake/refusals')).items;
  assert.deepEqual([row?.retriedBy, row?.retriedTime], [undefined, undefined], 'it has not been retried');
  assert.equal((await site.request('POST', path, confirm)).status, 409, 'it may be under way');
  site.app.clock.advance(60_000);
  await site.ask('POST', path, confirm);
  const [whole, rest] = (await site.list('/intake/refusals')).items;
  assert.equal(whole?.retriedBy, 'user:1');
  assert.ok(String(rest?.body).includes(JSON.stringify(bad)));
});
