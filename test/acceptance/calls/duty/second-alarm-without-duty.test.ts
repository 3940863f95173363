// A second alarm of a group in which nobody is on call is said again, and calls the last resort, like the first.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a second priority 1 in a group without duty calls the last resort again', async (t, kind) => {
  const site = await startSite(t, kind);
  const group = await site.group('Empty', []);
  await site.alarms.raise(group, { path: 'First', priority: 1 });
  await site.admin.isCalled(/^Nobody has taken this: /);
  assert.deepEqual(await site.activeSystemAlarms(), [`system/nobody-on-call/${group}`]);
  await site.admin.takes();
  assert.deepEqual(await site.activeSystemAlarms(), [], 'it lasts as long as an alarm that nobody has taken');
  await site.advance('10m');
  await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 });
  await site.admin.isCalled(/^Nobody has taken this: Gas leak$/);
  assert.deepEqual(await site.activeSystemAlarms(), [`system/nobody-on-call/${group}`]);
  await site.admin.takes();
});

testOnAnyStore(
  'a second priority 1 that comes while the first is untaken is told to the last resort too',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const group = await site.group('Empty', []);
    await site.alarms.raise(group, { path: 'First', alarmMessage: 'first', priority: 1 });
    await site.admin.isCalled(/^Nobody has taken this: first$/);
    await site.admin.hears();
    await site.advance('2m');
    await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 });
    await site.admin.isCalled(/^Nobody has taken this: Gas leak$/);
    await site.admin.takes();
    await site.expectWhatRings();
  },
);

testOnAnyStore('a second alarm that finds somebody on duty calls them for both', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { onDuty: false });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { path: 'First', alarmMessage: 'first', priority: 1 });
  await site.admin.isCalled(/^Nobody has taken this: first$/);
  await site.admin.hears();
  await site.ask('PUT', `/users/${ana.id}/duty`, { onDuty: true });
  await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 });
  await ana.isCalled();
  const said = await ana.answers('1', '1', '1');
  assert.match(said.join(' '), /first/);
  assert.match(said.join(' '), /Gas leak/);
});
