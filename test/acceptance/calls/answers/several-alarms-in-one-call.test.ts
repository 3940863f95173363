// One call announces several alarms, the most urgent first; a key applies to the alarm that was just read.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('one call reads two alarms as "n of m", the more urgent first', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const first = await site.alarms.raise(group, { path: 'First', alarmMessage: 'first', priority: 2 });
  await ana.isCalled(/^first$/);
  const second = await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 1 });
  await site.advance('30s');
  await ana.isCalled(/^1 of 2: second\n2 of 2: first$/);
  const said = await ana.answers('1', '5', '1', '1');
  assert.match(said[1] ?? '', /^There are 2, all of Main\.\nAlarm 1 of 2: second/);
  assert.match(said[2] ?? '', /^Alarm 2 of 2: first/);
  for (const id of [first, second]) assert.equal((await site.alarms.get(id)).ackUser, 'ana');
  assert.equal(new Set((await site.callHistories()).map(({ groupCallId }) => groupCallId)).size, 1);
});

testOnAnyStore(
  'a call reads at most ten alarms and the number of the rest; alarms it did not read are called for next',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarmActions = [{ type: 'CallGroup', id: group, parameter: '5' }];
    const alarms = Array.from({ length: 12 }, (_, index) => ({
      path: `A${index}`,
      alarmMessage: `alarm ${index}`,
      alarmActions,
    }));
    const ids = await site.ask<readonly number[]>('POST', '/alarms/batch', alarms);
    await site.advance('5s');
    const { text } = await ana.isCalled(/^1 of 12: alarm 0\n/);
    assert.equal(text.split('\n').length, 11);
    assert.match(text, /\n10 of 12: alarm 9\nand 2 more$/);
    await ana.answers('1', ...'1'.repeat(9));
    const late = await site.alarms.raise(group, { path: 'Late', alarmMessage: 'late', priority: 3 });
    await site.settle();
    await ana.press('1');
    const takers = await Promise.all([...ids, late].map(async (id) => (await site.alarms.get(id)).ackUser));
    assert.deepEqual(takers, [...Array(10).fill('ana'), '', '', '']);
    await site.advance('60s');
    await ana.isCalled(/^1 of 3: alarm 10\n2 of 3: alarm 11\n3 of 3: late$/);
  },
);

testOnAnyStore(
  'after "heard" for ten of twelve alarms the person is called again for the other two',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { timeToAck: 120 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarmActions = [{ type: 'CallGroup', id: group, parameter: '5' }];
    const alarms = Array.from({ length: 12 }, (_, index) => ({ path: `A${index}`, priority: 3, alarmActions }));
    await site.ask('POST', '/alarms/batch', alarms);
    await site.advance('5s');
    await ana.isCalled(/and 2 more$/);
    await ana.answers('1', ...'2'.repeat(10));
    await site.admin.isCalled(/Nobody has taken this: A0/);
    await site.admin.answers('1', '9', '1');
    await site.advance('119s');
    await ana.isNotCalled();
    await site.advance('1s');
    await ana.isCalled(/^1 of 2: A10\n2 of 2: A11$/);
    await ana.answers('1', '9', '1');
    await site.advance('1h');
    await ana.isNotCalled();
    assert.equal((await site.callHistories(`&userId=${ana.id}`)).length, 2);
  },
);

testOnAnyStore(
  'a key takes only the alarm that was just read; after hanging up, the rest are called for again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const alarmActions = [{ type: 'CallUser', id: ana.id }];
    const batch = ['A', 'B', 'C'].map((path) => ({
      path,
      alarmMessage: `Fire in hall ${path}`,
      priority: 1,
      alarmActions,
    }));
    const ids = await site.ask<readonly number[]>('POST', '/alarms/batch', batch);
    const takers = () => Promise.all(ids.map(async (id) => (await site.alarms.get(id)).ackUser));
    await ana.isCalled(/^1 of 3: Fire in hall A\n/);
    const said = (await ana.answers('1', '1')).at(-1) ?? '';
    assert.match(said, /^You have taken it\. Thank you\.\nAlarm 2 of 3: Fire in hall B\nPress 1 to take it/);
    assert.deepEqual(await takers(), ['ana', '', '']);
    await ana.hangsUp();
    await site.advance('120s');
    await ana.isCalled(/^1 of 2: Fire in hall B\n2 of 2: Fire in hall C$/);
    const later = (await ana.answers('1', '1', '6')).at(-1);
    assert.equal(later, 'You will be called again in five minutes.');
    assert.deepEqual(await takers(), ['ana', 'ana', '']);
    await site.advance('300s');
    await ana.isCalled(/^Fire in hall C$/);
    await ana.takes();
    await site.advance('1h');
    await ana.isNotCalled();
  },
);

