// Sources: what came last from each key and data server, how often usually, and an alarm about those that fall silent.

import assert from 'node:assert/strict';
import { migratedStore, startOn } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { keepClock } from '../../harness/site/kept-clock.ts';
import { Site, startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const hour = 3_600_000;

type SourceRow = Row & { readonly kind: string; readonly id: number };

async function sourcesOf(site: Site, token = site.token): Promise<readonly SourceRow[]> {
  const { body } = await site.app.request('GET', '/api/v1/sources', { token });
  return (body as { items: readonly SourceRow[] }).items;
}

/** Makes a key and sends by it every hour for more than a day; returns how to send once more. */
async function steadySource(site: Site, name: string, stationIds: readonly number[] = []) {
  const body = {
    name,
    scopes: ['alarms:write'],
    stationIds,
    expiryTime: new Date(site.app.clock.now() + 999 * hour).toISOString(),
  };
  const { id, token } = await site.ask<{ id: number; token: string }>('POST', '/auth/keys', body);
  const send = () =>
    site.app.request('POST', '/api/v1/alarms', { token, body: { path: name, value: '1', raised: false } });
  for (let n = 0; n < 30; n++) {
    assert.equal((await send()).status, 200);
    site.app.clock.advance(hour);
  }
  await send();
  return { id, token, send };
}

/** Waits until the watch has written something that fulfils the condition. */
const untilSources = (site: Site, isSo: (sources: readonly SourceRow[]) => boolean) =>
  until(() => {
    void site.app.poll();
    return sourcesOf(site);
  }, isSo);

const silenceAlarms = async (site: Site) =>
  (await site.alarms.list('?search=source-silent')).items.map(({ path, state }) => [path, state]);

testOnAnyStore(
  'a steady source that falls silent raises an alarm, which ends when it is heard again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { id, send } = await steadySource(site, 'PLC');
    const isKey = (source: SourceRow) => source.kind === 'key' && source.id === id;
    const known = await untilSources(site, (sources) => sources.find(isKey)?.usualSeconds !== undefined);
    const { name, lastTime, usualSeconds, silentAfterSeconds, silent } = (known.find(isKey) ?? {}) as Row;
    assert.deepEqual([name, usualSeconds, silent], ['PLC', 3_600, false]);
    assert.equal(Date.parse(String(lastTime)), site.app.clock.now());
    assert.ok(Number(silentAfterSeconds) > 3_600 && Number(silentAfterSeconds) < 3 * 3_600, String(silentAfterSeconds));
    const server = known.find((source) => source.kind === 'dataServer' && source.name === 'API');
    assert.equal(server?.usualSeconds, 3_600, 'its data server has the same rhythm');
    assert.deepEqual(await silenceAlarms(site), []);
    site.app.clock.advance(3 * hour);
    const silentOnes = await untilSources(site, (sources) => sources.filter((source) => source.silent).length === 2);
    assert.deepEqual(
      silentOnes
        .filter((source) => source.silent)
        .map((source) => source.kind)
        .toSorted(),
      ['dataServer', 'key'],
    );
    assert.deepEqual(
      await silenceAlarms(site),
      [[`system/source-silent/key:${id}`, 3]],
      'one alarm for the key and what it feeds',
    );
    const [alarm] = (await site.alarms.list('?search=source-silent')).items;
    assert.match(
      String(alarm?.message),
      /^Nothing has come from API key \d+, "PLC", for 3 h; usually something comes every 60 min\./,
    );
    await send();
    await untilSources(site, (sources) => sources.every((source) => !source.silent));
    assert.deepEqual(await silenceAlarms(site), [[`system/source-silent/key:${id}`, 2]]);
  },
);

