// Somebody without a number: the simulated phone rings; without the simulator it fails visibly.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('the simulated phone rings', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  assert.equal((await ana.isCalled(/Pump1/)).address, 'simulated phone');
  const [row] = await site.callHistories();
  assert.deepEqual([row?.channel, row?.attempt], ['simulator', 1]);
});

testOnStores('without the simulator the person fails, and everyone can see it', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_SIMULATOR: 'false' } });
  const ana = await site.person('ana', { numbers: [] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  const [row] = await site.callHistories(`&userId=${ana.id}`);
  assert.deepEqual([row?.attempt, row?.status, row?.detail], [0, 4, 'has no number']);
  await ana.isNotCalled();
  const paths = [`system/nobody-took-it/group/${group}`, 'system/nobody-took-it/last-resort'];
  assert.deepEqual((await site.systemAlarms()).toSorted(), paths);
});

testOnStores('a number whose channel is not set up is an alarm, and the next person is called', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_SIMULATOR: 'false' } });
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await site.settle();
  assert.ok((await site.systemAlarms()).includes('system/channel/voice'));
  const [row] = await site.callHistories(`&userId=${ana.id}`);
  assert.deepEqual([row?.status, row?.detail], [4, 'no channel "voice" is set up']);
});