testOnAnyStore(
  'declining a later alarm keeps the ones already taken; the relief is called for the declined one',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
    const alarmActions = [{ type: 'CallGroup', id: group }];
    const batch = ['A', 'B'].map((path) => ({ path, alarmMessage: `hall ${path}`, priority: 1, alarmActions }));
    const [first = 0] = await site.ask<readonly number[]>('POST', '/alarms/batch', batch);
    await ana.isCalled(/^1 of 2: hall A\n/);
    await ana.answers('1', '1', '3');
    assert.equal((await site.alarms.get(first)).ackUser, 'ana');
    await bo.isCalled(/^hall B$/);
    await bo.takes();
  },
);

testOnStores(
  'key 3 declines what was read, and the next alarm is read; after hanging up, the rest are called for again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const numbers = [voice('+33100000001', { countTry: 2, timeToAck: 60 })];
    const [ana, bo] = [await site.person('ana', { numbers }), await site.person('bo')];
    const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
    const alarmActions = [{ type: 'CallGroup', id: group }];
    const batch = ['A', 'B', 'C'].map((path) => ({
      path,
      alarmMessage: `hall ${path}`,
      priority: 2,
      alarmActions,
    }));
    await site.ask('POST', '/alarms/batch', batch);
    await ana.isCalled(/^1 of 3: hall A\n/);
    assert.match(
      (await ana.declines()).at(-1) ?? '',
      /^Declined\. The next one is called now\.\nAlarm 2 of 3: hall B\nPress 1/,
    );
    await bo.isCalled(/^hall A$/);
    await bo.takes();
    assert.match(await ana.press('5'), /^Alarm 3 of 3: hall C\n/);
    await ana.press('5');
    await ana.hangsUp();
    await bo.isNotCalled();
    await site.advance('60s');
    await ana.isCalled(/^1 of 2: hall B\n2 of 2: hall C$/);
    await ana.answers('1', '5', '3');
    await bo.isCalled(/^1 of 2: hall B\n2 of 2: hall C$/);
    await bo.answers('1', '9', '1');
  },
);

testOnStores('a reply declines the alarms that its text named, and none that it only counted', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 120 })] });
  const bo = await site.person('bo');
  const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const batch = Array.from({ length: 12 }, (_, n) => ({ path: `A${n}`, alarmMessage: `alarm ${n}`, alarmActions }));
  await site.ask('POST', '/alarms/batch', batch);
  const { code } = await ana.hasText(/\nand 2 more\nReply/);
  assert.equal(await ana.texts(`3 ${code}`), 'Declined. The next one is called now.');
  await bo.isCalled(/^1 of 10: alarm 0\n/);
  await bo.answers('1', '9', '1');
  await site.advance('120s');
  await ana.hasText(/^1 of 2: alarm 10\n2 of 2: alarm 11\nReply/);
  await site.expectWhatRings();
});

testOnAnyStore(
  'a reply takes the alarms its text listed; those only counted come in the next text',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 120 })] });
    const alarmActions = [{ type: 'CallUser', id: ana.id }];
    const batch = Array.from({ length: 12 }, (_, n) => ({ path: `A${n}`, alarmMessage: `alarm ${n}`, alarmActions }));
    const ids = await site.ask<readonly number[]>('POST', '/alarms/batch', batch);
    const { code } = await ana.hasText(/\nand 2 more\nReply \d+ to take the 10 alarms above\.$/);
    assert.equal(await ana.texts(code), 'You have taken 10 alarms. Thank you.');
    const takers = await Promise.all(ids.map(async (id) => (await site.alarms.get(id)).ackUser));
    assert.deepEqual(takers, [...Array(10).fill('ana'), '', '']);
    await site.advance('120s');
    const { code: next } = await ana.hasText(/^1 of 2: alarm 10\n2 of 2: alarm 11\nReply \d+ to take them\.$/);
    assert.equal(await ana.texts(next), 'You have taken 2 alarms. Thank you.');
  },
);
