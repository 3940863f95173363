// A trunk that takes calls and rings nobody, as a proxy in front of a dead network does: it is the trunk's fault, not the person's.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { until } from '../../../harness/until.ts';

const trunk = (name: string, order: number, port: number) => ({
  name,
  order,
  channel: 'voice',
  kind: 'sip',
  settings: { host: '127.0.0.1', port, user: 'tocsin', progressSeconds: 2 },
});

const onlyTrying = { kind: 'script', responses: () => [{ status: '100 Trying' }] } as const;

async function raise(site: Site): Promise<number> {
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  return site.alarms.raise(group, { priority: 3 });
}

const firstEnd = (site: Site, alarm: number) =>
  until(
    async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items,
    ([row]) => row?.endTime !== undefined && row.endTime !== null,
  );

testOnAnyStore('a trunk that says 100 and then nothing is left for the next one', async (t, kind) => {
  const [silent, busy] = [
    await SipPeer.start(t, onlyTrying),
    await SipPeer.start(t, { kind: 'respond', status: 486, phrase: 'Busy Here' }),
  ];
  const site = await startSite(t, kind);
  await site.create('/providers', trunk('First', 1, silent.port));
  await site.create('/providers', trunk('Second', 2, busy.port));
  const alarm = await raise(site);
  const [row] = await firstEnd(site, alarm);
  assert.deepEqual([row?.attempt, row?.outcome, row?.provider], [1, 'busy', 'Second']);
  const detail = 'the PBX took the call and did not ring the number';
  const asked = [
    { name: 'First', outcome: 'providerDown', detail },
    { name: 'Second', outcome: 'busy' },
  ];
  assert.deepEqual(row?.providers, asked, 'every trunk that was asked stands in the history');
  assert.equal(silent.calls, 1);
  await site.expectWhatRings();
});

testOnAnyStore('a call that the only trunk took and did not put through uses up no try', async (t, kind) => {
  const silent = await SipPeer.start(t, onlyTrying);
  const site = await startSite(t, kind);
  await site.create('/providers', trunk('Only', 1, silent.port));
  const alarm = await raise(site);
  const [row] = await firstEnd(site, alarm);
  assert.equal(row?.outcome, 'providerDown');
  assert.match(String(row?.detail), /did not ring the number/);
  // The number, which has one try, is called again.
  site.app.clock.advance(15_000);
  await site.app.poll();
  await until(
    () => silent.calls,
    (calls) => calls === 2,
  );
  await site.alarms.acknowledge(alarm);
  await site.expectWhatRings();
});
