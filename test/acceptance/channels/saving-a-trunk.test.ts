// Saving a trunk while it is used: new settings count for new calls, calls under way finish, and the port to ring in goes on.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

const number = '+33100000001';

async function trunkTo(site: Site, peer: SipPeer, more: object = {}) {
  const body = (changed: object = {}, settings: object = {}) => ({
    ...{ name: 'PBX', channel: 'voice', kind: 'sip', ...changed },
    settings: { host: '127.0.0.1', port: peer.port, user: 'tocsin', ...more, ...settings },
  });
  const id = await site.create('/providers', body());
  const test = () => site.ask<{ ok: boolean; reason: string }>('POST', `/providers/${id}/test`);
  /** Saves it, and waits until this node has followed. */
  const save = async (changed: object, settings: object = {}) => {
    await site.ask('PUT', `/providers/${id}`, body(changed, settings));
    return test();
  };
  return { id, save, test };
}

async function ringAna(site: Site, peer: SipPeer) {
  const ana = await site.person('ana', { numbers: [voice(number)] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 1 });
  await until(
    () => peer.calls,
    (calls) => calls === 1,
  );
  return { alarm, group };
}

testOnAnyStore(
  'saving a trunk under another order or display name cuts no call that rings or talks',
  async (t, kind) => {
    const peer = await SipPeer.start(t, { kind: 'ring' });
    const site = await startSite(t, kind);
    const { save } = await trunkTo(site, peer);
    const { alarm } = await ringAna(site, peer);
    await save({ order: 7 });
    await save({}, { displayName: 'Waterworks' });
    assert.deepEqual(peer.methodsOf(number), ['INVITE'], 'it rings on');
    peer.pickUp();
    await peer.nextSound();
    await save({}, { displayName: 'Waterworks 2' });
    await peer.pressUntilOver('1');
    await until(
      () => site.alarms.get(alarm),
      ({ ackUser }) => ackUser === 'ana',
    );
    await site.alarms.raise(
      await site.group('Others', [
        await site.team('Day', [await site.person('bea', { numbers: [voice('+33100000002')] })]),
      ]),
      { path: 'Plant/Pump2' },
    );
    const invites = () => peer.received.filter((text) => text.startsWith('INVITE '));
    await until(invites, (all) => all.some((text) => text.includes('"Waterworks 2"')));
    assert.doesNotMatch(invites()[0] ?? '', /Waterworks/);
  },
);

testOnAnyStore('a trunk with a port to ring in goes on listening there after it was saved', async (t, kind) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, kind);
  const listenPort = await freePort();
  const { save } = await trunkTo(site, peer, { ringIn: true, listenPort });
  const { alarm } = await ringAna(site, peer);
  assert.deepEqual(await save({ order: 3 }), { ok: true, reason: '' });
  assert.deepEqual(await save({}, { displayName: 'Waterworks' }), { ok: true, reason: '' });
  assert.deepEqual(peer.methodsOf(number), ['INVITE']);
  await site.alarms.acknowledge(alarm);
});

/** The accounts that are registered at the PBX, by the last request of each. */
const registered = ({ received }: Pick<SipPeer, 'received'>): readonly string[] => {
  const last = new Map<string, boolean>();
  for (const text of received) {
    const [, account = ''] = /^REGISTER [\s\S]*^To: .*sip:([^@]+)@/m.exec(text) ?? [];
    if (account !== '') last.set(account, !/^Expires: 0\r?$/m.test(text) && !/;expires=0\b/.test(text));
  }
  return [...last].flatMap(([account, isRegistered]) => (isRegistered ? [account] : []));
};

testOnAnyStore(
  'of two saves of a trunk, one after the other, the account of the last is registered',
  async (t, kind) => {
    const peer = await SipPeer.start(t, { kind: 'ring' });
    const site = await startSite(t, kind);
    const settings = (user: string) => ({ host: '127.0.0.1', port: peer.port, user, register: true });
    const body = (user: string, more: object = {}) => ({
      ...{ name: 'PBX', channel: 'voice', kind: 'sip', settings: settings(user), secrets: { password: 'pass-4711' } },
      ...more,
    });
    const id = await site.create('/providers', body('first'));
    await until(
      () => registered(peer),
      (accounts) => accounts.join() === 'first',
    );
    await Promise.all(['second', 'third'].map((user) => site.ask('PUT', `/providers/${id}`, body(user))));
    const saved = await site.ask<{ settings: { user: string } }>('GET', `/providers/${id}`);
    await until(
      () => registered(peer),
      (accounts) => accounts.join() === saved.settings.user,
    );
    await site.ask('PUT', `/providers/${id}`, body(saved.settings.user, { node: 'another' }));
    await until(
      () => registered(peer),
      (accounts) => accounts.length === 0,
    );
  },
);

testOnAnyStore('a trunk that moves from a PBX that is dead is registered at the new one at once', async (t, kind) => {
  const [dead, living] = [await SipPeer.start(t, { kind: 'ring' }), await SipPeer.start(t, { kind: 'ring' })];
  const site = await startSite(t, kind);
  const body = (port: number) => ({
    ...{ name: 'PBX', channel: 'voice', kind: 'sip', secrets: { password: 'pass-4711' } },
    settings: { host: '127.0.0.1', port, user: 'tocsin', register: true },
  });
  const id = await site.create('/providers', body(dead.port));
  await until(
    () => registered(dead),
    (accounts) => accounts.length === 1,
  );
  dead.isDead = true;
  await site.ask('PUT', `/providers/${id}`, body(living.port));
  await until(
    () => registered(living),
    (accounts) => accounts.length === 1,
  );
  // A request that nobody responds to is sent ten times before it is given up.
  const farewells = dead.received.filter(
    (text) => text.startsWith('REGISTER') && registered({ received: [text] }).length === 0,
  );
  dead.isDead = false;
  assert.ok(farewells.length < 10, String(farewells.length));
});

async function takePort(t: TestContext) {
  const other = createSocket('udp4');
  other.bind(0, '0.0.0.0');
  await once(other, 'listening');
  let isOpen = true;
  const giveBack = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    other.close();
    await once(other, 'close');
  };
  t.after(giveBack);
  return { port: other.address().port, giveBack };
}

testOnAnyStore('a fault in ringing in is not a fault of the trunk, and ends with its cause', async (t, kind) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, kind);
  const { id, test, save } = await trunkTo(site, peer, { ringIn: true });
  const ringIn = async () =>
    (await site.alarms.fromTocsin()).find(({ path }) => path === `system/provider/${id}/ring-in`);
  const state = () => site.ask<{ health: { state: string } }>('GET', `/providers/${id}`);
  const said = await test();
  assert.deepEqual([said.ok, (await state()).health.state], [false, 'up'], said.reason);
  assert.match(said.reason, /nobody can ring in: it needs register, or listenPort/);
  await until(ringIn, (alarm) => alarm?.state === 3);
  const { port, giveBack } = await takePort(t);
  assert.match((await save({}, { listenPort: port })).reason, /the port \d+ cannot be used/);
  assert.equal((await state()).health.state, 'up');
  await giveBack();
  await until(test, ({ ok }) => ok);
  await until(ringIn, (alarm) => alarm?.state !== 3);
  await site.expectWhatRings();
});
