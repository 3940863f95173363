// The purge deletes old events, sessions and history entries in small steps, and warns about keys that expire soon.

import assert from 'node:assert/strict';
import { warnOfExpiringKeys } from '../../../src/operations/access/key-warnings.ts';
import { purgeCalls } from '../../../src/operations/calls/purge.ts';
import { trimHistory } from '../../../src/operations/history/purge.ts';
import { purgeExpired } from '../../../src/operations/system/purge.ts';
import { readEvents, readLogPosition } from '../../../src/store/event-log.ts';
import { startTestApp, type TestApp } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const day = 86_400_000;

async function tidy(app: TestApp): Promise<number> {
  let steps = 1;
  const asOf = app.clock.now();
  const step = () => app.store.write(purgeExpired, { asOf, eventsBefore: asOf - 30 * day });
  while (await step()) steps++;
  return steps;
}

async function numberedEvents(app: TestApp) {
  return app.store.read(readEvents, { after: 0, limit: 10_000 });
}

testOnStores('events older than thirty days are deleted in small steps; the newest one stays', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const make = (n: number) => app.request('POST', '/api/v1/taggroups', { token, body: { name: `g${n}` } });
  await Promise.all(Array.from({ length: 600 }, (_, n) => make(n)));
  const all = await until(
    () => numberedEvents(app),
    (events) => events.length >= 602,
  );
  app.clock.advance(29 * day);
  await tidy(app);
  assert.equal((await numberedEvents(app)).length, all.length);
  app.clock.advance(2 * day);
  assert.ok((await tidy(app)) >= 2, 'more than one step');
  const left = await numberedEvents(app);
  assert.deepEqual(
    left.map(({ position }) => position),
    [all.at(-1)?.position],
  );
  const { position, epoch } = await app.store.read(readLogPosition, {});
  assert.equal(position, all.at(-1)?.position, 'positions go on where they were');
  assert.match(epoch, /^[\da-f-]{36}$/);
});

testOnStores('a key that expires soon raises an alarm thirty, seven and one day before, once each', async (t, kind) => {
  const site = await startSite(t, kind);
  const expiryTime = new Date(site.app.clock.now() + 40 * day).toISOString();
  const body = { name: 'PLC', scopes: ['alarms:write'], expiryTime };
  await site.ask('POST', '/auth/keys', body);
  for (let n = 0; n < 41; n++) {
    await site.app.store.write(warnOfExpiringKeys, {});
    site.app.clock.advance(day);
  }
  const isWarning = ({ kind: what }: { kind: string }) => what === 'key.expiring';
  const events = await until(
    () => numberedEvents(site.app),
    (list) => list.filter(isWarning).length >= 3,
  );
  const warned = events.filter(isWarning);
  assert.deepEqual(
    warned.map(({ data }) => data),
    [30, 7, 1].map((days) => ({ name: 'PLC', days })),
  );
  await site.signInAgain();
  const told = (await site.alarms.histories()).items;
  assert.deepEqual(
    told.map(({ message }) => String(message).match(/ends in (.*):/)?.[1]),
    ['30 days', '7 days', 'a day'],
  );
  const { path, priority, state } = await site.alarms.get(told[0]?.tagId as number);
  assert.deepEqual([path, priority, state], ['system/key-expiring/1', 1, 2]);
});

