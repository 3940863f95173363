// The last resort hears the alarm itself, takes it by the same keys, and is called for it no longer once anybody has taken it.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const health = async (site: Site) => (await site.app.request('GET', '/health/calling')).status;

testOnStores('the last resort is not called again once somebody has taken the alarm', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 });
  await ana.isCalled(/^Gas leak$/);
  await site.advance('30s');
  await site.admin.isCalled(/^Nobody has taken this: Gas leak$/);
  await site.advance('3m');
  assert.equal(await health(site), 503, 'not even the last resort has answered');
  const before = (await site.admin.messages()).length;
  await site.alarms.acknowledge(alarm);
  await site.settle();
  assert.equal(await health(site), 200);
  assert.deepEqual(await site.activeSystemAlarms(), []);
  await site.advance('1h');
  assert.equal((await site.admin.messages()).length, before, 'nobody is called for it any more');
  await ana.isNotCalled();
  assert.equal(await health(site), 200);
});
