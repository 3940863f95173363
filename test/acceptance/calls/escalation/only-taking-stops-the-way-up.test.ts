// Only taking an alarm stops the way up: what people say, throttles and busy lines do not keep relief from being called.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

/** Ana is on duty with bo as relief; cy is in the relief group. */
async function chain(site: Site, more: object = {}) {
  const [ana, bo, cy] = [await site.person('ana'), await site.person('bo'), await site.person('cy')];
  const reliefGroupId = await site.group('Relief', [await site.team('Relief', [cy])]);
  const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])], { reliefGroupId, ...more });
  return { ana, bo, cy, group };
}

testOnAnyStore('"heard" from everybody calls level after level, and then says that nobody took it', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, cy, group } = await chain(site);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await ana.hears();
  await bo.isCalled();
  await bo.hears();
  await cy.isCalled();
  await cy.hears();
  assert.deepEqual(await site.systemAlarms(), [`system/nobody-took-it/group/${group}`]);
  await site.admin.isCalled(/^Nobody has taken this: /);
  await site.admin.takes();
});

testOnAnyStore(
  '"later" for priority 1 calls the others meanwhile, and the person after five minutes',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, bo, group } = await chain(site);
    await site.alarms.raise(group, { priority: 1 });
    await ana.isCalled();
    await ana.answers('1', '6');
    await bo.isCalled();
    await bo.answers('1', '2');
    await site.expectWhatRings();
    await site.advance('300s');
    await ana.isCalled();
    await ana.takes();
    await site.expectWhatRings();
  },
);

testOnAnyStore("a throttled person's relief is called a minute after the bundled call", async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '1/15' } });
  const { ana, bo, group } = await chain(site);
  await site.alarms.raise(group, { path: 'First', priority: 3 });
  await ana.isCalled();
  await ana.takes();
  await site.alarms.raise(group, { path: 'Second', priority: 3 });
  await ana.isNotCalled();
  await bo.isNotCalled();
  await site.advance('60s');
  await ana.isCalled();
  assert.equal((await site.callHistories()).at(-1)?.reasonCode, 'bundled');
  await site.advance('59s');
  await bo.isNotCalled();
  await site.advance('1s');
  await bo.isCalled();
  await bo.takes();
});

testOnAnyStore('not taken within timeToTake, the next level is called while this one goes on', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [voice('+33100000009', { countTry: 20, timeToRetry: 30 })];
  const ana = await site.person('ana', { numbers });
  const bo = await site.person('bo');
  const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])], { timeToTake: 120 });
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await site.advance('119s');
  await bo.isNotCalled();
  await site.expectWhatRings();
  await site.advance('1s');
  await bo.isCalled();
  await ana.isCalled();
  await bo.takes();
  await ana.isNotCalled();
});

testOnAnyStore('a call by name reaches the replacement', async (t, kind) => {
  const site = await startSite(t, kind);
  const bo = await site.person('bo');
  const ana = await site.person('ana', { replacedById: bo.id });
  assert.equal(await site.ask<boolean>('POST', '/call/users', { userIds: [ana.id], msgText: 'come in' }), true);
  await bo.isCalled(/come in/);
  await bo.takes();
  await ana.isNotCalled();
});

testOnAnyStore('a person outside the hours of the number, or locked, counts as not reachable', async (t, kind) => {
  const site = await startSite(t, kind);
  const scheduleId = await site.schedule(await site.team('Anybody', [await site.person('eve')]), '20:00', '21:00');
  const ana = await site.person('ana', { numbers: [voice('+33100000005', { scheduleId })] });
  assert.equal(await site.ask<boolean>('POST', '/call/users', { userIds: [ana.id], msgText: 'come in' }), false);
  const locked = await site.person('bo', { pin: '4321' });
  await site.ask('POST', '/call/users', { userIds: [locked.id], msgText: 'first' });
  await locked.isCalled();
  await locked.answers('1', '1#', '2#', '3#');
  await site.settle();
  assert.equal(await site.ask<boolean>('POST', '/call/users', { userIds: [locked.id], msgText: 'second' }), false);
});
