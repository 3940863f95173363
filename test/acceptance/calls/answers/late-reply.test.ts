// A reply that comes too late is told what became of the alarm; it still takes an alarm that nobody has taken.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a late reply is told who has taken the alarm, or that it is over', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { language: 'de', numbers: [sms('+33600000001')] });
  const bo = await site.person('bo', { displayName: 'Bo from the works' });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group);
  const { text } = await ana.hasText(/Antworten Sie \d{4}, um ihn zu übernehmen\.$/);
  const code = /\d{4}/.exec(text)?.[0] ?? '';
  await bo.isCalled();
  await bo.takes();
  for (const reply of [code, `1 ${code}`, `${code} alle`, `2 ${code}`])
    assert.equal(await ana.texts(reply), 'Bo from the works hat ihn übernommen.', reply);
  assert.equal(await ana.texts('1 9999'), 'Es gibt nichts zu beantworten.');
  const other = await site.alarms.raise(group, { path: 'Other' });
  const next = /\d{4}/.exec((await ana.hasText(/Antworten/)).text)?.[0] ?? '';
  await bo.isCalled();
  await site.ask('POST', `/alarms/${other}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'scrapped' });
  await site.ask('DELETE', `/alarms/${other}`);
  await site.settle();
  assert.equal(await ana.texts(next), 'Es ist schon vorbei.');
});

testOnAnyStore('a late reply takes an alarm that nobody has taken, but no newer occurrence of it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { countTry: 1, timeToAck: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const first = await ana.hasText(/Pump1/);
  await site.advance('1h');
  await site.expectWhatRings();
  assert.equal(await ana.texts(first.code), 'You have taken it. Thank you.');
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  await site.alarms.returnsToNormal();
  await site.alarms.raise(group, { priority: 3 });
  const second = await ana.hasText(/Pump1/);
  assert.notEqual(second.text, first.text);
  await site.alarms.returnsToNormal();
  await site.alarms.raise(group, { priority: 3, alarmActions: [] });
  await site.advance('1h');
  await site.expectWhatRings();
  if (first.code !== second.code) assert.equal(await ana.texts(first.code), 'It is over already.');
  assert.equal((await site.alarms.get(alarm)).ackUser, '');
});

testOnAnyStore('CODE all takes the alarms that the text names', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 3600 })] });
  const alarmActions = [{ type: 'CallUser', id: ana.id, parameter: '5' }];
  const batch = Array.from({ length: 12 }, (_, n) => ({ path: `A${n}`, alarmMessage: `alarm ${n}`, alarmActions }));
  const ids = await site.ask<readonly number[]>('POST', '/alarms/batch', batch);
  await site.advance('5s');
  const { code } = await ana.hasText(/\nand 2 more\n/);
  assert.equal(await ana.texts(`${code} ALL`), 'You have taken 10 alarms. Thank you.');
  const ackUsers = await Promise.all(ids.map(async (id) => (await site.alarms.get(id)).ackUser));
  assert.deepEqual(ackUsers, [...Array(10).fill('ana'), '', '']);
});

testOnAnyStore('a reply to a text of an ended call is told what became of it for seven days', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { countTry: 1, timeToAck: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  const first = await ana.hasText(/Pump1/);
  assert.equal(await ana.texts(first.code), 'You have taken it. Thank you.');
  await site.advance('6d');
  assert.equal(await ana.texts(first.code), 'You have taken it already.');
  await site.advance('2d');
  assert.equal(await ana.texts(first.code), 'There is nothing to answer.');
});
