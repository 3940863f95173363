// Texts are written in the language and zone of the person, say when an alarm has returned, and fit the channel.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('written texts are in the language of the person, English where there is none', async (t, kind) => {
  const site = await startSite(t, kind);
  const people = [
    ['ana', 'fr', /^Retour à la normale : Pump1 is too hot\nRépondez \d+ pour confirmer/],
    ['bo', 'de-AT', /^Wieder normal: Pump1 is too hot\nAntworten Sie \d+/],
    ['cy', 'pt', /^Back to normal: Pump1 is too hot\nReply \d+ to confirm/],
  ] as const;
  const called = await Promise.all(
    people.map(async ([name, language, text], n) => {
      const person = await site.person(name, { language, numbers: [sms(`+3360000000${n}`)] });
      return { person, text };
    }),
  );
  const resetActions = called.map(({ person }) => ({ type: 'CallUser', id: person.id }));
  await site.alarms.raise(0, { alarmActions: [], resetActions });
  await site.alarms.returnsToNormal();
  for (const { person, text } of called) await person.hasText(text);
});

testOnAnyStore('the time in a text is that of the zone of the person', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { timeZone: 'Asia/Tokyo' });
  const bo = await site.person('bo', { timeZone: 'America/New_York' });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group, { alarmFormat: '{time} {message}' });
  await ana.isCalled(/^2026-11-15 21:00 Pump1 is too hot$/);
  await bo.isCalled(/^2026-11-15 07:00 Pump1 is too hot$/);
  await bo.takes();
  await ana.isNotCalled();
});

testOnAnyStore('an alarm that has returned to normal is read as returned; a transitory one is not', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [voice('+33100000001', { countTry: 2, timeToRetry: 60 })];
  const ana = await site.person('ana', { numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  await ana.isCalled(/^Pump1 is too hot$/);
  await site.alarms.returnsToNormal();
  await site.advance('90s');
  await ana.isCalled(/^Back to normal: Pump1 is too hot$/);
  await site.alarms.raise(group);
  assert.match((await ana.answers('1'))[1] ?? '', /^Pump1 is too hot\n/, 'as it is when she answers');
  await ana.press('1');
  await site.alarms.raise(group, { path: 'Bell', alarmMessage: 'ding', eventCondition: { transitory: true } });
  await ana.isCalled(/^ding$/);
  await ana.takes();
});

testOnAnyStore(
  'a text message has at most three segments; what was left out is counted and not taken',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 120 })] });
    const alarmActions = [{ type: 'CallUser', id: ana.id, parameter: '5' }];
    const batch = ['a', 'b', 'c', 'd'].map((path) => ({ path, alarmMessage: path.repeat(140), alarmActions }));
    const ids = await site.ask<readonly number[]>('POST', '/alarms/batch', batch);
    await site.advance('5s');
    const { text, code } = await ana.hasText(
      /^1 of 4: a{140}\n2 of 4: b{140}\nand 2 more\nReply \d+ to take the 2 alarms above\.$/,
    );
    assert.ok(text.length <= 459);
    assert.equal(await ana.texts(code), 'You have taken 2 alarms. Thank you.');
    const ackUsers = await Promise.all(ids.map(async (id) => (await site.alarms.get(id)).ackUser));
    assert.deepEqual(ackUsers, ['ana', 'ana', '', '']);
    await site.advance('120s');
    await ana.hasText(/^1 of 2: c{140}\n2 of 2: d{140}\nReply/);
  },
);

testOnAnyStore('short channels get the short message and the number of a message', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { ackAutoDefault: 1 })] });
  const bo = await site.person('bo', { numbers: [{ channel: 'pager', address: '4711', ackAutoDefault: 1 }] });
  const cy = await site.person('cy');
  const userIds = [ana.id, bo.id];
  await site.ask('POST', '/call/users', { userIds, msgText: 'come in', msgNum: 17 });
  await ana.hasText(/^17: come in\nReply/);
  await bo.hasText(/^17$/);
  await site.ask('POST', '/call/users', { userIds: [cy.id], msgText: 'come in', msgNum: 17 });
  await cy.isCalled(/^come in\nThe code is 17\.$/);
  assert.match((await cy.answers('1'))[1] ?? '', /^come in\nThe code is 17\.\nPress 1 to confirm/);
  await cy.press('1');
  await site.advance('60s');
  const alarmActions = userIds.map((id) => ({ type: 'CallUser', id }));
  const alarm = await site.alarms.raise(0, { alarmShortMessage: 'hot!', priority: 3, alarmActions });
  await site.admin.isCalled();
  await ana.hasText(/^hot!\nReply/);
  await bo.hasText(/^hot!$/);
  await site.alarms.acknowledge(alarm);
  await site.advance('60s');
  await site.ask('POST', '/call/users', { userIds, msgNum: 18 });
  await ana.hasText(/^Message 18\nReply/);
  await bo.hasText(/^18$/);
});
