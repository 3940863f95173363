// Hand-over notices: people are told in writing that they come on or go off duty.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startSite } from '../../../harness/site/site.ts';
import { type Person, sms, voice } from '../../../harness/site/site-phones.ts';
import type { StoreName } from '../../../harness/stores/stores.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const textsOf = async (person: Person) => (await person.messages()).map(({ text }) => text).toReversed();

/** It is noon, UTC: ana has the duty until 18:00, then bo; carl has no number that is written to. */
async function nightAndDay(t: TestContext, kind: StoreName, handOverNotices: boolean) {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { language: 'fr', numbers: [voice('+33100000001'), sms('+33600000001')] });
  const bo = await site.person('bo', { timeZone: 'UTC', numbers: [sms('+33600000002')] });
  const carl = await site.person('carl');
  const [day, night] = [await site.team('Day', [ana]), await site.team('Night', [bo, carl])];
  const weekly = [
    { teamId: day, days, from: '06:00', to: '18:00' },
    { teamId: night, days, from: '18:00', to: '06:00' },
  ];
  const scheduleId = await site.create('/schedules', { name: 'Round the clock', timeZone: 'UTC', weekly });
  const group = await site.group('Pumps', [], { names: { fr: 'Pompes' }, scheduleId });
  await site.ask('PUT', '/callpolicy', { priorities: [], handOverNotices });
  await site.settle();
  return { site, ana, bo, carl, night, scheduleId, group };
}

testOnAnyStore(
  'who comes on and who goes off duty is told at the change, once, after a restart too',
  async (t, kind) => {
    const { site, ana, bo, carl } = await nightAndDay(t, kind, true);
    await site.advance('5h');
    for (const person of [ana, bo, carl]) assert.deepEqual(await textsOf(person), []);
    await site.restart();
    site.app.clock.advance(3_600_000);
    await site.settle();
    assert.deepEqual(await textsOf(ana), ["Vous n'êtes plus d'astreinte : Pompes"]);
    assert.deepEqual(await textsOf(bo), ['You are on call now: Pumps until 2026-11-16 06:00']);
    assert.deepEqual(await textsOf(carl), [], 'nobody is called up for it');
    await site.restart();
    await site.advance('1h');
    assert.equal((await textsOf(bo)).length, 1);
    const rows = (await site.callHistories()).map(({ cause, user, channel }) => [cause, user, channel]);
    assert.deepEqual(rows, [
      ['handOver', 'bo', 'sms'],
      ['handOver', 'ana', 'sms'],
    ]);
  },
);

testOnAnyStore('a duty that somebody takes is a hand-over; without the option nobody is told', async (t, kind) => {
  const { site, ana, bo, scheduleId } = await nightAndDay(t, kind, true);
  const to = new Date(site.app.clock.now() + 3_600_000).toISOString().slice(0, 16);
  await site.ask('POST', `/schedules/${scheduleId}/take`, { userId: bo.id, to });
  await site.settle();
  assert.match((await textsOf(bo)).join(), /^You are on call now: Pumps until /);
  assert.equal((await textsOf(ana)).length, 1);
  const policy = await site.ask('GET', '/callpolicy');
  await site.ask('PUT', '/callpolicy', { ...policy, handOverNotices: false });
  await site.advance('10h');
  assert.equal((await textsOf(bo)).length, 1);
  await site.ask('PUT', '/callpolicy', { ...policy, handOverNotices: true });
  await site.settle();
  assert.equal((await textsOf(bo)).length, 1, 'what happened meanwhile is not told');
});
