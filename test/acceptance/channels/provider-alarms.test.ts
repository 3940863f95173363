// Alarms about providers follow the truth: raised while something is wrong, and back to normal, out of the call, when it is not.

import assert from 'node:assert/strict';
import { PostOffice, trunk } from '../../harness/mail/post-office.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const provider = (fault: string, more: object = {}) => ({
  name: 'Texts',
  channel: 'sms',
  kind: 'simulator',
  settings: { fault },
  ...more,
});

const test = (site: Site, id: number) => site.ask<{ ok: boolean }>('POST', `/providers/${id}/test`);

/** The state of the alarm with this path; undefined if there is none. */
const stateOf = async (site: Site, path: string) =>
  (await site.alarms.fromTocsin()).find((alarm) => alarm.path === path)?.state;

/** The open calls, as text with their causes. */
const openCalls = async (site: Site) => JSON.stringify((await site.list('/calls?limit=100')).items);

/** The lines of the log about a provider: level, message and reason. */
const logged = (site: Site, name: string) =>
  site.app.logLines
    .map((line) => line as { level: number; msg: string; provider?: string; reason?: string })
    .filter(({ provider: of }) => of === name)
    .map(({ level, msg, reason }) => [level, msg, reason]);

/** Makes a provider that works, and breaks it. */
async function brokenProvider(site: Site): Promise<number> {
  const id = await site.create('/providers', provider('none'));
  assert.equal((await test(site, id)).ok, true);
  await site.ask('PUT', `/providers/${id}`, provider('dead'));
  assert.equal((await test(site, id)).ok, false);
  await until(
    () => openCalls(site),
    (calls) => calls.includes('Texts is down'),
  );
  assert.equal(await stateOf(site, `system/provider/${id}`), 3);
  return id;
}

testOnAnyStore(
  'the alarm about a provider ends, and leaves the call, when the provider works again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await brokenProvider(site);
    await site.ask('PUT', `/providers/${id}`, provider('none'));
    assert.equal((await test(site, id)).ok, true);
    assert.equal(await stateOf(site, `system/provider/${id}`), 2);
    assert.doesNotMatch(await openCalls(site), /Texts is down/);
    await site.expectWhatRings();
  },
);

