// Recorded messages: a telephone plays the recording of an alarm or message in place of its text.

import assert from 'node:assert/strict';
import { printWav } from '@tocsin/sip';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const beep = printWav(new Int16Array(800));

async function storeBeep(site: Site, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${site.token}` };
  const answer = await fetch(`${site.app.url}/api/v1/media/${name}`, { method: 'PUT', headers, body: beep });
  assert.equal(answer.status, 200);
}

async function anaOnDuty(site: Site) {
  const ana = await site.person('ana');
  return { ana, group: await site.group('Pumps', [await site.team('Night', [ana])]) };
}

testOnAnyStore('the recording of an alarm is played, and again when it is repeated', async (t, kind) => {
  const site = await startSite(t, kind);
  await storeBeep(site, 'hot.wav');
  const { ana, group } = await anaOnDuty(site);
  await site.alarms.raise(group, { alarmVocalMessageFile: 'hot.wav' });
  await ana.isCalled();
  const [greeting, message, repeated] = await ana.answers('1', '4', '1');
  assert.doesNotMatch(greeting ?? '', /Recording/);
  for (const said of [message, repeated]) assert.match(said ?? '', /^Recording: Pump1 is too hot\nPress 1 to take it/);
});

testOnAnyStore('a bundle says which alarm comes before each recording', async (t, kind) => {
  const site = await startSite(t, kind);
  await storeBeep(site, 'hot.wav');
  const { ana, group } = await anaOnDuty(site);
  const alarmActions = [{ type: 'CallGroup', id: group }];
  // In one request, so that nobody is called for the first alone.
  await site.ask('POST', '/alarms/batch', [
    { path: 'Pump1', alarmMessage: 'Pump1 is too hot', priority: 1, alarmVocalMessageFile: 'hot.wav', alarmActions },
    { path: 'Pump2', alarmMessage: 'Pump2 is dry', priority: 2, alarmActions },
  ]);
  await ana.isCalled();
  const [, first, second] = await ana.answers('1', '1', '1');
  assert.match(first ?? '', /Alarm 1 of 2: Recording: Pump1 is too hot\n/);
  assert.match(second ?? '', /Alarm 2 of 2: Pump2 is dry\n/);
});

testOnAnyStore('an alarm that is back to normal is spoken, because its recording does not say so', async (t, kind) => {
  const site = await startSite(t, kind);
  await storeBeep(site, 'hot.wav');
  const { ana, group } = await anaOnDuty(site);
  await site.alarms.raise(group, { alarmVocalMessageFile: 'hot.wav' });
  await ana.isCalled();
  await site.alarms.returnsToNormal();
  const [, message] = await ana.answers('1', '1');
  assert.match(message ?? '', /^Back to normal: Pump1 is too hot\n/);
});

testOnStores('the sound of a message to people and to groups is played', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await anaOnDuty(site);
  const msgAudio = Buffer.from(beep).toString('base64');
  await site.ask('POST', '/call/users', { userIds: [ana.id], msgText: 'Come in', msgAudio });
  await ana.isCalled();
  assert.match((await ana.answers('1', '1'))[1] ?? '', /^Recording: Come in\n/);
  // Her number rests after a ring, whatever it was for.
  await site.advance('2m');
  await site.ask('POST', '/call/groups', { callGroupIds: [group], msgText: 'Flood', msgAudio });
  await ana.isCalled();
  assert.match((await ana.answers('1', '1'))[1] ?? '', /^Recording: Flood\n/);
});

testOnAnyStore('the file of a message is played', async (t, kind) => {
  const site = await startSite(t, kind);
  await storeBeep(site, 'come-in.wav');
  const { ana } = await anaOnDuty(site);
  await site.ask('POST', '/call/users', { userIds: [ana.id], msgText: 'Come in', msgFile: 'come-in.wav' });
  await ana.isCalled();
  assert.match((await ana.answers('1', '1'))[1] ?? '', /^Recording: Come in\n/);
});
