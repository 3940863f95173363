// Removing an alarm silences nobody: not while people may be called for it, and not by a key that may only send alarms.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import type { Problem } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const mask = (site: Site, id: number) =>
  site.ask('POST', `/alarms/${id}/mask`, { until: '2026-11-15T12:10:00Z', reason: 'scrapped' });

async function removal(site: Pick<Site, 'request'>, id: number): Promise<readonly unknown[]> {
  const { status, body } = await site.request('DELETE', `/alarms/${id}`);
  return status === 200 ? [status] : [status, (body as Problem).code];
}

testOnAnyStore('a key that may only send alarms does not silence a ringing alarm by removing it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  const source = site.as(await site.keyFor(['alarms:write', 'alarms:read']));
  assert.deepEqual(await removal(source, alarm), [403, 'scope-missing']);
  const operator = site.as(await site.keyFor(['alarms:mask']));
  assert.deepEqual(await removal(operator, alarm), [409, 'not-acknowledged']);
  const { body } = await operator.request('DELETE', `/alarms/${alarm}`);
  assert.match((body as Problem).detail, /acknowledge or mask it first/);
  await ana.isCalled();
  await site.alarms.returnsToNormal();
  assert.deepEqual(await removal(site, alarm), [409, 'not-acknowledged'], 'people are called until somebody takes it');
  await ana.takes();
  assert.deepEqual(await removal(operator, alarm), [200]);
});

testOnAnyStore('a masked alarm is removed, until its mask ends; calls of other alarms go on', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 3, timeToRetry: 60 })] });
  const bo = await site.person('bo');
  const [one, two] = [
    await site.group('One', [await site.team('One', [ana])]),
    await site.group('Two', [await site.team('Two', [bo])]),
  ];
  const alarmActions = [
    { type: 'CallGroup', id: two },
    { type: 'CallGroup', id: one, parameter: '300' },
  ];
  const alarm = await site.alarms.raise(two, { alarmActions });
  const later = await site.alarms.raise(two, { path: 'Later' });
  await bo.isCalled();
  const other = await site.alarms.raise(one, { path: 'Other', alarmMessage: 'other' });
  await ana.isCalled(/^other$/);
  await mask(site, alarm);
  await mask(site, later);
  assert.deepEqual(await removal(site, alarm), [200]);
  await bo.isNotCalled();
  await ana.isCalled(/^other$/);
  await ana.takes();
  assert.equal((await site.alarms.get(other)).ackUser, 'ana');
  site.app.clock.advance(600_000);
  assert.deepEqual(await removal(site, later), [409, 'not-acknowledged'], 'its mask is over');
  await bo.isCalled();
  await bo.takes();
  await site.advance('1h');
  await ana.isNotCalled();
  await bo.isNotCalled();
});
