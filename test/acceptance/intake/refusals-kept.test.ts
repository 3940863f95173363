// Refused intake bodies of callers that are known are kept, listed, and lead to one system alarm per caller.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { IntakeRefusals } from '../../../src/dispatch/intake-refusals.ts';
import { purgeExpired } from '../../../src/operations/system/purge.ts';
import { readBackupFile } from '../../harness/server/backup-file.ts';
import { runHere } from '../../harness/server/run-command.ts';
import { noteRefused, recorderOn, refuse } from '../../harness/site/refused-intakes.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

async function kept(site: Site, query = ''): Promise<readonly Row[]> {
  return (await site.list(`/intake/refusals${query}`)).items;
}

async function keyOf(site: Site, token: string): Promise<number> {
  const { items } = await site.list('/auth/keys');
  assert.ok(items.length > 0 && token !== '');
  return Number(items.at(-1)?.id);
}

testOnAnyStore('refused intake bodies are listed with time, caller, address, reason and body', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const id = await keyOf(site, token);
  await refuse(site, { token, body: '{"path":"pump"', code: 'malformed-json' });
  await refuse(site, { token, body: Buffer.from([0xff, 0x00]), route: 'POST /api/v1/call/users' });
  const [first, second] = await kept(site);
  assert.deepEqual(first, {
    id: first?.id,
    time: '2026-11-15T13:00:00.000+01:00',
    caller: `key:${id}`,
    callerName: first?.callerName,
    address: '192.0.2.7',
    route: 'POST /api/v1/alarms',
    code: 'malformed-json',
    reason: 'The store is away.',
    body: '{"path":"pump"',
    bodyEncoding: 'text',
    bodyLength: 14,
  });
  assert.deepEqual([second?.body, second?.bodyEncoding, second?.route], ['/wA=', 'base64', 'POST /api/v1/call/users']);
  assert.deepEqual(
    (await kept(site, '?sort=-id&limit=1')).map((row) => row.id),
    [second?.id],
  );
  const source = site.as(token);
  assert.equal((await source.request('GET', '/intake/refusals')).status, 403);
});

testOnAnyStore('a refusal that cannot be written is named by an alarm and stops no other', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const id = await keyOf(site, token);
  const notKept: unknown[] = [];
  const recorder = new IntakeRefusals(site.app.store, site.app.clock, {
    onTrouble: (error) => assert.fail(String(error)),
    onNotKept: (about) => notKept.push(about),
  });
  await noteRefused(site, recorder, { token, body: { path: 'first' } });
  // No row can hold this; it stands for whatever a later change lets through.
  await noteRefused(site, recorder, { token, body: { path: 'bad' }, address: undefined as unknown as string });
  await noteRefused(site, recorder, { token, body: { path: 'last' } });
  await recorder.stop();
  assert.deepEqual(
    (await kept(site)).map(({ body }) => body),
    ['{"path":"first"}', '{"path":"last"}'],
  );
  assert.deepEqual(notKept, [{ caller: `key:${id}`, route: 'POST /api/v1/alarms', code: 'unavailable' }]);
  const named = (await site.alarms.fromTocsin()).find(({ path }) => path === 'system/refusal-not-kept');
  assert.match(String(named?.message), new RegExp(`of key:${id} to POST /api/v1/alarms`));
});

testOnAnyStore('an expired or revoked key counts as known; an unknown token is not kept', async (t, kind) => {
  const site = await startSite(t, kind);
  const [revoked, expired] = [await site.keyFor(['alarms:write']), await site.keyFor(['alarms:write'])];
  const expiredId = await keyOf(site, expired);
  await site.ask('DELETE', `/auth/keys/${expiredId - 1}`);
  await refuse(site, { token: revoked, body: {}, code: 'not-signed-in' });
  await refuse(site, { token: 'tock_nobody', body: {}, code: 'not-signed-in' });
  site.app.clock.advance(31 * 86_400_000);
  await site.signInAgain();
  await refuse(site, { token: expired, body: {}, code: 'not-signed-in' });
  assert.deepEqual(
    (await kept(site)).map(({ caller }) => caller),
    [`key:${expiredId - 1}`, `key:${expiredId}`],
  );
});

