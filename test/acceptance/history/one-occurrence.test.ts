// One occurrence of an alarm: its entry, what happened in it, and who was called for it, apart from those before and after.

import assert from 'node:assert/strict';
import { startSite } from '../../harness/site/site.ts';
import { executeSql } from '../../harness/stores/execute-sql.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

type Event = { readonly event: string };

testOnStores(
  'one occurrence: its entry, events and attempts, also after the next one and after its alarm was removed',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const bo = await site.person('bo');
    const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
    const alarm = await site.alarms.raise(group);
    await ana.isCalled();
    await ana.declines();
    await bo.isCalled();
    await bo.takes();
    await site.ask('POST', `/alarms/${alarm}/comments`, { comment: 'the first night' });
    await site.alarms.returnsToNormal();
    await site.advance('1h');
    await site.alarms.raise(group);
    await ana.isCalled();
    await ana.takes();

    const [first, second] = (await site.list(`/alarms/histories?alarmId=${alarm}`)).items.map(({ id }) => Number(id));
    const entry = await site.ask<{ ackUser: string; comment: string; tagId: number }>('GET', `/occurrences/${first}`);
    assert.deepEqual([entry.tagId, entry.ackUser, entry.comment], [alarm, 'bo', 'the first night']);
    const eventsOf = (id: unknown) => site.ask<readonly Event[]>('GET', `/occurrences/${id}/timeline`);
    const kindsOf = async (id: unknown) => (await eventsOf(id)).map(({ event }) => event);
    const ofFirst = ['raised', 'call.round', 'acknowledged', 'commented', 'returned'];
    assert.deepEqual(
      (await kindsOf(first)).filter((one) => ofFirst.includes(one)),
      ofFirst,
    );
    assert.deepEqual(
      (await kindsOf(second)).filter((one) => !one.startsWith('call.')),
      ['raised', 'acknowledged'],
    );
    const attemptsOf = async (id: unknown) =>
      (await site.list(`/call/histories?occurrenceId=${id}`)).items.map((one) => [
        one.user,
        one.occurrenceId,
        one.text,
      ]);
    const text = 'Pump1 is too hot';
    const [ofNight, ofNext] = [await attemptsOf(first), await attemptsOf(second)];
    assert.deepEqual(ofNight, [
      ['ana', first, text],
      ['bo', first, text],
    ]);
    assert.deepEqual(ofNext, [
      ['ana', second, text],
      ['bo', second, text],
    ]);

    const scopes = ['history:read', 'alarms:read', 'calls:read'];
    const elsewhere = await site.create('/stations', { name: 'Elsewhere' });
    const own = site.as(await site.keyFor(scopes, [1]));
    const foreign = site.as(await site.keyFor(scopes, [elsewhere]));
    const attempts = `/call/histories?occurrenceId=${first}`;
    assert.deepEqual([(await own.list(attempts)).paging.total, (await foreign.list(attempts)).paging.total], [2, 0]);
    for (const path of [`/occurrences/${first}`, `/occurrences/${first}/timeline`]) {
      assert.equal((await own.request('GET', path)).status, 200);
      assert.equal((await foreign.request('GET', path)).status, 404);
    }

    await site.alarms.returnsToNormal();
    await site.ask('DELETE', `/alarms/${alarm}`);
    assert.equal((await site.ask<{ id: number }>('GET', `/occurrences/${first}`)).id, first);
    assert.deepEqual(
      (await kindsOf(first)).filter((one) => ofFirst.includes(one)),
      ofFirst,
    );
    assert.equal((await attemptsOf(first)).length, ofNight.length);
    assert.equal((await site.request('GET', '/occurrences/999')).status, 404);
    assert.equal((await site.request('GET', '/occurrences/999/timeline')).status, 404);
  },
);

testOnStores('an old occurrence is told from its own events, however many came after it', async (t, kind) => {
  const site = await startSite(t, kind);
  const alarm = await site.alarms.send({ path: 'Door', alarmMessage: 'The door is open', raised: true });
  await site.ask('POST', `/alarms/${alarm}/comments`, { comment: 'the first time' });
  await site.ask('POST', `/alarms/${alarm}/acknowledge`, {});
  await site.alarms.send({ path: 'Door', raised: false });
  await site.advance('1m');
  await site.alarms.send({ path: 'Door', raised: true });
  await site.alarms.send({ path: 'Door', raised: false });
  const [first] = (await site.list(`/alarms/histories?alarmId=${alarm}`)).items.map(({ id }) => Number(id));
  // Whoever goes back from the newest event of the alarm finds nothing any more.
  await executeSql(site.app, 'update alarms set last_event_id = null');
  const events = await site.ask<readonly Event[]>('GET', `/occurrences/${first}/timeline`);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['raised', 'commented', 'acknowledged', 'returned'],
  );
});

