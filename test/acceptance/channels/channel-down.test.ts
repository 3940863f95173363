// All providers of a channel are down: nobody is given up, the others are called at once, health says so, and the people are
// called when a provider works again.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const provider = (channel: string, fault: string) => ({
  name: channel,
  channel,
  kind: 'simulator',
  settings: { fault },
});

async function works(site: Site, id: number, channel: string): Promise<void> {
  await site.ask('PUT', `/providers/${id}`, provider(channel, 'none'));
  assert.equal((await site.ask<{ ok: boolean }>('POST', `/providers/${id}/test`)).ok, true);
  await site.app.poll();
}

const rowsOf = async (site: Site, alarm: number) =>
  (await site.list(`/call/histories?limit=100&alarmId=${alarm}`)).items;

testOnStores(
  'an alarm of priority 3 during ten minutes without a channel is called when the channel works',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.create('/providers', provider('voice', 'dead'));
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarm = await site.alarms.raise(group, { priority: 3 });
    await until(
      () => rowsOf(site, alarm),
      (rows) => rows.some(({ user, outcome }) => user === 'ana' && outcome === 'providerDown'),
    );
    await site.advance('10m');
    const waiting = await site.list('/calls?limit=10');
    const call = waiting.items.find(({ causes }) => JSON.stringify(causes).includes(String(alarm)));
    assert.match(JSON.stringify(call), /channelDown/);
    const tries = (await rowsOf(site, alarm)).filter(({ user }) => user === 'ana').length;
    assert.ok(tries >= 5 && tries <= 12, `${tries} attempts in ten minutes`);
    await works(site, id, 'voice');
    await site.settle();
    assert.ok(
      (await ana.messages()).some(({ state }) => state === 'ringing'),
      'called as soon as it works',
    );
    await ana.takes();
    await site.expectWhatRings();
  },
);

testOnAnyStore('a person whose channel is down does not hold up the relief', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/providers', provider('voice', 'dead'));
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  const bo = await site.person('bo', { numbers: [{ channel: 'sms', address: '+33100000002' }] });
  const relief = await site.group('Relief', [await site.team('Day', [bo])]);
  const group = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId: relief });
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const rows = await until(
    () => rowsOf(site, alarm),
    (found) => found.some(({ user }) => user === 'bo'),
  );
  const at = (name: string) => Date.parse(String(rows.find(({ user }) => user === name)?.startTime));
  assert.ok(at('bo') - at('ana') <= 1_000, 'at once');
  await site.expectWhatRings();
});

testOnAnyStore('while all providers are down, health says that nobody can be reached', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = Number((await site.list('/providers?limit=10')).items[0]?.id);
  type Calling = { readonly reasons: readonly { readonly code: string }[] };
  // The alarm about the provider may have been called in vain meanwhile, which is another reason.
  const isReachable = async () => {
    const { reasons } = (await site.app.request('GET', '/health/calling')).body as Calling;
    return !reasons.some(({ code }) => code === 'nobody-reachable');
  };
  assert.equal(await isReachable(), true);
  await site.ask('PUT', `/providers/${id}`, { ...provider('simulator', 'dead'), name: 'Simulated phones' });
  await site.ask('POST', `/providers/${id}/test`);
  assert.equal(await isReachable(), false);
  await works(site, id, 'simulator');
  await until(isReachable, (reachable) => reachable);
  await site.expectWhatRings();
});

testOnStores('a provider that is switched off for a minute gives nobody up', async (t, kind) => {
  const site = await startSite(t, kind);
  const [phones] = (await site.list('/providers?limit=10')).items;
  await site.ask('DELETE', `/providers/${phones?.id}`);
  const id = await site.create('/providers', provider('voice', 'none'));
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.ask('PUT', `/providers/${id}`, { ...provider('voice', 'none'), enabled: false });
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const rows = await until(
    () => rowsOf(site, alarm),
    (found) => found.some(({ user, outcome }) => user === 'ana' && outcome === 'providerDown'),
  );
  await site.ask('PUT', `/providers/${id}`, provider('voice', 'none'));
  await ana.isCalled(/Pump1/);
  await ana.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  assert.match(String(rows[0]?.detail), /^no provider for .* works$/);
  await site.expectWhatRings();
});
