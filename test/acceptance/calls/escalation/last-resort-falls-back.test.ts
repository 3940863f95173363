// A last resort that does not exist, is empty or cannot be reached falls back to all administrators.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('with a last-resort group that does not exist the administrators are called', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_LAST_RESORT_GROUP: '77' } });
  assert.equal((await site.app.request('GET', '/health/calling')).status, 200, 'an administrator can be reached');
  await site.alarms.send({ path: 'Fire', priority: 1, alarmActions: [{ type: 'CallGroup', id: 4711 }] });
  await site.admin.isCalled();
  await site.admin.takes();
  await site.expectWhatRings();
});

testOnAnyStore('a last-resort group that does not answer is followed by the administrators', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_LAST_RESORT_GROUP: '1' } });
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const team = await site.team('Last', [ana]);
  assert.equal(await site.group('Last', [team]), 1);
  await site.alarms.send({ path: 'Fire', priority: 1, alarmActions: [{ type: 'CallGroup', id: 4711 }] });
  await ana.isCalled();
  await site.admin.isNotCalled();
  await site.advance('30s');
  await site.admin.isCalled();
  await site.admin.takes();
  await site.expectWhatRings();
});

testOnAnyStore('the last-resort group can be neither removed nor emptied', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_LAST_RESORT_GROUP: '1' } });
  const ana = await site.person('ana');
  const team = await site.team('Last', [ana]);
  const group = await site.group('Last', [team]);
  const other = await site.group('Other', [team]);
  const empty = { name: 'Last', stationId: 1, teamIds: [] };
  for (const [method, path, body] of [
    ['DELETE', `/callgroups/${group}`, undefined],
    ['PUT', `/callgroups/${group}`, empty],
    ['PUT', `/teams/${team}`, { name: 'Last', members: [] }],
  ] as const)
    assert.equal((await site.request(method, path, body)).status, 409, `${method} ${path}`);
  assert.deepEqual((await site.ask('GET', `/callgroups/${group}`)).teamIds, [team], 'nothing was changed');
  await site.ask('PUT', `/callgroups/${other}`, { ...empty, name: 'Other' });
  await site.ask('DELETE', `/callgroups/${other}`);
});
