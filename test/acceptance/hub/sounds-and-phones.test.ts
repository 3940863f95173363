// The hub sends sounds and phone events to the consoles that subscribed and may see them.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { classicClient } from '../../harness/hub/classic-page.ts';
import { type HubClient, hubClient } from '../../harness/hub/hub-client.ts';
import type { TestApp } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import type { StoreName } from '../../harness/stores/stores.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const wav = Buffer.concat([Buffer.from('RIFF'), Buffer.from([36, 0, 0, 0]), Buffer.from('WAVEfmt '), Buffer.alloc(24)]);
const play = (parameter: string) => ({ type: 'PlaySound', parameter });

async function upload(app: TestApp, token: string, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'audio/wav' };
  const answer = await fetch(`${app.url}/api/v1/media/${name}`, { method: 'PUT', headers, body: wav });
  assert.equal(answer.status, 200, await answer.text());
}

async function listener(t: TestContext, app: TestApp, token: string, filter?: object): Promise<HubClient> {
  const client = await hubClient(t, app.url, token);
  if (filter !== undefined) await client.connection.invoke('subscribe', filter);
  return client;
}

/** Resolves when every client has the last alarm, and therefore everything sent before it. */
const toldOf = (clients: readonly HubClient[], path: string) =>
  Promise.all(
    clients.map(({ alarms }) =>
      until(
        () => alarms,
        (rows) => rows.some((row) => row.path === path),
      ),
    ),
  );

async function people(t: TestContext, kind: StoreName) {
  const site = await startSite(t, kind);
  const signIn = async (name: string) => {
    const { id } = await site.person(name, { password: 'correct horse battery staple' });
    return { id, token: await site.app.signIn(name, 'correct horse battery staple') };
  };
  return { site, signIn };
}

testOnStores(
  'onSound is sent to consoles that subscribed, for alarms they may see; masked alarms are silent',
  async (t, kind) => {
    const site = await startSite(t, kind);
    for (const name of ['horn.wav', 'bell.wav']) await upload(site.app, site.token, name);
    const north = await site.create('/stations', { name: 'North' });
    const console = await listener(t, site.app, site.token, { sounds: true });
    const plain = await listener(t, site.app, site.token, { changes: true });
    const bound = await listener(t, site.app, await site.keyFor(['alarms:read'], [north]), { sounds: true });
    const urgent = await listener(t, site.app, site.token, { sounds: true, priorities: [1] });
    const alarmActions = [play('horn.wav'), play('missing.wav')];
    const id = await site.alarms.send({
      path: 'pump',
      alarmActions,
      ackActions: [play('bell.wav')],
      resetActions: [play('bell.wav')],
    });
    await site.alarms.acknowledge(id);
    await site.request('POST', `/alarms/${id}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'work' });
    await site.alarms.send({ path: 'pump', raised: false });
    const theirs = await site.alarms.send({ path: 'fan', stationId: north, alarmActions: [play('horn.wav')] });
    await site.alarms.send({ path: 'last', stationId: north, priority: 1 });
    await toldOf([console, plain, bound, urgent], 'last');
    const horn = { alarmId: theirs, media: 'horn.wav', list: 'alarm' };
    assert.deepEqual(console.sounds, [
      { alarmId: id, media: 'horn.wav', list: 'alarm' },
      { alarmId: id, media: 'bell.wav', list: 'ack' },
      horn,
    ]);
    assert.deepEqual(plain.sounds, []);
    assert.deepEqual(bound.sounds, [horn]);
    assert.deepEqual(urgent.sounds, []);
    await assert.rejects(plain.connection.invoke('subscribe', { sounds: 'yes' }), /sounds must be true or false/);
  },
);

testOnStores('classic clients receive each sound once', async (t, kind) => {
  const site = await startSite(t, kind);
  await upload(site.app, site.token, 'horn.wav');
  const transports = ['webSockets', 'serverSentEvents', 'longPolling'];
  const clients = await Promise.all(
    transports.map((transport) => classicClient(t, site.app.url, site.token, transport)),
  );
  for (const { server } of clients) await server.subscribe({ sounds: true });
  const ids = [];
  for (const path of ['one', 'two', 'three'])
    ids.push(await site.alarms.send({ path, alarmActions: [play('horn.wav')] }));
  await site.alarms.send({ path: 'last' });
  for (const { alarms, sounds } of clients) {
    await until(
      () => alarms,
      (rows) => rows.length >= 4,
    );
    assert.deepEqual(
      sounds.map(({ alarmId, media }) => [alarmId, media]),
      ids.map((id) => [id, 'horn.wav']),
    );
  }
});

testOnStores(
  'onPhone is sent to subscribed users for their own phone and to administrators for all phones',
  async (t, kind) => {
    const { site, signIn } = await people(t, kind);
    const { app } = site;
    const [ana, bo] = [await signIn('ana'), await signIn('bo')];
    const admin = await app.signIn();
    const own = await listener(t, app, ana.token, { phones: true });
    const other = await listener(t, app, bo.token, { phones: true });
    const all = await listener(t, app, admin, { phones: true });
    const plain = await listener(t, app, admin);
    const machine = await listener(t, app, await site.keyFor(['alarms:read']), { phones: true });
    const phone = site.phoneOf(ana.id, 'ana');
    const alarmActions = [{ type: 'CallUser', id: ana.id }];
    await site.alarms.send({ path: 'pump', alarmMessage: 'Pump1 is too hot', priority: 1, alarmActions });
    const call = await phone.isCalled(/Pump1/);
    await phone.takes();
    await site.alarms.send({ path: 'last' });
    await toldOf([own, other, all, plain, machine], 'last');
    const [row] = await phone.messages();
    assert.deepEqual(
      own.phones.map(({ event }) => event),
      ['ringing', 'answered', 'ended'],
    );
    assert.deepEqual(own.phones[0], {
      userId: ana.id,
      event: 'ringing',
      callId: (row as unknown as { callId: number }).callId,
      text: call.text,
      address: call.address,
      time: call.time,
    });
    assert.match(String(own.phones[1]?.text), /ana/);
    assert.equal(own.phones[2]?.text, 'answered', 'how it ended');
    assert.deepEqual(all.phones, own.phones);
    for (const { phones } of [other, plain, machine]) assert.deepEqual(phones, []);
  },
);

testOnStores('a text to a phone sends an onPhone event too', async (t, kind) => {
  const { site } = await people(t, kind);
  const bo = await site.person('bo', { numbers: [{ channel: 'sms', address: '+33123450009' }] });
  const all = await listener(t, site.app, await site.app.signIn(), { phones: true });
  const alarmActions = [{ type: 'CallUser', id: bo.id }];
  await site.alarms.send({ path: 'pump', alarmMessage: 'hot', priority: 3, alarmActions });
  const { text } = await bo.hasText(/hot/);
  await until(
    () => all.phones,
    (rows) => rows.length > 0,
  );
  assert.deepEqual(
    all.phones.map(({ userId, event, text: told, address }) => [userId, event, told, address]),
    [[bo.id, 'text', text, '+33123450009']],
  );
});
