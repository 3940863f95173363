// The calls that are running or waiting, seen from outside; cancelling those that are not for an alarm.

import assert from 'node:assert/strict';
import { journalOf } from '../../../harness/site/journal.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { detail, type List, type Row } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

const open = async (site: Pick<Site, 'list'>, query = ''): Promise<readonly Row[]> =>
  (await site.list(`/calls${query}`)).items;
const people = (call: Row | undefined): readonly Row[] => (call?.people ?? []) as readonly Row[];
const causesOf = (call: Row | undefined): readonly Row[] => (call?.causes ?? []) as readonly Row[];

testOnAnyStore('a call shows its causes, people, attempts and next step until it is taken', async (t, kind) => {
  const site = await startSite(t, kind);
  const three = { numbers: [voice('+33100000001', { countTry: 3, timeToRetry: 60 })] };
  const [ana, bo] = [await site.person('ana', three), await site.person('bo')];
  const relief = await site.group('Relief', [await site.team('Relief', [bo])]);
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId: relief });
  assert.deepEqual(await open(site), []);
  const alarmId = await site.alarms.raise(pumps);
  await ana.isCalled();
  const [call] = await open(site);
  const { id, startTime, causes, ...rest } = call as Row & { causes: readonly Row[] };
  assert.equal(startTime, '2026-11-15T13:00:00.000+01:00');
  assert.deepEqual(
    causes.map(({ time: _, ...cause }) => cause),
    [{ cause: 'alarm', alarmId, priority: 1, text: 'Pump1 is too hot' }],
  );
  const raised = { reason: 'the alarm was raised', reasonCode: 'raised' };
  const ringing = { userId: ana.id, user: 'ana', callGroupId: pumps, relief: false, notice: false, channel: 'voice' };
  assert.deepEqual(rest, {
    callGroupId: pumps,
    name: 'Pumps',
    phase: 'calling',
    round: 1,
    causeCount: 1,
    people: [{ ...ringing, step: 'calling', provider: 'Simulated phones', attempt: '1/3', ...raised }],
    next: { step: 'level', time: '2026-11-15T13:15:00.000+01:00' },
    ...raised,
  });
  await site.advance('31s');
  const [waiting] = await open(site);
  const retry = { step: 'retrying', attempt: '1/3', nextTime: '2026-11-15T13:01:30.000+01:00' };
  const rests = { reason: 'called a short while ago, and not again before 13:01', reasonCode: 'rests' };
  assert.deepEqual(people(waiting), [{ ...ringing, ...retry, ...rests }]);
  assert.deepEqual(waiting?.next, { step: 'attempt', time: '2026-11-15T13:01:30.000+01:00' });
  await site.advance('60s');
  await ana.isCalled();
  assert.equal(people((await open(site))[0])[0]?.attempt, '2/3');
  await ana.declines();
  await bo.isCalled();
  const [relieved] = await open(site);
  assert.deepEqual(
    people(relieved).map(({ user, step, callGroupId }) => [user, step, callGroupId]),
    [
      ['ana', 'declined', pumps],
      ['bo', 'calling', relief],
    ],
  );
  assert.equal((await site.request('POST', `/calls/${id}/cancel`)).status, 422, 'an alarm is never cancelled');
  await bo.isCalled();
  await bo.takes();
  assert.deepEqual(await open(site), []);
  assert.equal((await site.request('POST', `/calls/${id}/cancel`)).status, 409, 'it has ended');
});

testOnStores('waiting calls and calls by name are listed, page by page', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const scheduleId = await site.schedule(await site.team('Night', [ana]), '20:00', '24:00');
  const pumps = await site.group('Pumps', [], { scheduleId });
  await site.alarms.raise(pumps, { priority: 3 });
  await site.ask('POST', '/call/users', { userIds: [ana.id], msgText: 'Please come' });
  await ana.isCalled();
  await site.expectWhatRings();
  const calls = await open(site);
  const waiting = calls.find(({ callGroupId }) => callGroupId === pumps);
  assert.equal(waiting?.phase, 'waiting');
  assert.match(JSON.stringify(waiting?.next), /"step":"duty"/);
  const byName = calls.find(({ userId }) => userId === ana.id);
  assert.equal(byName?.name, 'ana');
  assert.deepEqual(
    causesOf(byName).map(({ cause, text }) => [cause, text]),
    [['message', 'Please come']],
  );
  const page = await site.ask<List>('GET', '/calls?limit=1&offset=1&sort=-id');
  assert.deepEqual(
    [page.items.map(({ id }) => id), page.paging],
    [[calls.at(-2)?.id], { offset: 1, limit: 1, total: calls.length }],
  );
});