testOnStores('a server that stays dead after a common outage is told when its key returns', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id, token, send } = await steadySource(site, 'PLC');
  const dataServerId = await site.create('/dataservers', { name: 'Second' });
  const body = { path: 'Q', value: '1', raised: false, dataServerId };
  const sendByOther = () => site.app.request('POST', '/api/v1/alarms', { token, body });
  for (let n = 0; n < 30; n++) {
    assert.equal((await sendByOther()).status, 200);
    await send();
    site.app.clock.advance(hour);
  }
  await site.app.poll();
  site.app.clock.advance(3 * hour);
  await untilSources(site, (sources) => sources.filter(({ silent }) => silent).length === 3);
  assert.deepEqual(await silenceAlarms(site), [[`system/source-silent/key:${id}`, 3]]);
  // The key returns by its first server alone.
  await send();
  await untilSources(site, (sources) => sources.every(({ silent }) => !silent));
  for (let n = 0; n < 4; n++) {
    site.app.clock.advance(hour);
    await send();
    await site.app.poll();
  }
  const [second] = (await untilSources(site, (sources) => sources.some(({ silent }) => silent))).filter(
    ({ silent }) => silent,
  );
  assert.deepEqual([second?.kind, second?.name], ['dataServer', 'Second']);
  const told = await silenceAlarms(site);
  assert.ok(
    told.some(([path, state]) => path === `system/source-silent/server:${second?.id}` && state === 3),
    String(told),
  );
  await site.expectWhatRings();
});

testOnStores('a revoked key is no source any more, and its alarm ends', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id } = await steadySource(site, 'PLC');
  await site.app.poll();
  site.app.clock.advance(3 * hour);
  await untilSources(site, (sources) => sources.some((source) => source.silent));
  await site.ask('DELETE', `/auth/keys/${id}`);
  site.app.clock.advance(60_000);
  await until(
    async () => {
      await site.app.poll();
      return silenceAlarms(site);
    },
    ([first]) => first?.[1] === 2,
  );
  assert.ok(!(await sourcesOf(site)).some((source) => source.kind === 'key' && source.id === id));
});

testOnAnyStore('a clock that is set ahead makes no source silent, and no gap in what came', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id, send } = await steadySource(site, 'PLC');
  const key = (sources: readonly SourceRow[]) => sources.find((source) => source.kind === 'key' && source.id === id);
  await untilSources(site, (sources) => key(sources)?.usualSeconds !== undefined);
  await using keeper = await keepClock(site);
  await send();
  await keeper.setClock(50 * hour);
  await until(keeper.movedBy, (ms) => ms > 49 * hour);
  await send();
  await site.app.poll();
  const known = key(await sourcesOf(site));
  assert.deepEqual([known?.usualSeconds, known?.silent], [3_600, false]);
  assert.equal(Date.parse(String(known?.lastTime)), site.app.clock.now());
  site.app.clock.advance(3 * hour);
  await untilSources(site, (sources) => key(sources)?.silent === true);
  await site.expectWhatRings();
});

testOnAnyStore('while the server was away nobody was silent; what was learned is kept', async (t, kind) => {
  const environment = await migratedStore(t, kind);
  const clock = fakeClock();
  const first = await startOn(t, environment, clock);
  const before = new Site(t, first, await first.signIn());
  const { id } = await steadySource(before, 'PLC');
  const heardAt = clock.now();
  await first.stop();
  clock.advance(50 * hour);
  const second = await startOn(t, environment, clock);
  const after = new Site(t, second, await second.signIn());
  const key = (sources: readonly SourceRow[]) => sources.find((source) => source.kind === 'key' && source.id === id);
  const kept = key(await sourcesOf(after));
  assert.deepEqual([Date.parse(String(kept?.lastTime)), kept?.usualSeconds, kept?.silent], [heardAt, 3_600, false]);
  await second.poll();
  clock.advance(hour);
  await second.poll();
  assert.equal(key(await sourcesOf(after))?.silent, false);
  clock.advance(2 * hour);
  await untilSources(after, (sources) => key(sources)?.silent === true);
});

testOnAnyStore('a caller bound to stations sees the sources of its stations', async (t, kind) => {
  const site = await startSite(t, kind);
  const [north, south] = [
    await site.create('/stations', { name: 'North' }),
    await site.create('/stations', { name: 'South' }),
  ];
  await site.keyFor(['alarms:write'], [south]);
  await site.keyFor(['alarms:write']);
  const own = await site.keyFor(['alarms:write', 'directory:read'], [north]);
  const seen = await sourcesOf(site, own);
  assert.ok(seen.some((source) => source.kind === 'key'));
  for (const source of seen) assert.deepEqual(source.stationIds, [north]);
  const total = (await sourcesOf(site)).length;
  assert.ok(total > seen.length + 2);
});
