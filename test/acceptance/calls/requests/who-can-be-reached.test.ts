// Calls by request and readiness say the same of a person who cannot be reached now.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { type Person, sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

/** Leaves texts as the only channel that is set up. */
async function onlyTexts(site: Site): Promise<void> {
  const [phones] = (await site.list('/providers?limit=10')).items;
  await site.ask('DELETE', `/providers/${phones?.id}`);
  await site.create('/providers', { name: 'Texts', channel: 'sms', kind: 'simulator' });
}

/** What a call by name, a call of the group, and readiness say of the only person of a group; readiness: its cause. */
async function answers(site: Site, person: Person): Promise<readonly unknown[]> {
  const group = await site.group('Pumps', [await site.team('Night', [person])]);
  const users = await site.ask<boolean>('POST', '/call/users', { userIds: [person.id], msgText: 'come' });
  const groups = await site.ask<boolean>('POST', '/call/groups', { callGroupIds: [group], msgText: 'come' });
  const { items } = await site.list('/oncall/readiness');
  const unreachable = items.flatMap((item) => item.unreachable as { user: string; cause: string }[]);
  await site.expectWhatRings();
  return [users, groups, unreachable.find(({ user }) => user === person.name)?.cause];
}

testOnAnyStore('a person whose only number is for other priorities is not called by request', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { priorities: { from: 1, to: 2 } })] });
  assert.deepEqual(await answers(site, ana), [false, false, undefined], 'an alarm of priority 1 would be');
  await ana.isNotCalled();
});

testOnAnyStore(
  'a person whose only number is on a channel that is not set up is called by no request',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await onlyTexts(site);
    const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
    assert.deepEqual(await answers(site, ana), [false, false, 'noChannel']);
  },
);

testOnAnyStore(
  'a notice does not reach a person whose final number is on a channel that is not set up',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await onlyTexts(site);
    const numbers = [voice('+33100000001'), sms('+33600000001', { final: false })];
    const ana = await site.person('ana', { numbers });
    assert.deepEqual(await answers(site, ana), [false, false, 'noChannel']);
    await ana.hasText(/come/);
  },
);
