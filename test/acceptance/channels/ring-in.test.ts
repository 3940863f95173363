// Ringing in: a person calls, proves who they are by number and PIN, and hears and takes what is open for them.

import assert from 'node:assert/strict';
import { compareTypedPin } from '../../../src/access/typed-pin.ts';
import { pressInRingIn } from '../../../src/operations/simulator/ring-in.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

type Said = { readonly callId: number; readonly said: string; readonly over: boolean };

const pin = '246813';

/** Makes a simulated provider by which people may ring in. */
function allowRingIn(site: Site): Promise<number> {
  return site.create('/providers', {
    name: 'Ring-in',
    order: 9,
    channel: 'simulator',
    kind: 'simulator',
    settings: { ringIn: true },
  });
}

/** Rings in and presses the keys; returns the sentences that the voice says. */
async function ringIn(site: Site, ...keys: readonly string[]) {
  const { callId, said } = await site.ask<Said>('POST', '/simulator/ring-in');
  const sentences = [said];
  for (const some of keys)
    sentences.push((await site.ask<Said>('POST', `/simulator/ring-in/${callId}/keys`, { keys: some })).said);
  return { callId, sentences, last: sentences.at(-1) ?? '' };
}

async function anaOnDuty(site: Site, more: object = {}) {
  await allowRingIn(site);
  const ana = await site.person('ana', { pin, ...more });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  return { ana, group };
}

const ackUser = async (site: Site, alarm: number) => (await site.alarms.get(alarm)).ackUser;

testOnAnyStore('nobody can ring in unless it is switched on', async (t, kind) => {
  const site = await startSite(t, kind);
  assert.equal((await site.request('POST', '/simulator/ring-in')).status, 422);
});

testOnAnyStore('who rings in hears what is open, takes it, and is no longer called', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await anaOnDuty(site);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  const { callId, sentences } = await ringIn(site, `${ana.id}#`, `${pin}#`, '1');
  assert.match(sentences[0] ?? '', /^This is Tocsin\. Enter your user number/);
  assert.match(sentences[1] ?? '', /^Enter your PIN/);
  assert.match(sentences[2] ?? '', /^Pump1 is too hot\nPress 1 to take it/);
  assert.match(sentences[3] ?? '', /^You have taken it/);
  assert.equal(await ackUser(site, alarm), 'ana');
  await ana.isNotCalled();
  const row = (await site.callHistories(`&alarmId=${alarm}`)).find(({ cause }) => cause === 'ringIn');
  assert.deepEqual([row?.id, row?.user, row?.status, row?.outcome], [callId, 'ana', 5, 'answered']);
  assert.ok(row?.ackTime && row.endTime);
  const journal = JSON.stringify(await site.list('/journal?limit=1000'));
  assert.match(journal, /call\.rang-in/);
});

testOnAnyStore('who has heard everything is not called again, and the way goes up', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await anaOnDuty(site);
  const bea = await site.person('bea');
  const relief = await site.group('Relief', [await site.team('Day', [bea])]);
  await site.ask('PUT', `/callgroups/${group}`, {
    ...(await site.ask('GET', `/callgroups/${group}`)),
    reliefGroupId: relief,
  });
  await site.alarms.raise(group);
  await ana.isCalled();
  const { last } = await ringIn(site, `${ana.id}#`, `${pin}#`, '2');
  assert.match(last, /^Heard\. Others are still being called\./);
  await bea.isCalled();
});

testOnAnyStore('somebody on the way up by a schedule alone hears an alarm before it reaches them', async (t, kind) => {
  const site = await startSite(t, kind);
  await allowRingIn(site);
  const [first, bea] = [await site.person('first'), await site.person('bea', { pin })];
  const scheduleId = await site.schedule(await site.team('Bea', [bea]), '00:00', '24:00');
  const reliefGroupId = await site.group('By schedule', [], { scheduleId });
  const group = await site.group('First', [await site.team('First', [first])], { reliefGroupId });
  const alarm = await site.alarms.raise(group);
  await first.isCalled();
  await ringIn(site, `${bea.id}#`, `${pin}#`, '1');
  assert.equal(await ackUser(site, alarm), 'bea');
  await first.isNotCalled();
});

testOnAnyStore('somebody on the way up hears an alarm before it reaches them', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana: bea, group: relief } = await anaOnDuty(site);
  const first = await site.person('first');
  const group = await site.group('First', [await site.team('First', [first])], { reliefGroupId: relief });
  const alarm = await site.alarms.raise(group);
  await first.isCalled();
  await ringIn(site, `${bea.id}#`, `${pin}#`, '1');
  assert.equal(await ackUser(site, alarm), 'ana');
  await first.isNotCalled();
});

testOnAnyStore('alarms of others and of other stations are not heard', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana } = await anaOnDuty(site);
  const bea = await site.person('bea');
  await site.alarms.raise(await site.group('Others', [await site.team('Others', [bea])]));
  await bea.isCalled();
  assert.match((await ringIn(site, `${ana.id}#`, `${pin}#`)).last, /^Nothing is open for you\. Goodbye\.$/);
});

testOnStores('several alarms are taken at once by 9 and, after the read-back, 1', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await anaOnDuty(site);
  const alarms = [await site.alarms.raise(group), await site.alarms.raise(group, { path: 'Pump2', priority: 2 })];
  await ana.isCalled();
  const { sentences } = await ringIn(site, `${ana.id}#`, `${pin}#`, '9', '1');
  assert.match(sentences[2] ?? '', /^There are 2.*\nAlarm 1 of 2:/);
  assert.match(sentences[3] ?? '', /You are about to take 2 alarms/);
  for (const alarm of alarms) assert.equal(await ackUser(site, alarm), 'ana');
});

