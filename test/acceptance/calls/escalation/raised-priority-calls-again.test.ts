// Raising the priority of an unacknowledged alarm to 1 calls people again, unless a call for it is still open.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

/** An alarm of priority 3 calls ana once; its number is tried once. */
async function lesserAlarm(site: Site, more: object = {}) {
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3, ...more });
  return { ana, group, alarm };
}

/** The reasons of the rounds of the group that began because the alarm became more urgent, by the timeline. */
async function reasons(site: Site, alarm: number): Promise<readonly unknown[]> {
  const events = await site.ask<readonly Row[]>('GET', `/alarms/${alarm}/timeline`);
  const rounds = events.flatMap(({ event, data }) => (event === 'call.round' ? [data as Row] : []));
  return rounds
    .filter(({ reasonCode, target }) => reasonCode === 'more-urgent' && (target as Row).kind === 'group')
    .map(({ reason }) => reason);
}

testOnAnyStore(
  'an alarm that nobody answered, raised to priority 1, is called for again until somebody takes it',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, group, alarm } = await lesserAlarm(site);
    await ana.isCalled();
    await site.advance('30s');
    await site.admin.isCalled(/^Nobody has taken this: /);
    await site.admin.declines();
    await site.advance('1h');
    await ana.isNotCalled();
    await site.alarms.raise(group, { priority: 1 });
    await ana.isCalled(/Pump1 is too hot/);
    assert.deepEqual(await reasons(site, alarm), ['the alarm has become more urgent: priority 1']);
    await ana.hangsUp();
    await site.expectWhatRings();
    await site.advance('301s');
    await ana.isCalled();
    await site.alarms.raise(group, { priority: 1 });
    assert.equal((await reasons(site, alarm)).length, 1, 'a report that changes nothing calls nobody');
    await ana.takes();
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
    await site.expectWhatRings();
  },
);

testOnAnyStore(
  'an alarm that was only heard, raised to priority 1, calls the same person again, without the delay',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, group, alarm } = await lesserAlarm(site, { alarmActions: [] });
    const alarmActions = [{ type: 'CallGroup', id: group, parameter: '60' }];
    await site.alarms.raise(group, { priority: 3, alarmActions });
    await site.advance('60s');
    await ana.isCalled();
    await ana.hears();
    await site.admin.isCalled(/^Nobody has taken this: /);
    await site.admin.declines();
    await site.advance('1h');
    await ana.isNotCalled();
    await site.alarms.raise(group, { priority: 1, alarmActions });
    await ana.isCalled();
    await ana.takes();
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  },
);

testOnAnyStore(
  'a raised priority begins no second call while the phone rings, none after an acknowledgement, and a round after the return',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, group, alarm } = await lesserAlarm(site);
    await ana.isCalled();
    await site.alarms.raise(group, { priority: 1 });
    await ana.isCalled();
    assert.equal((await site.callHistories()).length, 1);
    assert.equal((await reasons(site, alarm)).length, 1);
    await ana.takes();
    await site.alarms.raise(group, { priority: 3 });
    await site.alarms.raise(group, { priority: 1 });
    await ana.isNotCalled();
    await site.alarms.returnsToNormal();
    await site.alarms.raise(group, { priority: 3, raised: false });
    await site.alarms.raise(group, { priority: 1, raised: false });
    await ana.isNotCalled();
    await site.advance('60s');
    await site.alarms.raise(group, { priority: 3 });
    await ana.isCalled();
    await ana.hears();
    await site.admin.isCalled(/^Nobody has taken this: /);
    await site.admin.declines();
    assert.equal((await reasons(site, alarm)).length, 1, 'the first time alone');
    await site.advance('1s');
    await site.alarms.raise(group, { priority: 1, raised: false });
    await ana.isNotCalled();
    assert.equal((await reasons(site, alarm)).length, 2, 'back to normal, and nobody has taken it');
    await site.advance('60s');
    await ana.isCalled(/Pump1 is too hot/);
    await ana.takes();
  },
);

testOnAnyStore(
  'an alarm raised and then set to priority 1 in one request gets one call, with priority 1',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, group } = await lesserAlarm(site, { alarmActions: [] });
    const fan = { path: 'Plant/Fan', alarmMessage: 'Fan stands', alarmActions: [{ type: 'CallGroup', id: group }] };
    await site.ask(
      'POST',
      '/alarms/batch',
      [3, 1].map((priority) => ({ ...fan, priority })),
    );
    await ana.isCalled(/Fan stands/);
    assert.equal((await site.callHistories()).length, 1);
    await ana.hangsUp();
    await site.expectWhatRings();
    await site.advance('301s');
    await ana.isCalled(/Fan stands/);
    await ana.takes();
    await site.expectWhatRings();
  },
);

testOnAnyStore('a call whose alarm is raised to priority 1 while it rings continues in rounds', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await site.advance('1s');
  await site.alarms.raise(group, { priority: 1 });
  await ana.hangsUp();
  await site.advance('60s');
  await ana.isCalled();
  await ana.hangsUp();
  await site.expectWhatRings();
  await site.advance('301s');
  await ana.isCalled();
  await site.expectWhatRings();
});

testOnAnyStore(
  'an alarm in vain that becomes more urgent and calls a further group calls the first one again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, group } = await lesserAlarm(site);
    const bo = await site.person('bo');
    const other = await site.group('Fitters', [await site.team('Fitters', [bo])]);
    await ana.isCalled();
    await ana.declines();
    await site.admin.isCalled();
    await site.admin.declines();
    await site.advance('1h');
    const alarmActions = [group, other].map((id) => ({ type: 'CallGroup', id }));
    await site.alarms.raise(group, { priority: 1, alarmActions });
    await ana.isCalled();
    await bo.isCalled();
    await site.expectWhatRings();
  },
);
