// The escalate request calls the relief group at once, in addition to the people already called.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('an escalate request calls the relief group at once, and the first people ring on', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const heads = await site.group('Heads', [await site.team('Heads', [bo])]);
  const group = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId: heads });
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await bo.isNotCalled();
  await site.ask<boolean>('POST', `/alarms/${alarm}/escalate`);
  await ana.isCalled();
  await bo.isCalled(/Pump1/);
  await bo.hears();
  await ana.isCalled();
  const again = await site.request('POST', `/alarms/${alarm}/escalate`);
  assert.equal(again.status, 422, again.text);
  await ana.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  const late = await site.request('POST', `/alarms/${alarm}/escalate`);
  assert.equal(late.status, 409, late.text);
  assert.equal((await site.request('POST', '/alarms/4711/escalate')).status, 404);
});

testOnAnyStore(
  'the timeline shows who escalated, and the call history who could not be called then',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    const cy = await site.person('cy', { numbers: [voice('+33100000003', { valid: false })] });
    const heads = await site.group('Heads', [await site.team('Heads', [bo, cy])]);
    const group = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId: heads });
    const alarm = await site.alarms.raise(group, { priority: 3 });
    await ana.isCalled();
    await site.ask<boolean>('POST', `/alarms/${alarm}/escalate`);
    await bo.isCalled();
    const events = await site.ask<readonly Row[]>('GET', `/alarms/${alarm}/timeline`);
    const levels = events.flatMap(({ event, data }) => (event === 'call.level' ? [data as Row] : []));
    assert.deepEqual(
      levels.map(({ groupId, reasonCode, reason }) => ({ groupId, reasonCode, reason })),
      [
        { groupId: group, reasonCode: 'raised', reason: 'the alarm was raised' },
        { groupId: heads, reasonCode: 'escalated', reason: 'escalated by admin' },
      ],
    );
    const notCalled = (await site.callHistories(`&userId=${cy.id}`)).map(({ detail }) => detail);
    assert.deepEqual(notCalled, ['has no number that is valid and verified']);
  },
);