testOnAnyStore('who is on the line when somebody else takes it is told with the next key', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await anaOnDuty(site);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  const { callId } = await ringIn(site, `${ana.id}#`, `${pin}#`);
  await site.ask('POST', `/alarms/${alarm}/acknowledge`, {});
  const told = await site.ask<Said>('POST', `/simulator/ring-in/${callId}/keys`, { keys: '1' });
  assert.match(told.said, /admin has taken it\. Goodbye\./);
});

const refused = /^That is not right\.\nThis is Tocsin\. Enter your user number/;

testOnAnyStore('a wrong PIN, an unknown number and a PIN that is too short are refused alike', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await anaOnDuty(site);
  const short = await site.person('short', { pin: '4321' });
  await site.alarms.raise(group);
  await ana.isCalled();
  for (const [user, typed] of [
    [ana.id, '111111'],
    [999, pin],
    [short.id, '4321'],
  ])
    assert.match((await ringIn(site, `${user}#`, `${typed}#`)).last, refused);
  const { last, callId } = await ringIn(site, '1#', '1#', '1#', '1#', '1#', '1#');
  assert.match(last, /^That is not right\.\nGoodbye\.$/);
  assert.equal((await site.request('POST', `/simulator/ring-in/${callId}/keys`, { keys: '1' })).status, 409);
});

testOnAnyStore(
  'ten wrong PINs keep a person from ringing in for a while, and never from being called',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, group } = await anaOnDuty(site);
    for (let guess = 0; guess < 10; guess++) await ringIn(site, `${ana.id}#`, '111111#');
    assert.match((await ringIn(site, `${ana.id}#`, `${pin}#`)).last, refused);
    await site.alarms.raise(group);
    await ana.isCalled();
    await ana.answers('1', `${pin}#`, '1');
    await site.advance('16m');
    assert.match((await ringIn(site, `${ana.id}#`, `${pin}#`)).last, /^Nothing is open/);
  },
);

testOnAnyStore('the conversation of a called phone cannot be used by ringing in', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await anaOnDuty(site);
  await site.alarms.raise(group);
  const { callId } = await ana.isCalled();
  assert.equal((await site.request('POST', `/simulator/ring-in/${callId}/keys`, { keys: '1' })).status, 404);
});

testOnAnyStore('nobody else presses keys or hangs up for who has rung in', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await anaOnDuty(site);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  const { callId } = await ringIn(site, `${ana.id}#`, `${pin}#`);
  const stranger = site.as(await site.keyFor(['calls:send']));
  const keys = await stranger.request('POST', `/simulator/ring-in/${callId}/keys`, { keys: '1' });
  const hangUp = await stranger.request('POST', `/simulator/ring-in/${callId}/hangup`);
  assert.deepEqual([keys.status, hangUp.status, await ackUser(site, alarm)], [404, 404, '']);
  await site.ask('POST', `/simulator/ring-in/${callId}/keys`, { keys: '1' });
  assert.equal(await ackUser(site, alarm), 'ana');
});

testOnAnyStore('the PIN of one person does not sign in another whose number is entered meanwhile', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await anaOnDuty(site);
  const mallory = await site.person('mallory', { pin: '975310' });
  const victim = await site.person('victim');
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  const { store } = site.app;
  for (const { id } of [ana, victim]) {
    const { callId } = await ringIn(site, `${mallory.id}#`);
    // As the server does with the keys of one request; those of another come in while the PIN is compared.
    const checkedPin = await compareTypedPin(store, callId, '975310#');
    assert.equal(checkedPin?.isRight, true);
    for (const keys of ['#', `${id}#`]) await site.ask('POST', `/simulator/ring-in/${callId}/keys`, { keys });
    const caller = { actor: 'user:1', stationIds: [] };
    const said = await store.write(pressInRingIn, { callId, keys: '975310#', caller, checkedPin });
    assert.match(said.text, /^That is not right\./);
  }
  assert.equal(await ackUser(site, alarm), '');
  const journal = JSON.stringify(await site.list('/journal?limit=1000'));
  assert.doesNotMatch(journal, /call\.rang-in"/);
});

testOnAnyStore('who was removed while they are on the line takes nothing', async (t, kind) => {
  const site = await startSite(t, kind);
  await allowRingIn(site);
  const [ana, bo] = [await site.person('ana', { pin }), await site.person('bo')];
  const team = await site.team('Night', [ana, bo]);
  const alarm = await site.alarms.raise(await site.group('Pumps', [team]));
  await ana.isCalled();
  await bo.isCalled();
  const { callId, last } = await ringIn(site, `${ana.id}#`, `${pin}#`);
  assert.match(last, /Press 1 to take it/);
  await site.ask('PUT', `/teams/${team}`, { name: 'Night', members: [{ userId: bo.id }] });
  await site.ask('DELETE', `/users/${ana.id}`);
  const told = await site.ask<Said>('POST', `/simulator/ring-in/${callId}/keys`, { keys: '1' });
  assert.deepEqual([told.said, told.over], ['You are no longer called here. Nothing was changed. Goodbye.', true]);
  assert.equal(await ackUser(site, alarm), '');
  await site.expectWhatRings();
});