testOnAnyStore('100 per caller and 64 KiB each are kept, for 30 days', async (t, kind) => {
  const site = await startSite(t, kind);
  const [one, other] = [await site.keyFor(['alarms:write']), await site.keyFor(['alarms:write'])];
  await refuse(site, { token: other, body: 'x'.repeat(70_000) });
  for (const part of [0, 1]) {
    const recorder = recorderOn(t, site);
    for (let n = 0; n < 60; n++) await noteRefused(site, recorder, { token: one, body: `${part * 60 + n}` });
    await recorder.stop();
    site.app.clock.advance(60_000);
  }
  const [long, ...numbered] = await kept(site, '?limit=1000');
  assert.deepEqual([String(long?.body).length, long?.bodyLength], [65_536, 70_000]);
  assert.deepEqual(
    numbered.map(({ body }) => body),
    Array.from({ length: 100 }, (_, n) => `${n + 20}`),
  );
  assert.equal((await site.request('POST', `/intake/refusals/${long?.id}/retry`, { confirm: true })).status, 422);
  const purge = () => site.app.store.write(purgeExpired, { asOf: site.app.clock.now(), eventsBefore: 0 });
  site.app.clock.advance(30 * 86_400_000 - 120_000);
  await purge();
  await site.signInAgain();
  assert.equal((await site.list('/intake/refusals')).paging.total, 101);
  site.app.clock.advance(121_000);
  await purge();
  assert.equal((await site.list('/intake/refusals')).paging.total, 0);
});

testOnAnyStore('a flood of one caller is kept in part, and leaves room for others', async (t, kind) => {
  const site = await startSite(t, kind);
  const [flood, other] = [await site.keyFor(['alarms:write']), await site.keyFor(['alarms:write'])];
  const recorder = recorderOn(t, site);
  for (let n = 0; n < 300; n++) await noteRefused(site, recorder, { token: flood, body: `${n}` });
  await noteRefused(site, recorder, { token: other, body: 'me too' });
  await recorder.stop();
  const bodies = (await kept(site, '?limit=1000')).map(({ body }) => body);
  assert.deepEqual([bodies.length, bodies.filter((body) => body === 'me too').length], [101, 1]);
});

testOnAnyStore('of the refusals of a minute the newest are kept, not the first', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const recorder = recorderOn(t, site);
  const bodies = async () => (await kept(site, '?limit=1000')).map(({ body }) => body);
  for (let n = 0; n < 330; n++) await noteRefused(site, recorder, { token, body: `${n}` });
  await recorder.poll();
  assert.deepEqual(
    await bodies(),
    Array.from({ length: 100 }, (_, n) => `${n}`),
    'the others wait for the next minute',
  );
  site.app.clock.advance(60_000);
  await recorder.poll();
  assert.deepEqual(
    await bodies(),
    Array.from({ length: 100 }, (_, n) => `${n + 230}`),
  );
});

testOnAnyStore('what is left of a minute with many refusals is kept when the server stops', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const recorder = recorderOn(t, site);
  for (let n = 0; n < 101; n++) await noteRefused(site, recorder, { token, body: `${n}` });
  await recorder.stop();
  assert.equal((await kept(site, '?sort=-id&limit=1'))[0]?.body, '100');
});

testOnAnyStore(
  'a caller whose alarms are being refused raises one system alarm that ends when an alarm of that caller is taken again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const token = await site.keyFor(['alarms:write']);
    const actor = `key:${await keyOf(site, token)}`;
    const recorder = recorderOn(t, site);
    const own = async () => (await site.alarms.fromTocsin()).map(({ path, state }) => [path, state]);
    const isState = (state: number) => (rows: unknown[][]) => rows.length === 1 && rows[0]?.[1] === state;
    await noteRefused(site, recorder, { token, body: '{' });
    await noteRefused(site, recorder, { token, body: '{' });
    assert.deepEqual(await until(own, isState(3)), [[`system/intake-refused/${actor}`, 3]]);
    const [alarm] = await site.alarms.fromTocsin();
    assert.match(String(alarm?.message), /are being refused at POST \/api\/v1\/alarms: The store is away\./);
    await recorder.stop();
    // A server that has started since knows from the store which callers are being refused.
    const next = recorderOn(t, site);
    const principal = { kind: 'key', id: Number(actor.slice(4)), name: '', sessionId: undefined } as const;
    const taken = { ...principal, scopes: [], stationIds: [] };
    await until(async () => {
      next.noteTaken(taken);
      return own();
    }, isState(2));
    await noteRefused(site, next, { token, body: '{' });
    await until(own, isState(3));
    next.noteTaken(taken);
    await until(own, isState(2));
    await next.stop();
    await site.alarms.acknowledge(Number(alarm?.id));
    assert.deepEqual(await own(), [], 'acknowledged, it is gone');
    assert.deepEqual((await site.list('/call/histories')).items, [], 'it calls nobody');
  },
);

