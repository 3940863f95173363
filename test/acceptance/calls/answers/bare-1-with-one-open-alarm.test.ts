// The reply "1" without a code is accepted only while one alarm is open.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'the reply "1" takes the only open alarm, and is answered with a request for the code if there are two',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 3600 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const first = await site.alarms.raise(group);
    await ana.hasText(/Pump1/);
    assert.equal(await ana.texts(' 1 '), 'You have taken it. Thank you.');
    assert.equal((await site.alarms.get(first)).ackUser, 'ana');
    const other = await site.group('Fire', [await site.team('Brigade', [ana])]);
    // In one request, because people are called for an alarm as soon as it is stored.
    const bodies = [
      ['Two', group],
      ['Three', other],
    ].map(([path, id]) => ({
      path,
      alarmMessage: `${path}`.toLowerCase(),
      priority: 1,
      alarmActions: [{ type: 'CallGroup', id }],
    }));
    const [second = 0, third = 0] = await site.ask<readonly number[]>('POST', '/alarms/batch', bodies);
    const { code } = await ana.hasText(/^1 of 2: two\n2 of 2: three\n/);
    assert.equal(await ana.texts('1'), 'Send the code of the message you answer as well.');
    assert.deepEqual([(await site.alarms.get(second)).ackUser, (await site.alarms.get(third)).ackUser], ['', '']);
    assert.equal(await ana.texts(`1 ${code}`), 'You have taken 2 alarms. Thank you.');
    assert.deepEqual([(await site.alarms.get(second)).ackUser, (await site.alarms.get(third)).ackUser], ['ana', 'ana']);
    await site.advance('2m');
    const fourth = await site.alarms.raise(group, { path: 'Four', alarmMessage: 'four' });
    const ofFourth = await ana.hasText(/^four\n/);
    await site.advance('2m');
    const fifth = await site.alarms.raise(other, { path: 'Five', alarmMessage: 'five' });
    await ana.hasText(/five/);
    assert.equal(await ana.texts('1'), 'Send the code of the message you answer as well.');
    assert.equal(await ana.texts(`1 ${ofFourth.code}`), 'You have taken it. Thank you.');
    assert.deepEqual([(await site.alarms.get(fourth)).ackUser, (await site.alarms.get(fifth)).ackUser], ['ana', '']);
    assert.equal(await ana.texts('1'), 'You have taken it. Thank you.');
    assert.equal((await site.alarms.get(fifth)).ackUser, 'ana');
  },
);

testOnStores('a reply without a code is told who has taken the alarm meanwhile', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 3600 })] });
  const bo = await site.person('bo', { displayName: 'Bo Berg' });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  assert.equal(await ana.texts('1'), 'There is nothing to answer.');
  await site.alarms.raise(group);
  await ana.hasText(/Pump1/);
  await bo.isCalled();
  await bo.takes();
  for (const reply of ['1', '2', 'ok']) assert.equal(await ana.texts(reply), 'Bo Berg has taken it.');
  await site.advance('8d');
  assert.equal(await ana.texts('1'), 'There is nothing to answer.');
});

testOnStores('a text that named several alarms, some of them taken, takes the rest and says so', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 3600 })] });
  const bo = await site.person('bo');
  const alarmActions = [{ type: 'CallUser', id: ana.id, parameter: '5' }];
  const bodies = ['one', 'two', 'three'].map((alarmMessage) => ({ path: alarmMessage, alarmMessage, alarmActions }));
  const [first] = await site.ask<readonly number[]>('POST', '/alarms/batch', bodies);
  await site.advance('5s');
  const { code } = await ana.hasText(/3 of 3: three/);
  await site.ask('POST', `/alarms/${first}/acknowledge`, { onBehalfOf: bo.id });
  assert.equal(await ana.texts(code), 'You have taken 2 alarms. Thank you. bo has taken another one.');
});
