// Masks end by the clock of the database: also after it was set back, when the nodes go on from where they were.

import assert from 'node:assert/strict';
import { keepClock } from '../../../harness/site/kept-clock.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const hour = 3_600_000;

/** Sets the clock of the database, and waits for the alarm that says so. */
async function set(site: Site, keeper: Awaited<ReturnType<typeof keepClock>>, byMs: number): Promise<void> {
  const before = keeper.steps.length;
  await keeper.setClock(byMs);
  await until(
    () => keeper.steps.length,
    (steps) => steps > before,
  );
  await site.settle();
}

const mask = (site: Site, id: number, end: string) =>
  site.request('POST', `/alarms/${id}/mask`, { until: end, reason: 'works on the pump' });

const isMasked = async (site: Site, id: number): Promise<boolean> => {
  await site.settle();
  return (await site.alarms.get(id)).maskedUntil !== undefined;
};

testOnStores(
  'a mask ends when the clock that was set back shows its end, and may be set until then',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    // By the clock of the database it is noon, and then nine.
    await using keeper = await keepClock(site);
    const alarm = await site.alarms.raise(group, { priority: 3 });
    await ana.isCalled();
    assert.equal((await mask(site, alarm, '2026-11-15T13:00:00Z')).status, 200);
    await ana.isNotCalled();
    await set(site, keeper, -3 * hour);
    await site.expectWhatRings();
    await site.advance('2h');
    assert.equal(await isMasked(site, alarm), true, 'at eleven');
    await site.alarms.raise(group, { priority: 3, value: '7' });
    assert.equal(await isMasked(site, alarm), true, 'a report does not end it');
    const other = await site.alarms.raise(group, { path: 'Other', priority: 3, alarmActions: [] });
    assert.equal((await mask(site, other, '2026-11-15T11:30:00Z')).status, 200, 'half an hour from now');
    assert.equal((await mask(site, other, '2026-11-15T10:59:00Z')).status, 422, 'a minute ago');
    await site.advance('29m');
    assert.equal(await isMasked(site, other), true);
    await site.advance('1m');
    assert.equal(await isMasked(site, other), false);
    await ana.isNotCalled();
    await site.advance('88m');
    assert.equal(await isMasked(site, alarm), true);
    await site.advance('2m');
    assert.equal(await isMasked(site, alarm), false);
    await ana.isCalled(/Pump1/);
    await ana.takes();
    // On a slow machine the keeper takes the time of its own queries for another step, for which the administrator is called.
    await site.expectWhatRings();
  },
);

testOnStores('a mask that waits for the clock that was set back ends when that is set ahead again', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await using keeper = await keepClock(site);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  assert.equal((await mask(site, alarm, '2026-11-15T12:10:00Z')).status, 200);
  await set(site, keeper, -3 * hour);
  await site.expectWhatRings();
  await site.advance('20m');
  assert.equal(await isMasked(site, alarm), true, 'at twenty past nine');
  await set(site, keeper, 3 * hour);
  assert.equal(await isMasked(site, alarm), false, 'at twenty past noon');
  await site.expectWhatRings();
});