testOnStores('a refusal that is followed by an alarm at once, or of a call, raises no alarm', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write', 'calls:send']);
  const id = await keyOf(site, token);
  const recorder = recorderOn(t, site);
  await noteRefused(site, recorder, { token, body: '{' });
  recorder.noteTaken({ kind: 'key', id, name: '', sessionId: undefined, scopes: [], stationIds: [] });
  await noteRefused(site, recorder, { token, body: '{', route: 'POST /api/v1/call/users' });
  await noteRefused(site, recorder, { token, body: '[]', route: 'POST /api/v1/tags/values', isPartial: true });
  await recorder.stop();
  assert.equal((await kept(site)).length, 3);
  assert.deepEqual(await site.alarms.fromTocsin(), []);
});

testOnStores(
  'a revoked key that goes on sending is one alarm however often it is acknowledged, over an hour after the last request',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const token = await site.keyFor(['alarms:write']);
    await refuse(site, { token, body: '{' });
    await site.ask('DELETE', `/auth/keys/${await keyOf(site, token)}`);
    const send = () => refuse(site, { token, body: '{', code: 'not-signed-in' });
    const own = async () => (await site.alarms.fromTocsin()).map(({ id, state }) => [id, state]);
    await send();
    const [[id] = []] = await own();
    await site.alarms.acknowledge(Number(id));
    for (let times = 0; times < 3; times++) {
      site.app.clock.advance(59 * 60_000);
      await site.app.poll();
      await send();
      assert.deepEqual(await own(), [[id, 1]], 'still the one that was acknowledged');
    }
    const { items } = await site.list('/alarms/histories?view=full');
    assert.equal(items.filter(({ tagId }) => tagId === id).length, 1, 'one occurrence');
    site.app.clock.advance(61 * 60_000);
    await site.app.poll();
    assert.deepEqual(await own(), [], 'over, and acknowledged before');
    await send();
    assert.deepEqual(
      (await own()).map(([, state]) => state),
      [3],
      'another one',
    );
  },
);

testOnAnyStore('the alarm about a key that was revoked and is silent since ends too', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  await refuse(site, { token, body: '{' });
  site.app.clock.advance(61 * 60_000);
  await site.app.poll();
  const states = async () => (await site.alarms.fromTocsin()).map(({ state }) => state);
  assert.deepEqual(await states(), [3], 'a key that may send again is awaited');
  await site.ask('DELETE', `/auth/keys/${await keyOf(site, token)}`);
  site.app.clock.advance(61_000);
  await site.app.poll();
  assert.deepEqual(await states(), [2]);
});

testOnAnyStore('the alarm belongs to the station of its caller', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  await refuse(site, { token: await site.keyFor(['alarms:write'], [north]), body: '{' });
  const [alarm] = (await site.list(`/alarms?view=full&stationId=${north}`)).items;
  assert.deepEqual([alarm?.system, alarm?.state], [true, 3]);
});

testOnAnyStore('refused bodies are not in backups', async (t, kind) => {
  const site = await startSite(t, kind);
  await refuse(site, { token: await site.keyFor(['alarms:write']), body: 'xqzb' });
  assert.equal((await kept(site)).length, 1);
  const { environment } = site.app;
  await site.app.stop();
  const file = join(environment.TOCSIN_DATA_DIR ?? '', 'refusals.backup');
  await runHere(t, environment, 'backup', file);
  const { tables } = readBackupFile(file);
  assert.deepEqual([tables.users?.length, tables.intake_refusals], [1, undefined]);
});