testOnStores('the alarm about a provider ends when the provider is removed or switched off', async (t, kind) => {
  const site = await startSite(t, kind);
  const removed = await brokenProvider(site);
  await site.ask('DELETE', `/providers/${removed}`);
  assert.equal(await stateOf(site, `system/provider/${removed}`), 2);
  assert.doesNotMatch(await openCalls(site), /Texts is down/);
  const off = await brokenProvider(site);
  await site.ask('PUT', `/providers/${off}`, provider('dead', { enabled: false }));
  assert.equal(await stateOf(site, `system/provider/${off}`), 2);
  const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${off}`);
  assert.equal(health.state, 'unknown');
  await site.expectWhatRings();
});

testOnAnyStore('the alarm that a provider refuses calls ends with the next test that succeeds', async (t, kind) => {
  const reason = 'the PBX answered 403';
  const refusing = { kind: 'failed', retry: 'later', outcome: 'undeliverable', fault: 'refused', reason } as const;
  const site = await startSite(t, kind, { openers: { sip: () => new PostOffice(refusing) } });
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const id = await site.create('/providers', trunk);
  const path = `system/provider/${id}/refused`;
  await site.alarms.raise(group, { priority: 3 });
  await until(
    () => stateOf(site, path),
    (state) => state === 3,
  );
  assert.deepEqual(logged(site, 'PBX'), [[40, 'a provider refuses messages', reason]]);
  await test(site, id);
  assert.equal(await stateOf(site, path), 2);
  await site.expectWhatRings();
});

testOnAnyStore('an address stands in no sentence about a provider or a channel', async (t, kind) => {
  const failing = (fault: 'refused' | 'down') =>
    ({ kind: 'failed', retry: 'later', outcome: 'providerDown', fault, reason: '403 for +33100000001' }) as const;
  let fault: 'refused' | 'down' = 'refused';
  const site = await startSite(t, kind, { openers: { sip: () => new PostOffice(failing(fault)) } });
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const refusing = await site.create('/providers', trunk);
  await site.alarms.raise(group, { priority: 3 });
  await until(
    () => stateOf(site, `system/provider/${refusing}/refused`),
    (state) => state === 3,
  );
  await site.ask('DELETE', `/providers/${refusing}`);
  fault = 'down';
  const down = await site.create('/providers', { ...trunk, name: 'PBX 2' });
  await site.alarms.raise(group, { priority: 1, path: 'Plant/Pump2' });
  await until(
    () => stateOf(site, 'system/channel/voice'),
    (state) => state !== undefined,
  );
  // The only address that was tried has failed twice, half a minute apart.
  await until(
    async () => {
      site.app.clock.advance(5_000);
      return stateOf(site, `system/provider/${down}`);
    },
    (state) => state === 3,
  );
  const said = [
    ...(await site.alarms.fromTocsin()).filter(({ path }) => /provider|channel/.test(String(path))),
    await site.ask('GET', `/providers/${down}`),
    ...logged(site, 'PBX'),
  ].map((one) => JSON.stringify(one));
  assert.ok(said.filter((text) => text.includes('403 for •••001')).length >= 4, said.join('\n'));
  assert.doesNotMatch(said.join(), /33100000001/);
  await site.expectWhatRings();
});

testOnAnyStore('a provider that has never worked is an alarm in the list, and rings nobody', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/providers', provider('dead'));
  assert.equal((await test(site, id)).ok, false);
  assert.equal(await stateOf(site, `system/provider/${id}`), 3);
  await site.settle();
  assert.doesNotMatch(await openCalls(site), /Texts is down/);
});

testOnAnyStore('a provider that is switched off can be tested, and nothing is noted of it', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/providers', provider('dead', { enabled: false }));
  assert.deepEqual((await test(site, id)).ok, false);
  assert.equal(await stateOf(site, `system/provider/${id}`), undefined);
  await site.ask('PUT', `/providers/${id}`, provider('none', { enabled: false }));
  assert.deepEqual(await test(site, id), { ok: true, reason: '' });
  const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${id}`);
  assert.equal(health.state, 'unknown');
});

testOnAnyStore('the log has one line when a provider goes down, and one when it works again', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await brokenProvider(site);
  await test(site, id);
  await site.ask('PUT', `/providers/${id}`, provider('none'));
  await test(site, id);
  const lines = await until(
    () => logged(site, 'Texts'),
    (found) => found.length === 3,
  );
  assert.deepEqual(
    lines.map(([level, message]) => [level, message]),
    [
      [30, 'a provider can be used'],
      [40, 'a provider is down'],
      [30, 'a provider can be used'],
    ],
  );
  await site.expectWhatRings();
});

testOnStores(
  'a delivery that was cancelled says nothing of its provider: one that is down stays so',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [{ channel: 'sms', address: '+33100000001' }] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const id = await brokenProvider(site);
    await site.ask('PUT', `/providers/${id}`, provider('silent'));
    site.app.clock.advance(30_000);
    const alarm = await site.alarms.raise(group, { priority: 1 });
    const rows = async () => (await site.list(`/call/histories?limit=10&alarmId=${alarm}`)).items;
    await until(rows, (found) => found.some(({ status }) => status === 1));
    await site.ask('POST', `/alarms/${alarm}/acknowledge`);
    await until(rows, (found) => found.every(({ endTime }) => endTime !== undefined && endTime !== null));
    const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${id}`);
    assert.equal(health.state, 'down');
    assert.equal(await stateOf(site, `system/provider/${id}`), 3);
    await site.expectWhatRings();
  },
);