testOnStores('expired history entries are deleted with everything derived from them', async (t, kind) => {
  const site = await startSite(t, kind);
  const tables = await tablesOf(site.app.environment);
  t.after(() => tables.close());
  /** Signs in again, because no session lasts for years. */
  const pass = async (years: number) => {
    site.app.clock.advance(years * 365.25 * day);
    await site.signInAgain();
  };
  const trim = () => site.app.store.write(trimHistory, { before: site.app.clock.now() - 10 * 365.25 * day });
  const open = await site.alarms.send({ path: 'goes on' });
  for (let n = 0; n < 130; n++) {
    const alarmMessage = n < 65 ? 'first message' : 'second message';
    for (const path of ['old', 'older']) await site.alarms.send({ path, alarmMessage, raised: n % 2 === 0 });
    // Not in a rhythm, or there would be an alarm about the silence of years.
    site.app.clock.advance(n % 10 === 0 ? day / 4 : 60_000);
  }
  await site.request('POST', `/alarms/${open + 1}/acknowledge`, { comment: 'a word' });
  await pass(5);
  await site.alarms.send({ path: 'old', raised: true });
  await site.alarms.send({ path: 'old', raised: false });
  assert.equal(await trim(), false, 'nothing is ten years old');
  assert.equal((await site.alarms.histories('?limit=0')).paging.total, 132);
  await pass(6);
  while (await trim());
  const { items, paging } = await site.alarms.histories();
  assert.deepEqual([items.map(({ tagName }) => tagName), paging.total], [['goes on', 'old'], 2]);
  assert.deepEqual(
    (await tables.all('history_texts')).map(({ tag_name, message }) => [tag_name, message]).toSorted(),
    [
      ['goes on', ''],
      ['old', 'second message'],
    ],
    'texts go with the last entry that had them',
  );
  assert.equal((await site.list('/alarms/statistics?search=old')).paging.total, 1);
  const years = (from: string, to: string) =>
    site.list(`/alarms/statistics?from=${from}-01-01T00:00:00Z&to=${to}-01-01T00:00:00Z`);
  const trimmed = await years('2026', '2030');
  assert.deepEqual(
    [trimmed.items.map(({ tagName }) => tagName), trimmed.paging.total],
    [['goes on'], 1],
    'statistics of a period count those that still have entries in it',
  );
  assert.equal((await years('2030', '2033')).paging.total, 1);
  assert.equal((await site.list('/alarms/interventions')).items.length, 0, 'who took them is forgotten with them');
  const zeros = await tables.select(`select level, step from history_counts where entries = 0
    union all select level, step from intervention_counts where interventions = 0`);
  assert.deepEqual(zeros, [], 'counts that have become zero do not stay');
  assert.equal((await site.alarms.histories('?search=word')).paging.total, 0);
  assert.equal((await site.alarms.histories('?search=older')).paging.total, 0);
  await site.alarms.send({ path: 'older', raised: true });
  assert.equal((await site.alarms.histories('?search=older')).paging.total, 1, 'the alarm goes on');
  assert.equal((await site.list('/alarms/statistics')).items.length, 3);
});

testOnStores('the sound of a recorded message is kept for thirty days, its text with the calls', async (t, kind) => {
  const site = await startSite(t, kind);
  const tables = await tablesOf(site.app.environment);
  t.after(() => tables.close());
  const now = site.app.clock.now();
  const message = (num: number, days: number) =>
    tables.run(`insert into call_messages (text, num, audio, file, actor, created_at)
      values ('words', ${num}, 'QUJD', '', 'user:1', ${now - days * day})`);
  for (let n = 1; n <= 30; n++) await message(n, 31);
  await message(31, 29);
  // A call that is still open plays its recording.
  await message(32, 31);
  await tables.run(`insert into call_causes (kind, list, target_kind, target_id, station_id, message_id, priority, is_transitory, text,
    short_text, created_at, due_at) values ('message', '', 'user', 1, 1, (select id from call_messages where num = 32), 1, 0, '', '',
    ${now}, ${now + 100 * day})`);
  const before = { before: now - 3_650 * day, recordingsBefore: now - 30 * day, phonesBefore: now - 30 * day };
  while (await site.app.store.write(purgeCalls, before));
  const kept = await tables.all('call_messages');
  assert.deepEqual(
    kept.filter(({ audio }) => audio !== '').map(({ num }) => num),
    [31, 32],
  );
  assert.deepEqual([...new Set(kept.map(({ text }) => text))], ['words']);
  await tables.run('delete from call_causes');
});

testOnStores('codes that nobody can give back any more are deleted when they count for nothing', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [{ channel: 'sms', address: '+33600000001', verified: false }] });
  const [{ id = 0 } = {}] = (await site.ask('GET', `/users/${ana.id}`)).numbers as readonly { id?: number }[];
  await site.ask('POST', `/users/${ana.id}/numbers/${id}/verify`, {});
  const tables = await tablesOf(site.app.environment);
  t.after(() => tables.close());
  const kept = async () => (await tables.all('number_verifications')).length;
  site.app.clock.advance(59 * 60_000);
  await tidy(site.app);
  assert.equal(await kept(), 1, 'it counts for how many codes are sent in an hour');
  site.app.clock.advance(2 * 60_000);
  await tidy(site.app);
  assert.equal(await kept(), 0);
});

testOnStores(
  'an alarm that was called in vain does not keep the attempts of later ones from being deleted',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
    const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(pumps, { priority: 3, path: 'in vain' });
    await site.advance('10m');
    await site.alarms.raise(pumps, { priority: 3, path: 'taken' });
    await ana.isCalled();
    await ana.takes();
    await site.advance('1h');
    await site.alarms.raise(pumps, { priority: 3, path: 'open' });
    await site.expectWhatRings();
    const tables = await tablesOf(site.app.environment);
    t.after(() => tables.close());
    const alarms = async () => (await tables.all('call_attempts')).map(({ alarm_id }) => alarm_id);
    const last = (await alarms()).at(-1);
    const before = site.app.clock.now() + day;
    await tables.run(`update call_attempts set ended_at = ${site.app.clock.now()}`);
    while (await site.app.store.write(purgeCalls, { before, recordingsBefore: before, phonesBefore: 0 }));
    assert.deepEqual([...new Set(await alarms())], [last], 'what an alarm needs that is being called for stays');
  },
);
