// `GET /api/v1/site`: the facts of the installation, some of them for everybody.

import assert from 'node:assert/strict';
import { version } from '../../../src/version.ts';
import { startSite } from '../../harness/site/site.ts';
import { refusal } from '../../harness/site/site-caller.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

const settings = {
  TOCSIN_SITE_NAME: 'Waterworks',
  TOCSIN_TIME_ZONE: 'Europe/Paris',
  TOCSIN_MASK_HOURS: '12',
  TOCSIN_SIMULATOR: 'false',
};
const shownToAll = {
  name: 'Waterworks',
  timeZone: 'Europe/Paris',
  languages: ['de', 'en', 'fr'],
  simulatedPhones: false,
};

testOnStores('everybody sees name, zone, languages and whether phones are simulated', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: settings });
  const seen = async () => (await site.app.request('GET', '/api/v1/site')).body;
  assert.deepEqual(await seen(), shownToAll);
  const policy = await site.ask('GET', '/callpolicy');
  await site.ask('PUT', '/callpolicy', { ...policy, siteName: 'the old mill' });
  assert.deepEqual(await seen(), { ...shownToAll, name: 'the old mill' });
});

testOnStores('callers also see the time, the limits and the data servers of system alarms', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: settings });
  const north = await site.create('/stations', { name: 'North' });
  const { items } = await site.list('/dataservers');
  const serverOf = (stationId: number) => {
    const found = items.find((server) => server.stationId === stationId && server.name === 'Tocsin');
    return { stationId, dataServerId: found?.id };
  };
  const facts = { now: '2026-11-15T13:00:00.000+01:00', version, maskHours: 12, hubKeepAliveSeconds: 15 };
  const systemDataServers = [serverOf(1), serverOf(north)];
  assert.deepEqual(await site.ask('GET', '/site'), { ...shownToAll, ...facts, systemDataServers });
  const bound = site.as(await site.keyFor(['alarms:write'], [north]));
  const expected = { ...shownToAll, ...facts, systemDataServers: [serverOf(north)] };
  assert.deepEqual(await bound.ask('GET', '/site'), expected);
});

testOnStores('a token that is not valid is refused, not taken for none', async (t, kind) => {
  const site = await startSite(t, kind);
  assert.deepEqual(refusal(await site.as('garbage').request('GET', '/site')), [401, undefined]);
  const headers = { authorization: 'Basic YTpi' };
  assert.equal((await site.app.request('GET', '/api/v1/site', { headers })).status, 401);
});
