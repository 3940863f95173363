// A kept refusal is retried with the rights of its caller: first it shows what it would do, then it does it once.

import assert from 'node:assert/strict';
import { refuse } from '../../harness/site/refused-intakes.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

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
  const [row] = (await site.list('/intake/refusals')).items;
  assert.equal(row?.retriedBy, 'user:1');
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
