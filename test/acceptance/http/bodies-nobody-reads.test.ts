// A body that a request does not need is not looked at: its content type refuses nothing.

import assert from 'node:assert/strict';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

testOnAnyStore('a request that takes no body is not refused for the type of the one it has', async (t, kind) => {
  const site = await startSite(t, kind);
  const team = await site.team('Night', [await site.person('ana')]);
  const schedule = await site.schedule(team, '00:00', '24:00');
  const override = { teamId: team, userId: null, from: '2026-11-20T08:00', to: '2026-11-21T08:00', reason: 'swap' };
  const headers = [
    { 'content-type': 'text/plain' },
    { 'content-type': 'nonsense' },
    { 'content-encoding': 'nonsense' },
  ];
  for (const each of headers) {
    const options = { token: site.token, body: 'x', headers: { 'content-type': 'application/json', ...each } };
    const answer = await site.app.request('POST', '/api/v1/simulator/phones/1/answer', options);
    assert.equal(answer.status, 409, 'nothing rings');
    const path = `/api/v1/schedules/${schedule}/overrides/${await site.create(`/schedules/${schedule}/overrides`, override)}`;
    assert.equal((await site.app.request('DELETE', path, options)).status, 200, JSON.stringify(each));
  }
  assert.deepEqual((await site.list(`/schedules/${schedule}/overrides`)).items, []);
});
