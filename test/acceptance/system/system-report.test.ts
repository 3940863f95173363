// The report on the installation: what an administrator must know of nodes, database, channels and settings, without secrets.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { makeCertificate } from '../../harness/server/certificate.ts';
import { withoutProgram } from '../../harness/server/tools.ts';
import { freshStore, startOn } from '../../harness/site/app.ts';
import { heartbeatMonitor } from '../../harness/site/heartbeat-monitor.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

type ProviderRow = {
  readonly id: number;
  readonly state: string;
  readonly halfHours: readonly string[];
  readonly selfTest?: { readonly ok: boolean; readonly time: string };
  readonly lastHour: Readonly<Record<string, number>>;
};
type Report = {
  readonly version: string;
  readonly uptimeSeconds: number;
  readonly nodes: readonly { readonly self: boolean }[];
  readonly calling: { readonly ok: boolean; readonly simulated: boolean };
  readonly database: { readonly kind: string; readonly bytes: number; readonly latencyMs: number };
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number };
  readonly channels: readonly {
    readonly channel: string;
    readonly providers: readonly ProviderRow[];
    readonly lastHour: Readonly<Record<string, number>>;
  }[];
  readonly heartbeat: { readonly configured: boolean; readonly ok?: boolean; readonly lastTime?: string };
  readonly certificate?: { readonly subject: string };
  readonly settings: readonly { readonly name: string; readonly value?: string; readonly secret: boolean }[];
};

const reportOf = (site: Site) => site.ask<Report>('GET', '/system');

testOnStores('the report has version, nodes, database, disk and settings, and no secret', async (t, kind) => {
  const monitor = await heartbeatMonitor(t);
  const site = await startSite(t, kind, { overrides: { TOCSIN_HEARTBEAT_URL: monitor.url, TOCSIN_MASK_HOURS: '12' } });
  assert.deepEqual(
    (await reportOf(site)).nodes.map(({ self }) => self),
    [true],
  );
  site.app.clock.advance(90_000);
  await site.app.poll();
  const report = await until(
    () => reportOf(site),
    ({ heartbeat }) => heartbeat.ok !== undefined,
  );
  assert.match(report.version, /^\d+\.\d+\.\d+/);
  assert.equal(report.uptimeSeconds, 90);
  assert.deepEqual([report.calling.ok, report.calling.simulated], [true, true]);
  const { kind: database, bytes, latencyMs } = report.database;
  assert.deepEqual([database, bytes > 100_000, latencyMs >= 0], [kind, true, true]);
  assert.ok(report.disk.freeBytes > 0 && report.disk.freeBytes <= report.disk.totalBytes);
  assert.deepEqual([report.heartbeat.configured, report.heartbeat.ok], [true, true]);
  assert.equal(report.certificate, undefined, 'this server has none');
  const setting = (name: string) => report.settings.find((one) => one.name === name);
  assert.deepEqual(setting('TOCSIN_MASK_HOURS'), { name: 'TOCSIN_MASK_HOURS', value: '12', secret: false });
  assert.deepEqual(setting('TOCSIN_HEARTBEAT_URL'), { name: 'TOCSIN_HEARTBEAT_URL', value: '***', secret: true });
  const text = JSON.stringify(report);
  for (const secret of [monitor.url, 'postgres://']) assert.ok(!text.includes(secret), secret);
  const supervisor = await site.keyFor(['directory:read', 'directory:write', 'audit:read', 'calls:control']);
  assert.equal((await site.app.request('GET', '/api/v1/system', { token: supervisor })).status, 403);
});

testOnStores('a heartbeat under way is not yet said to be unanswered', async (t, kind) => {
  const kept: ServerResponse[] = [];
  const monitor = await heartbeatMonitor(t, (response) => kept.push(response));
  const site = await startSite(t, kind, { overrides: { TOCSIN_HEARTBEAT_URL: monitor.url } });
  site.app.clock.advance(90_000);
  void site.app.poll();
  await until(monitor.beats, (beats) => beats > 0);
  assert.equal((await reportOf(site)).heartbeat.ok, undefined);
  for (const response of kept) response.end();
  await until(
    () => reportOf(site),
    ({ heartbeat }) => heartbeat.ok === true,
  );
});

testOnStores(
  'channels show their providers, the attempts of the last hour and the health of a day',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const body = (fault: string) => ({
      name: 'Trunk',
      order: 1,
      channel: 'voice',
      kind: 'simulator',
      settings: { fault },
    });
    const id = await site.create('/providers', body('none'));
    const trunk = async (): Promise<ProviderRow> => {
      const { channels } = await reportOf(site);
      const found = channels.find(({ channel }) => channel === 'voice')?.providers.find((one) => one.id === id);
      assert.ok(found);
      return found;
    };
    const check = () => site.ask('POST', `/providers/${id}/test`);
    assert.deepEqual([...new Set((await trunk()).halfHours)], ['unknown']);
    await check();
    site.app.clock.advance(10 * 3_600_000);
    await site.ask('PUT', `/providers/${id}`, body('dead'));
    await check();
    const down = await trunk();
    assert.deepEqual([down.state, down.selfTest?.ok, down.halfHours.at(-1)], ['down', false, 'down']);
    site.app.clock.advance(3_600_000);
    await site.ask('PUT', `/providers/${id}`, body('none'));
    await check();
    site.app.clock.advance(3_600_000);
    const { state, selfTest, halfHours } = await trunk();
    assert.deepEqual([state, selfTest?.ok, halfHours.length], ['up', true, 48]);
    const counted = (wanted: string) => halfHours.filter((one) => one === wanted).length;
    assert.deepEqual([counted('unknown'), counted('up'), counted('down')], [24, 21, 3]);
    const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
    await site.ask('POST', '/call/users', { userIds: [ana.id], msgText: 'Hello' });
    await ana.isCalled();
    await ana.answers('1', '2');
    const { channels } = await reportOf(site);
    assert.deepEqual(channels.find(({ channel }) => channel === 'voice')?.lastHour, { answered: 1 });
    assert.deepEqual((await trunk()).lastHour, { answered: 1 });
    await site.expectWhatRings();
  },
);

test('the report names the certificate that is served', { skip: withoutProgram('openssl') }, async (t) => {
  const environment = await freshStore(t, 'sqlite');
  const plain = await startOn(t, environment);
  const token = await plain.signIn();
  await plain.stop();
  const { cert, key } = makeCertificate(t, 'ec');
  const files = { TOCSIN_TLS_CERT: cert, TOCSIN_TLS_KEY: key };
  const settings = Object.entries(files).map(([name, pem]) => {
    const file = join(environment.TOCSIN_DATA_DIR ?? '', name);
    writeFileSync(file, pem);
    return [name, file] as const;
  });
  const secure = await startOn(t, { ...environment, ...Object.fromEntries(settings) });
  const headers = { authorization: `Bearer ${token}` };
  const report = await new Promise<Report>((resolve, reject) => {
    const request = get(`${secure.url}/api/v1/system`, { headers, rejectUnauthorized: false }, (response) => {
      resolve(json(response) as Promise<Report>);
    });
    request.on('error', reject);
  });
  assert.equal(report.certificate?.subject, 'CN=localhost');
});