testOnAnyStore(
  'a message, a test and a drill can be cancelled; a call for an alarm as well goes on',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    const pumps = await site.group('Pumps', [await site.team('Night', [bo])]);
    const cancel = async (call: Row | undefined) => site.request('POST', `/calls/${call?.id}/cancel`);
    const callOf = async (key: 'userId' | 'callGroupId', id: number) => {
      await site.settle();
      return (await open(site)).find((call) => call[key] === id);
    };
    for (const path of ['/call/users', '/call/test']) {
      await site.ask('POST', path, { userIds: [ana.id], msgText: 'Please come' });
      await ana.isCalled();
      const call = await callOf('userId', ana.id);
      assert.equal((await cancel(call)).status, 200);
      await ana.isNotCalled();
      assert.equal(await callOf('userId', ana.id), undefined);
      assert.equal((await cancel(call)).status, 409);
      // Her number rests after a ring, whatever it was for.
      await site.advance('2m');
    }
    await site.ask('POST', `/callgroups/${pumps}/drill`, { msgText: 'Drill' });
    await bo.isCalled();
    const drill = await callOf('callGroupId', pumps);
    assert.equal((await cancel(drill)).status, 200);
    await bo.isNotCalled();
    const [entry] = await journalOf(site, '&kind=call.cancelled');
    assert.deepEqual([entry?.actor, entry?.subject], ['user:1', `call:${drill?.id}`]);
    const alarmId = await site.alarms.raise(pumps);
    await bo.isCalled();
    await site.ask('POST', `/callgroups/${pumps}/drill`, { msgText: 'Drill' });
    await site.settle();
    const both = await callOf('callGroupId', pumps);
    assert.equal(both?.causeCount, 2);
    assert.equal((await cancel(both)).status, 200);
    await bo.isCalled();
    const left = await callOf('callGroupId', pumps);
    assert.deepEqual(
      causesOf(left).map((cause) => cause.alarmId),
      [alarmId],
    );
    const refused = await cancel(left);
    assert.equal(refused.status, 422);
    assert.match(detail(refused), /acknowledge or mask the alarm/);
    assert.equal((await site.request('POST', '/calls/4711/cancel')).status, 404);
    const operator = site.as(await site.keyFor(['calls:read', 'calls:send', 'alarms:ack']));
    assert.equal((await operator.request('POST', `/calls/${left?.id}/cancel`)).status, 403);
  },
);

testOnAnyStore('callers bound to a station see its calls, without the names of other stations', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const [ana, bo] = [await site.person('ana', { stationIds: [north] }), await site.person('bo', { stationIds: [1] })];
  const own = await site.group('Own', [await site.team('Own', [ana, bo])], { stationId: north });
  const other = await site.group('Other', [await site.team('Other', [bo])]);
  await site.alarms.raise(own, { path: 'Own', stationId: north });
  await site.alarms.raise(own, { path: 'Elsewhere', alarmMessage: 'secret' });
  await site.alarms.raise(other, { path: 'Other', alarmMessage: 'secret' });
  await ana.isCalled();
  await bo.isCalled();
  const bound = site.as(await site.keyFor(['calls:read', 'calls:control'], [north]));
  const seen = await open(bound);
  assert.deepEqual(
    seen.map(({ name, causeCount }) => [name, causeCount]),
    [['Own', 1]],
  );
  assert.deepEqual(
    people(seen[0]).map(({ userId, user }) => [userId, user]),
    [
      [ana.id, 'ana'],
      [0, 'another station'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(seen), /secret|bo/);
  const foreign = (await open(site)).find(({ name }) => name === 'Other');
  assert.equal((await bound.request('POST', `/calls/${foreign?.id}/cancel`)).status, 404);
  await site.expectWhatRings();
});

testOnAnyStore('who acknowledges for somebody else is in the journal, who took it everywhere else', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const first = await site.alarms.raise(pumps);
  await ana.isCalled();
  await site.ask('POST', `/alarms/${first}/acknowledge`, { onBehalfOf: ana.id, comment: 'she rang me' });
  await ana.isNotCalled();
  assert.equal((await site.alarms.get(first)).ackUser, 'ana');
  const { items } = await site.list('/alarms/interventions');
  assert.deepEqual(
    items.map(({ user }) => user),
    ['ana'],
  );
  const [entry] = await journalOf(site, '&kind=alarm.acknowledged');
  assert.equal(entry?.actor, 'user:1');
  assert.deepEqual([entry?.after?.ackUser, entry?.after?.onBehalfOf], ['ana', `user:${ana.id}`]);
  const second = await site.alarms.send({ path: 'Second', priority: 3 });
  const several = await site.ask<unknown[]>('POST', '/alarms/acknowledge', { ids: [second], onBehalfOf: ana.id });
  assert.deepEqual(several, [second]);
  assert.equal((await site.alarms.get(second)).ackUser, 'ana');
  const third = await site.alarms.send({ path: 'Third', priority: 3 });
  const acknowledge = (caller: Pick<Site, 'request'>, onBehalfOf: number) =>
    caller.request('POST', `/alarms/${third}/acknowledge`, { onBehalfOf });
  assert.equal((await acknowledge(site, 4711)).status, 422);
  const operator = site.as(await site.keyFor(['alarms:read', 'alarms:ack']));
  assert.equal((await acknowledge(operator, ana.id)).status, 403);
  assert.equal((await site.alarms.get(third)).ackUser, '');
});

