// The series of raises over time: exact around clock changes in several zones, and refused when it would be too long.

import assert from 'node:assert/strict';
import { chanceOf } from '../../harness/chance.ts';
import { everyNames, recountSeries, seriesOf } from '../../harness/history/recount-series.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { type Row, refusal } from '../../harness/site/site-caller.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

const [minuteMs, dayMs] = [60_000, 86_400_000];
const transitory = { eventCondition: { transitory: true } };

async function goTo(site: Site, time: string): Promise<void> {
  site.app.clock.advance(Date.parse(time) - site.app.clock.now());
  await site.signInAgain();
}

/** Raises alarms at random instants of some days. */
async function raiseFor(site: Site, days: number, seed: number): Promise<void> {
  const chance = chanceOf(seed);
  const end = site.app.clock.now() + days * dayMs;
  while (site.app.clock.now() < end) {
    const count = chance.int(1, 4);
    const body = Array.from({ length: count }, (_, n) => ({
      path: `tag ${n}`,
      stationId: 1 + (n % 2),
      priority: chance.int(1, 7),
      ...transitory,
    }));
    const answer = await site.request('POST', '/alarms/batch', body);
    assert.equal(answer.status, 200, answer.text);
    site.app.clock.advance(chance.int(1, 200) * minuteMs);
  }
}

async function entriesOf(site: Site): Promise<readonly { readonly time: string; readonly priority: number }[]> {
  const { items } = await site.list('/alarms/histories?limit=1000');
  return items.map(({ alarmTime, priority }) => ({ time: String(alarmTime), priority: Number(priority) }));
}

/** Days before clock changes, and zones with half an hour. Hours of Lord Howe do not begin at its change by half an hour. */
const changes = [
  ['Europe/Paris', '2027-03-27T06:00:00Z', [23], everyNames],
  ['Australia/Lord_Howe', '2027-04-02T06:00:00Z', [24.5], ['10m', '1d']],
  ['Asia/Kolkata', '2027-03-27T06:00:00Z', [], everyNames],
] as const;

for (const [zone, start, unusual, lengths] of changes) {
  testOnStores(`${zone}: the series equals a recount, in spans of every length`, async (t, kind) => {
    const site = await startSite(t, kind, { overrides: { TOCSIN_TIME_ZONE: zone } });
    await site.create('/stations', { name: 'North' });
    await goTo(site, start);
    await raiseFor(site, 3, start.length + zone.length);
    const entries = await entriesOf(site);
    assert.ok(entries.length > 30 && entries.length < 1_000, String(entries.length));
    for (const every of lengths) {
      for (const isByPriority of [true, false]) {
        const path = `/alarms/series?every=${every}${isByPriority ? '&by=priority' : ''}`;
        const { items } = await site.ask<{ items: readonly Row[] }>('GET', `${path}&from=${start}`);
        const how = { every, isByPriority };
        assert.deepEqual(seriesOf(items, how), recountSeries(entries, how), path);
        if (every === '1d') assert.deepEqual(unusualDays(items), unusual);
      }
    }
  });
}

function unusualDays(items: readonly Row[]): readonly number[] {
  const starts = items.map(({ time }) => Date.parse(String(time)));
  const hours = starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / 3_600_000);
  return hours.filter((length) => length !== 24);
}

testOnStores(
  'periods are cut exactly, have defaults, and are refused when they have too many spans',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ask = (query: string) =>
      site.ask<{ from: string; to: string; items: readonly Row[] }>('GET', `/alarms/series?${query}`);
    for (const path of ['a', 'b', 'c']) {
      await site.alarms.send({ path, ...transitory });
      site.app.clock.advance(20 * minuteMs);
    }
    // Raised at 12:00, 12:20 and 12:40.
    const cut = await ask('every=1h&from=2026-11-15T12:00:00.001Z&to=2026-11-15T12:40:00Z');
    assert.deepEqual(cut.items, [{ time: '2026-11-15T13:00:00.000+01:00', number: 1 }]);
    const whole = await ask('every=10m&from=2026-11-15T12:00:00Z&to=2026-11-15T12:40:00.001Z&by=priority');
    assert.deepEqual(
      whole.items.map(({ number }) => number),
      [1, 0, 1, 0, 1],
    );
    assert.deepEqual(whole.items[0]?.byPriority, [0, 0, 1, 0]);
    for (const [every, spans] of [
      ['10m', 145],
      ['1h', 169],
      ['1d', 32],
    ] as const) {
      const { items, to } = await ask(`every=${every}`);
      assert.deepEqual([items.length, items.reduce((sum, { number }) => sum + Number(number), 0)], [spans, 3], every);
      assert.equal(to, '2026-11-15T14:00:00.001+01:00');
    }
    assert.deepEqual((await ask('')).items, (await ask('every=1h')).items);
    const tooLong = await site.request('GET', '/alarms/series?every=10m&from=2026-01-01&to=2026-12-31');
    assert.deepEqual(refusal(tooLong), [422, 'every']);
    assert.match(tooLong.text, /52416 spans, at most 1500/);
    assert.deepEqual(refusal(await site.request('GET', '/alarms/series?every=2h')), [400, 'every']);
    assert.deepEqual(refusal(await site.request('GET', '/alarms/series?from=2026-12-01&to=2026-11-01')), [400, 'from']);
  },
);

testOnStores('a caller bound to stations counts what they raised', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  for (const stationId of [1, north, north]) await site.alarms.send({ stationId, alarmMessage: 'stopped' });
  const bound = site.as(await site.keyFor(['history:read'], [north]));
  const total = async (query: string) => {
    const { items } = await bound.ask<{ items: readonly Row[] }>('GET', `/alarms/series?${query}`);
    return items.reduce((sum, { number }) => sum + Number(number), 0);
  };
  assert.deepEqual(
    [await total(''), await total('stationId=1'), await total(`stationId=1,${north}&by=priority`)],
    [2, 0, 2],
  );
});
