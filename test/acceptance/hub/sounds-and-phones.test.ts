// The hub sends sounds and phone events to the consoles that subscribed and may see them.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { alarmDesk } from '../../harness/alarm-desk.ts';
import { startTestApp, type TestApp } from '../../harness/app.ts';
import { classicClient } from '../../harness/classic-page.ts';
import { type HubClient, hubClient } from '../../harness/hub-client.ts';
import type { StoreName } from '../../harness/stores.ts';
import { startStory } from '../../harness/story.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const wav = Buffer.concat([Buffer.from('RIFF'), Buffer.from([36, 0, 0, 0]), Buffer.from('WAVEfmt '), Buffer.alloc(24)]);
const play = (parameter: string) => ({ type: 'PlaySound', parameter });

async function upload(app: TestApp, token: string, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'audio/wav' };
  const answer = await fetch(`${app.url}/api/v1/media/${name}`, { method: 'PUT', headers, body: wav });
  assert.equal(answer.status, 200, await answer.text());
}

async function keyFor(app: TestApp, token: string, stationIds: readonly number[]): Promise<string> {
  const expiryTime = new Date(app.clock.now() + 86_400_000).toISOString();
  const body = { name: 'reader', expiryTime, scopes: ['alarms:read'], stationIds };
  const answer = await app.request('POST', '/api/v1/auth/keys', { token, body });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as { token: string }).token;
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
  const story = await startStory(t, kind);
  const signIn = async (name: string) => {
    const { id } = await story.person(name, { password: 'correct horse battery staple' });
    return { id, token: await story.app.signIn(name, 'correct horse battery staple') };
  };
  return { story, signIn };
}

testOnStores(
  'onSound is sent to consoles that subscribed, for alarms they may see; masked alarms are silent',
  async (t, kind) => {
    const app = await startTestApp(t, kind);
    const { ask, send } = await alarmDesk(app);
    const token = await app.signIn();
    for (const name of ['horn.wav', 'bell.wav']) await upload(app, token, name);
    const north = (await app.request('POST', '/api/v1/stations', { token, body: { name: 'North' } })).body as number;
    const console = await listener(t, app, token, { sounds: true });
    const plain = await listener(t, app, token, { changes: true });
    const bound = await listener(t, app, await keyFor(app, token, [north]), { sounds: true });
    const urgent = await listener(t, app, token, { sounds: true, priorities: [1] });
    const alarmActions = [play('horn.wav'), play('missing.wav')];
    const id = await send({
      path: 'pump',
      alarmActions,
      ackActions: [play('bell.wav')],
      resetActions: [play('bell.wav')],
    });
    await ask('POST', `/${id}/acknowledge`);
    await ask('POST', `/${id}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'work' });
    await send({ path: 'pump', raised: false });
    const theirs = await send({ path: 'fan', stationId: north, alarmActions: [play('horn.wav')] });
    await send({ path: 'last', stationId: north, priority: 1 });
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
  const app = await startTestApp(t, kind);
  const { send } = await alarmDesk(app);
  const token = await app.signIn();
  await upload(app, token, 'horn.wav');
  const transports = ['webSockets', 'serverSentEvents', 'longPolling'];
  const clients = await Promise.all(transports.map((transport) => classicClient(t, app.url, token, transport)));
  for (const { server } of clients) await server.subscribe({ sounds: true });
  const ids = [];
  for (const path of ['one', 'two', 'three']) ids.push(await send({ path, alarmActions: [play('horn.wav')] }));
  await send({ path: 'last' });
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
    const { story, signIn } = await people(t, kind);
    const { app } = story;
    const [ana, bo] = [await signIn('ana'), await signIn('bo')];
    const admin = await app.signIn();
    const own = await listener(t, app, ana.token, { phones: true });
    const other = await listener(t, app, bo.token, { phones: true });
    const all = await listener(t, app, admin, { phones: true });
    const plain = await listener(t, app, admin);
    const machine = await listener(t, app, await keyFor(app, admin, []), { phones: true });
    const phone = story.phoneOf(ana.id, 'ana');
    const alarmActions = [{ type: 'CallUser', id: ana.id }];
    await story.ask('POST', '/alarms', { path: 'pump', alarmMessage: 'Pump1 is too hot', priority: 1, alarmActions });
    const call = await phone.isCalled(/Pump1/);
    await phone.takes();
    await story.ask('POST', '/alarms', { path: 'last' });
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
  const { story } = await people(t, kind);
  const bo = await story.person('bo', { numbers: [{ channel: 'sms', address: '+33123450009' }] });
  const all = await listener(t, story.app, await story.app.signIn(), { phones: true });
  const alarmActions = [{ type: 'CallUser', id: bo.id }];
  await story.ask('POST', '/alarms', { path: 'pump', alarmMessage: 'hot', priority: 3, alarmActions });
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
