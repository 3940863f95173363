// Alarms that nobody takes for hours: those who do not pick up are called, and not more often than the pauses between rounds say.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { numberOf, type Person, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const hourMs = 3_600_000;

const calledOnce = (site: Site, name: string, more: object = {}): Promise<Person> =>
  site.person(name, { numbers: [voice(numberOf(name), { countTry: 1 })], ...more });

/** When the phone of the person rang, in ms since the beginning. */
async function ringsOf(site: Site, { id }: Person, beganAt: number): Promise<readonly number[]> {
  const rows = await site.callHistories(`&userId=${id}`);
  return rows.filter(({ attempt }) => attempt !== 0).map((row) => Date.parse(String(row.startTime)) - beganAt);
}

testOnAnyStore('twenty repeating alarms that nobody takes ring one person few times an hour', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await calledOnce(site, 'ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const beganAt = site.app.clock.now();
  for (let n = 0; n < 20; n++) {
    await site.alarms.raise(group, { path: `Pump ${n}`, priority: 2 });
    await site.advance('30s');
  }
  await site.advance('170m');
  for (const person of [ana, site.admin]) {
    const rings = await ringsOf(site, person, beganAt);
    const first = rings.filter((at) => at < hourMs).length;
    const after = rings.filter((at) => at >= hourMs && at < 3 * hourMs).length;
    assert.ok(first > 0 && first <= 25, `${first} calls to ${person.name} in the first hour`);
    assert.ok(after > 0 && after <= 10, `${after} calls to ${person.name} in the two hours after it`);
  }
  await site.expectWhatRings();
});

/** The minutes at which the group, its relief and the last resort were first called for an alarm, and the calls of two hours. */
async function twoHours(t: Parameters<typeof startSite>[0], kind: Parameters<typeof startSite>[1], flaps: boolean) {
  const site = await startSite(t, kind);
  const [ana, bo] = [await calledOnce(site, 'ana'), await calledOnce(site, 'bo')];
  const reliefGroupId = await site.group('Relief', [await site.team('Day', [bo])]);
  const group = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId });
  const beganAt = site.app.clock.now();
  for (let minute = 0; minute < 120; minute++) {
    await site.alarms.raise(group, { priority: flaps && minute % 2 === 0 ? 3 : 2 });
    await site.advance('60s');
  }
  await site.expectWhatRings();
  const rings = await Promise.all([ana, bo, site.admin].map((person) => ringsOf(site, person, beganAt)));
  return {
    first: rings.map(([at = Number.NaN]) => Math.floor(at / 60_000)),
    counts: rings.map(({ length }) => length),
  };
}

testOnAnyStore(
  'a priority that flaps between 3 and 2 reaches relief and last resort as often as a steady 2',
  async (t, kind) => {
    const steady = await twoHours(t, kind, false);
    const flapping = await twoHours(t, kind, true);
    assert.deepEqual(flapping.first, steady.first);
    for (const [index, count] of steady.counts.entries())
      assert.ok(
        count > 1 && Math.abs(count - (flapping.counts[index] ?? 0)) <= 2,
        `${steady.counts} calls with a steady priority, ${flapping.counts} with one that flaps`,
      );
  },
);
