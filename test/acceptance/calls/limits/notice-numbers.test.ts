// A notice goes only to a number that may be used at that moment.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const notice = (more: object = {}) => sms('+33600000001', { final: false, ...more });
const numbers = (one: object) => [voice('+33100000001', { countTry: 1 }), one];

/** A person called for one alarm, whose notice number has got that alarm. */
async function afterFirstNotice(site: Site) {
  const ana = await site.person('ana', { numbers: numbers(notice()) });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { path: 'First', alarmMessage: 'first', priority: 1 });
  await ana.isCalled();
  await ana.hasText(/first/);
  return { ana, group };
}

const texts = async ({ messages }: Awaited<ReturnType<Site['person']>>) =>
  (await messages()).filter(({ state, direction }) => state === 'delivered' && direction === 'to').length;

for (const [what, changed] of [
  ['is not verified any more', notice({ address: '+33600000009', verified: false })],
  ['is not valid any more', notice({ valid: false })],
] as const)
  testOnAnyStore(`a number that ${what} gets no further notice`, async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, group } = await afterFirstNotice(site);
    const user = await site.ask<{ numbers: readonly { id: number }[] }>('GET', `/users/${ana.id}`);
    const [call, text] = numbers(changed).map((number, index) => ({ ...number, id: user.numbers[index]?.id }));
    await site.ask('PUT', `/users/${ana.id}`, { ...user, numbers: [call, text] });
    await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 1 });
    await site.advance('2m');
    assert.equal(await texts(ana), 1, 'the second alarm is not written there');
    await site.expectWhatRings();
  });

testOnAnyStore('a number outside its hours gets no further notice', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await afterFirstNotice(site);
  const user = await site.ask<{ numbers: readonly object[] }>('GET', `/users/${ana.id}`);
  const scheduleId = await site.schedule(await site.team('Hours', [ana]), '03:00', '04:00');
  const [call, text] = user.numbers;
  await site.ask('PUT', `/users/${ana.id}`, { ...user, numbers: [call, { ...text, scheduleId }] });
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 1 });
  await site.advance('2m');
  assert.equal(await texts(ana), 1);
  await site.expectWhatRings();
});
