// `GET /api/v1/auth/me` tells users and API keys who they are and what they may do.

import assert from 'node:assert/strict';
import { roles } from '../../../src/domain/access/access.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const password = 'a lantern in the rain';
const settings = { TOCSIN_TOKEN_SECONDS: '3600', TOCSIN_TIME_ZONE: 'Europe/Paris' };

testOnAnyStore('a user learns its id, role, scopes, stations, language, zone and expiry', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: settings });
  const north = await site.create('/stations', { name: 'North' });
  const entry = { password, role: 'supervisor', language: 'fr', timeZone: 'Asia/Tokyo', stationIds: [north] };
  const id = await site.create('/users', { name: 'ana', ...entry });
  const ana = site.as(await site.app.signIn('ana', password));
  const own = await ana.ask('GET', '/auth/me');
  assert.deepEqual(own, {
    userId: id,
    name: 'ana',
    role: 'supervisor',
    scopes: roles.supervisor,
    stationIds: [north],
    language: 'fr',
    timeZone: 'Asia/Tokyo',
    expiryTime: '2026-11-15T14:00:00.000+01:00',
  });
  await ana.ask('PUT', '/me', { language: 'de' });
  assert.deepEqual(await ana.ask('GET', '/auth/me'), { ...own, language: 'de' });
});

testOnAnyStore(
  'somebody without a language has that of the call policy, an API key neither id nor role',
  async (t, kind) => {
    const site = await startSite(t, kind, { overrides: settings });
    const policy = await site.ask('GET', '/callpolicy');
    await site.ask('PUT', '/callpolicy', { ...policy, defaultLanguage: 'de' });
    const { language, scopes } = await site.ask('GET', '/auth/me');
    assert.deepEqual([language, scopes], ['de', roles.administrator]);
    const body = { name: 'gateway', scopes: ['alarms:write'], expiryTime: '2026-12-24T18:00:00Z', stationIds: [1] };
    const { token } = await site.ask<{ token: string }>('POST', '/auth/keys', body);
    assert.deepEqual(await site.as(token).ask('GET', '/auth/me'), {
      name: 'gateway',
      scopes: ['alarms:write'],
      stationIds: [1],
      language: 'de',
      timeZone: 'Europe/Paris',
      expiryTime: '2026-12-24T19:00:00.000+01:00',
    });
  },
);
