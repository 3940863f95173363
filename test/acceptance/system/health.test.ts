// The health of calling: who can be reached, an unanswered last resort until somebody answers, and the heartbeat.

import assert from 'node:assert/strict';
import { PostOffice, trunk } from '../../harness/mail/post-office.ts';
import { heartbeatMonitor } from '../../harness/site/heartbeat-monitor.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

type Calling = { readonly status: string; readonly simulated: boolean; readonly reasons: readonly { code: string }[] };

async function calling(site: Site): Promise<string> {
  const { status, body } = await site.app.request('GET', '/health/calling');
  const { status: word, simulated, reasons } = body as Calling;
  return [status, word, ...(simulated ? ['simulated'] : []), ...reasons.map(({ code }) => code)].join(' ');
}

testOnStores(
  'a new installation is ready, and calling reports whether its phones are simulated or missing',
  async (t, kind) => {
    const simulated = await startSite(t, kind);
    assert.equal((await simulated.app.request('GET', '/health/ready')).status, 200);
    assert.equal(await calling(simulated), '200 ok simulated');
    assert.ok(simulated.app.logLines.some(({ msg }) => /^phones are only simulated/.test(msg ?? '')));
    const bare = await startSite(t, kind, { overrides: { TOCSIN_SIMULATOR: 'false' } });
    assert.equal((await bare.app.request('GET', '/health/ready')).status, 200);
    assert.equal(await calling(bare), '503 failing nobody-reachable');
    await bare.ask('PUT', '/users/1', { name: 'admin', role: 'administrator', numbers: [voice('+33100000001')] });
    assert.equal(await calling(bare), '503 failing nobody-reachable', 'no channel delivers to the number');
  },
);

testOnStores('a channel that is set up, and a person with a number on it, make calling healthy', async (t, kind) => {
  const openers = { sip: () => new PostOffice() };
  const site = await startSite(t, kind, { openers, overrides: { TOCSIN_SIMULATOR: 'false' } });
  await site.create('/providers', trunk);
  assert.equal(await calling(site), '503 failing nobody-reachable');
  await site.ask('PUT', '/users/1', { name: 'admin', role: 'administrator', numbers: [voice('+33100000001')] });
  assert.equal(await calling(site), '200 ok');
  await site.ask('PUT', '/users/1', {
    name: 'admin',
    role: 'administrator',
    numbers: [voice('+33100000001', { verified: false })],
  });
  assert.equal(await calling(site), '503 failing nobody-reachable number-not-verified');
});

testOnStores(
  'an unanswered last resort stays red through rounds and a restart, until somebody takes the alarm',
  async (t, kind) => {
    const monitor = await heartbeatMonitor(t);
    const site = await startSite(t, kind, { overrides: { TOCSIN_HEARTBEAT_URL: monitor.url } });
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarm = await site.alarms.raise(group, { priority: 1 });
    await ana.isCalled();
    await site.advance('30s');
    await site.admin.isCalled();
    assert.equal(await calling(site), '200 ok simulated', 'the last resort is still being called');
    await site.advance('2m');
    const red = '503 failing simulated last-resort-unanswered';
    assert.equal(await calling(site), red);
    const beats = monitor.beats();
    await site.advance('5m');
    await site.admin.isCalled();
    assert.equal(await calling(site), red, 'the next round has begun');
    await site.restart();
    assert.equal(await calling(site), red);
    assert.equal(monitor.beats(), beats, 'no heartbeat while it is red');
    // On PostgreSQL the phone that rings is carried on when the lease of the node before has ended.
    site.app.clock.advance(11_000);
    await site.alarms.acknowledge(alarm);
    await site.settle();
    assert.equal(await calling(site), '200 ok simulated');
    site.app.clock.advance(61_000);
    await site.app.poll();
    await until(monitor.beats, (count) => count > beats);
  },
);

testOnStores('an unanswered last resort is over when the alarm is acknowledged', async (t, kind) => {
  const site = await startSite(t, kind);
  const alarm = await site.alarms.send({ path: 'Fire', priority: 3, alarmActions: [{ type: 'CallGroup', id: 999 }] });
  await site.admin.isCalled();
  await site.advance('10m');
  assert.equal(await calling(site), '503 failing simulated last-resort-unanswered');
  await site.ask('POST', `/alarms/${alarm}/acknowledge`, {});
  const others = (await site.alarms.list('?limit=100')).items.filter(({ id }) => id !== alarm);
  for (const { id } of others) await site.ask('POST', `/alarms/${id}/acknowledge`, {});
  assert.equal(await calling(site), '200 ok simulated');
});
