// A person without a number is called on the simulated phone; without the simulator the attempt fails visibly.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a person without a number is called on the simulated phone', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  assert.equal((await ana.isCalled(/Pump1/)).address, 'simulated phone');
  const [row] = await site.callHistories();
  assert.deepEqual([row?.channel, row?.attempt], ['simulator', 1]);
});

testOnAnyStore('without the simulator the attempt fails, and system alarms report it', async (t, kind) => {
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

testOnAnyStore('a number whose channel is not configured fails and raises a system alarm', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_SIMULATOR: 'false' } });
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await site.settle();
  assert.ok((await site.systemAlarms()).includes('system/channel/voice'));
  const [row] = await site.callHistories(`&userId=${ana.id}`);
  assert.deepEqual([row?.status, row?.detail], [4, 'no provider for voice is set up']);
});

testOnAnyStore('the log warns once a minute of calls that fail because a channel is not set up', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_SIMULATOR: 'false' } });
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const warnings = () => site.app.logLines.filter(({ msg }) => /no such channel is set up/.test(msg));
  for (const path of ['one', 'two', 'three']) await site.alarms.raise(group, { path, priority: 3 });
  await site.settle();
  assert.deepEqual(
    warnings().map(({ level, ...line }) => [level, (line as { channel?: string }).channel]),
    [[40, 'voice']],
  );
  site.app.clock.advance(60_000);
  await site.alarms.raise(group, { path: 'four', priority: 3 });
  await site.settle();
  assert.equal(warnings().length, 2);
});