testOnStores('a call that waits for the delay of its action is listed with the time it starts', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const north = await site.create('/stations', { name: 'North' });
  const alarmActions = [{ type: 'CallGroup', id: pumps, parameter: '300' }];
  const alarm = await site.alarms.send({ path: 'Pump', alarmMessage: 'too hot', priority: 2, alarmActions });
  const begins = new Date(site.app.clock.now() + 300_000).toISOString().slice(0, 19);
  await site.alarms.raise(pumps, { path: 'Now' });
  await ana.isCalled();
  const { items, paging } = await site.list('/calls');
  assert.equal(paging.total, 2);
  const [running, waiting] = items;
  assert.equal(running?.phase, 'calling');
  const { causes, next, ...call } = waiting as Row & { causes: readonly Row[]; next: Row };
  assert.deepEqual(
    [call.id, call.callGroupId, call.name, call.phase, call.people, call.causeCount, call.reason],
    [0, pumps, 'Pumps', 'waiting', [], 1, 'begins at 13:05, after its delay'],
  );
  assert.deepEqual([causes[0]?.alarmId, causes[0]?.text], [alarm, 'too hot']);
  assert.equal(next.step, 'start');
  assert.equal(new Date(Date.parse(String(next.time))).toISOString().slice(0, 19), begins);
  const [first] = (await site.list('/calls?sort=-id&limit=1')).items;
  assert.equal(first?.id, 0, 'the last of the list');
  const bound = site.as(await site.keyFor(['calls:read'], [north]));
  assert.equal((await bound.list('/calls')).paging.total, 0);
  await site.alarms.returnsToNormal('Pump');
  assert.equal((await site.list('/calls')).paging.total, 1, 'a return to normal cancels the delayed call');
});

testOnAnyStore(
  'an alarm that was called in vain is no open call, and what comes later is a call of its own',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
    const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(pumps, { priority: 3 });
    await ana.isCalled();
    const [begun] = await open(site);
    await site.advance('20m');
    await site.expectWhatRings();
    assert.deepEqual(await open(site), []);
    assert.equal((await site.request('POST', `/calls/${begun?.id}/cancel`)).status, 409, 'it has ended');
    await site.advance('1d');
    await site.ask('POST', `/callgroups/${pumps}/drill`, { msgText: 'Drill' });
    await ana.isCalled();
    const [drill, ...others] = await open(site);
    assert.deepEqual(others, []);
    assert.notEqual(drill?.id, begun?.id);
    assert.equal(drill?.startTime, '2026-11-16T13:20:00.000+01:00');
    assert.deepEqual(
      causesOf(drill).map(({ cause }) => cause),
      ['test'],
    );
    assert.equal((await site.request('POST', `/calls/${drill?.id}/cancel`)).status, 200);
    await ana.isNotCalled();
    assert.deepEqual(await open(site), []);
  },
);