testOnStores('the last occurrence of a removed alarm is told to its end', async (t, kind) => {
  const site = await startSite(t, kind);
  const alarm = await site.alarms.send({ path: 'Door', alarmMessage: 'The door is open', raised: true });
  await site.ask('POST', `/alarms/${alarm}/acknowledge`, {});
  await site.alarms.send({ path: 'Door', raised: false });
  const [last] = (await site.list(`/alarms/histories?alarmId=${alarm}`)).items.map(({ id }) => Number(id));
  const told = async () =>
    (await site.ask<readonly Event[]>('GET', `/occurrences/${last}/timeline`)).map(({ event }) => event);
  const before = await told();
  assert.deepEqual(before, ['raised', 'acknowledged', 'returned']);
  await site.ask('DELETE', `/alarms/${alarm}`);
  assert.deepEqual((await told()).slice(0, before.length), before);
  // One that is removed with its return.
  const short = await site.alarms.send({
    path: 'Guest',
    alarmMessage: 'Somebody rings',
    temporary: true,
    raised: true,
  });
  const [entry] = (await site.list(`/alarms/histories?alarmId=${short}`)).items.map(({ id }) => Number(id));
  await site.ask('POST', `/alarms/${short}/acknowledge`, {});
  await site.alarms.send({ path: 'Guest', raised: false });
  assert.equal((await site.request('GET', `/alarms/${short}`)).status, 404);
  const events = await site.ask<readonly Event[]>('GET', `/occurrences/${entry}/timeline`);
  assert.deepEqual(
    events.slice(0, 2).map(({ event }) => event),
    ['raised', 'acknowledged'],
  );
});

testOnStores('an occurrence of an earlier version is told from the newest event of its alarm', async (t, kind) => {
  const site = await startSite(t, kind);
  const alarm = await site.alarms.send({ path: 'Door', alarmMessage: 'The door is open', raised: true });
  await site.alarms.send({ path: 'Door', raised: false });
  await site.alarms.send({ path: 'Door', raised: true });
  const [first] = (await site.list(`/alarms/histories?alarmId=${alarm}`)).items.map(({ id }) => Number(id));
  await executeSql(site.app, 'update alarm_histories set event_id = null');
  const events = await site.ask<readonly Event[]>('GET', `/occurrences/${first}/timeline`);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['raised', 'returned'],
  );
});

testOnStores(
  'an occurrence that was called for tells so, also when its alarm came again meanwhile',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const bo = await site.person('bo');
    const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
    const alarm = await site.alarms.raise(group, { path: 'Tank', alarmMessage: 'level high' });
    await ana.isCalled(/level high/);
    await ana.declines();
    await site.advance('5s');
    await bo.isCalled(/level high/);
    await site.alarms.send({ path: 'Tank', raised: false });
    await site.advance('5s');
    await site.alarms.raise(group, { path: 'Tank', alarmMessage: 'tank overflowing' });
    await bo.takes();

    const [first, second] = (await site.list(`/alarms/histories?alarmId=${alarm}`)).items.map(({ id }) => Number(id));
    const attemptsOf = async (id: unknown) =>
      (await site.list(`/call/histories?occurrenceId=${id}`)).items.map(({ user, occurrenceId, text }) => [
        user,
        occurrenceId,
        String(text).includes('level high'),
      ]);
    assert.deepEqual(await attemptsOf(first), [
      ['ana', first, true],
      ['bo', first, true],
    ]);
    // His phone rang on, for the alarm that came again.
    assert.deepEqual(await attemptsOf(second), [['bo', first, true]]);
    const eventsOf = async (id: unknown) =>
      (await site.ask<readonly Event[]>('GET', `/occurrences/${id}/timeline`)).map(({ event }) => event);
    assert.ok((await eventsOf(first)).includes('call.round'));
    assert.equal((await eventsOf(second))[0], 'raised');
  },
);
