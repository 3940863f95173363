// After the clock was set back, the nodes go on from where they were; what people wrote in civil time follows the clock that was set.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { keepClock } from '../../../harness/site/kept-clock.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import type { StoreName } from '../../../harness/stores/stores.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const threeHours = 10_800_000;
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** It is noon: the late team has the duty since ten. Three hours earlier it is the turn of the early team. */
async function earlyAndLate(t: TestContext, kind: StoreName) {
  const site = await startSite(t, kind);
  const person = (name: string, n: number) =>
    site.person(name, { numbers: [voice(`+3310000000${n}`), sms(`+3360000000${n}`, { final: false })] });
  const [ana, bo] = [await person('ana', 1), await person('bo', 2)];
  const [early, late] = [await site.team('Early', [ana]), await site.team('Late', [bo])];
  const weekly = [
    { teamId: early, days, from: '00:00', to: '10:00' },
    { teamId: late, days, from: '10:00', to: '24:00' },
  ];
  const scheduleId = await site.create('/schedules', { name: 'Pumps programme', timeZone: 'UTC', weekly });
  return { site, ana, bo, scheduleId, group: await site.group('Pumps', [early, late], { scheduleId }) };
}

async function setBack(site: Site): ReturnType<typeof keepClock> {
  const keeper = await keepClock(site);
  await keeper.setClock(-threeHours);
  await until(site.systemAlarms.bind(site), (paths) => paths.includes('system/clock'));
  return keeper;
}

const onDuty = async (site: Site, group: number) => {
  const { items } = await site.list(`/oncall?callGroupId=${group}`);
  return items.flatMap(({ members }) => (members as readonly { user: string }[]).map(({ user }) => user));
};

testOnStores('after a step of three hours back the duty is shown and called as of the new time', async (t, kind) => {
  const { site, ana, bo, group } = await earlyAndLate(t, kind);
  assert.deepEqual(await onDuty(site, group), ['bo']);
  {
    await using _keeper = await setBack(site);
    assert.deepEqual(await onDuty(site, group), ['ana']);
  }
  await site.restart();
  assert.deepEqual(await onDuty(site, group), ['ana'], 'after a restart too');
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await bo.isNotCalled();
  await site.expectWhatRings();
});

testOnAnyStore('after a step of three hours back who takes the duty now has it at once', async (t, kind) => {
  const { site, ana, bo, group, scheduleId } = await earlyAndLate(t, kind);
  await using _keeper = await setBack(site);
  await site.ask('POST', `/schedules/${scheduleId}/take`, { userId: bo.id, to: '2026-11-15T10:00' });
  assert.deepEqual(await onDuty(site, group), ['bo']);
  await site.alarms.raise(group, { priority: 3 });
  await bo.isCalled();
  await ana.isNotCalled();
  await site.expectWhatRings();
});

testOnAnyStore('after a step of three hours back the hand-over is told at its time', async (t, kind) => {
  const { site, ana } = await earlyAndLate(t, kind);
  await site.ask('PUT', '/callpolicy', { priorities: [], handOverNotices: true });
  await site.settle();
  await using _keeper = await setBack(site);
  const told = async () => (await ana.messages()).map(({ text }) => text).toReversed();
  await site.settle();
  assert.deepEqual((await told()).length, 1, 'it is her turn again');
  await site.advance('50m');
  assert.equal((await told()).length, 1);
  // At ten by the clock that was set the late team takes over.
  site.app.clock.advance(660_000);
  await site.settle();
  assert.equal((await told()).length, 2, JSON.stringify(await told()));
});
