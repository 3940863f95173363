// After an outage that lasted longer than the pause between two rounds, and an acknowledgement, nothing is left to do.

import assert from 'node:assert/strict';
import { findCallGaps } from '../../../../src/operations/calls/audit-calls.ts';
import { decideCalls } from '../../../../src/operations/calls/engine/decide-calls.ts';
import { hasDueAttempts } from '../../../../src/operations/calls/queries.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { executeSql } from '../../../harness/stores/execute-sql.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const trunk = (fault: string) => ({ name: 'PBX', channel: 'voice', kind: 'simulator', settings: { fault } });

/** A priority 1 alarm that nobody can be called for, for longer than the first pause. */
async function outage(site: Site): Promise<{ readonly provider: number; readonly alarm: number }> {
  const provider = await site.create('/providers', trunk('dead'));
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 1 });
  await site.advance('12m');
  return { provider, alarm };
}

testOnStores('a trunk outage leaves no work and no attempt under way after it was acknowledged', async (t, kind) => {
  const site = await startSite(t, kind);
  const { provider, alarm } = await outage(site);
  for (const { id } of [{ id: alarm }, ...(await site.alarms.fromTocsin())])
    await site.request('POST', `/alarms/${id}/acknowledge`, {});
  await site.ask('PUT', `/providers/${provider}`, trunk('none'));
  await site.ask('POST', `/providers/${provider}/test`);
  await site.settle();
  for (const { id } of await site.alarms.fromTocsin()) await site.request('POST', `/alarms/${id}/acknowledge`, {});
  await site.settle();
  await site.advance('20m');
  const now = site.app.clock.now();
  const { plan, lookAgainAt } = await site.app.store.read(decideCalls, { now });
  assert.deepEqual({ plan, lookAgainAt }, { plan: undefined, lookAgainAt: undefined });
  assert.equal(await site.app.store.read(hasDueAttempts, { now }), false);
  assert.deepEqual(await site.app.store.read(findCallGaps, { now }), []);
  const open = (await site.callHistories(`&alarmId=${alarm}`)).filter(({ status }) => status === 1 || status === 2);
  assert.deepEqual(open, [], 'no row of the history is still in progress or suspended');
  const own = (await site.alarms.fromTocsin()).map(({ path }) => path);
  assert.ok(!own.some((path) => String(path).includes('auditor')), JSON.stringify(own));
  await site.expectWhatRings();
});

testOnStores(
  'an attempt that is due although its alarm was taken is stopped, and its person can be called',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarm = await site.alarms.raise(group);
    await ana.isCalled();
    await site.ask('POST', `/alarms/${alarm}/acknowledge`);
    await site.settle();
    await executeSql(
      site.app,
      "update call_attempts set state = 'due', outcome = null, ended_at = null, cancel_reason = null, lease_by = null, lease_until = null",
    );
    await site.ask('POST', '/call/users', { userIds: [ana.id], msgText: 'still here' });
    await site.settle();
    const [first] = await site.callHistories(`&alarmId=${alarm}`);
    assert.equal(first?.outcome, 'cancelled');
    await site.advance('60s');
    await ana.isCalled(/still here/);
    await site.expectWhatRings();
  },
);
