// What a review found wrong once, each as it happened: PINs that locked others out, priorities that did not count, phones
// that said what was not so, and callers who reached further than they may.

import assert from 'node:assert/strict';
import { endAttempt, renewLeases, takeAttempts } from '../../../../src/operations/calls/advance.ts';
import { startSite } from '../../../harness/site.ts';
import type { Row } from '../../../harness/site-caller.ts';
import { sms, voice } from '../../../harness/site-phones.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

testOnStores("three wrong PINs lock one person's simulated phone, and nobody else's", async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [], pin: '4321' });
  const bo = await site.person('bo', { numbers: [] });
  await site.alarms.raise(await site.group('A', [await site.team('A', [ana])]), { priority: 3 });
  await ana.isCalled();
  await ana.answers('1', '1#', '2#', '3#');
  await site.alarms.raise(await site.group('B', [await site.team('B', [ana, bo])]), { path: 'Fan', priority: 3 });
  await bo.isCalled(/Pump1 is too hot/);
  await ana.isNotCalled();
  await site.expectWhatRings();
});

testOnStores('an alarm that becomes more urgent while it is called for is called for on', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await site.alarms.raise(group, { priority: 1 });
  await ana.hangsUp();
  await site.advance('301s');
  await ana.isCalled();
  await site.expectWhatRings();
});

testOnStores(
  'whom an active alarm is told to call is called at once, and the auditor has nothing to say',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group, { alarmActions: [] });
    await ana.isNotCalled();
    await site.alarms.raise(group);
    await ana.isCalled();
    await site.advance('2m');
    assert.ok(!(await site.systemAlarms()).includes('system/auditor'));
    await site.expectWhatRings();
  },
);

testOnStores('the PIN may be typed in one go; who is too late is told so', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { pin: '4321' });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  await ana.isCalled();
  await site.ask('POST', `/simulator/phones/${ana.id}/answer`);
  assert.match(await ana.press('14321#'), /Pump1 is too hot/);
  const both = [site.request('POST', `/alarms/${alarm}/acknowledge`), ana.press('1')] as const;
  const [, said] = await Promise.all(both);
  const { ackUser } = await site.alarms.get(alarm);
  assert.match(said, ackUser === 'ana' ? /You have taken it/ : /Somebody else has taken it/);
  await site.settle();
});

testOnStores('a test nobody answers wakes nobody else', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 1 })] });
  await site.ask('POST', '/call/test', { userIds: [ana.id] });
  await ana.isCalled(/test/);
  await site.advance('2m');
  assert.deepEqual(await site.systemAlarms(), []);
  await site.admin.isNotCalled();
});

testOnStores('only a message that was heard counts as heard', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  await ana.isCalled();
  await ana.hears();
  const answer = site.ask<boolean>('POST', '/call/users?wait=30', { userIds: [ana.id], msgText: 'come in' });
  await until(ana.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await ana.isCalled(/come in/);
  await ana.declines();
  assert.equal(await answer, false);
  await site.expectWhatRings();
});

testOnStores('a text tells only those how to reply whose reply is read', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', {
    numbers: [{ channel: 'email', address: 'ana@example.org', final: false }, sms('+336')],
  });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  await ana.hasText(/Reply \d{4} to take it/);
  const mail = (await ana.messages()).find(({ text }) => !/Reply/.test(text));
  assert.match(mail?.text ?? '', /Pump1/);
  assert.ok((await site.callHistories()).every(({ startTime }) => typeof startTime === 'string'));
});

testOnStores('an attempt is not made any more by a node that slept while somebody acknowledged', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_SIMULATOR: 'false' } });
  const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 9, timeToRetry: 3600 })] });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  await site.settle();
  await site.advance('1h');
  const { store } = site.app;
  const take = { node: 'sleeper', leaseMs: 10_000, replyCodes: ['1'], heldAttemptIds: [] };
  const [message] = await until(
    () => store.write(takeAttempts, take),
    (messages) => messages.length <= 1,
  );
  const attemptIds = message === undefined ? [] : [message.attemptId];
  await site.ask('POST', `/alarms/${alarm}/acknowledge`);
  const renewal = { node: 'sleeper', leaseMs: 10_000, attemptIds, isBeforeDelivery: true };
  assert.deepEqual(await store.write(renewLeases, renewal), []);
  for (const attemptId of attemptIds)
    await store.write(endAttempt, {
      node: 'sleeper',
      attemptId,
      delivery: { kind: 'failed', retry: 'later', reason: 'x' },
    });
});

testOnStores('a key bound to a station calls nobody it does not see, and is told nothing of them', async (t, kind) => {
  const site = await startSite(t, kind);
  const theirs = await site.create('/stations', { name: 'Theirs' });
  const secret = await site.person('secret', { stationIds: [1], numbers: [voice('+33699999999')] });
  const group = await site.group('Ours', [await site.team('T', [secret])]);
  const scopes = ['alarms:write', 'alarms:read', 'calls:read', 'calls:send', 'directory:read'];
  const key = await site.ask('POST', '/auth/keys', {
    name: 'bound',
    scopes,
    stationIds: [theirs],
    expiryTime: '2026-12-15T12:00:00Z',
  });
  const token = String((key as Row).token);
  const alarmActions = [
    { type: 'CallUser', id: secret.id },
    { type: 'CallGroup', id: group },
  ];
  const body = { path: 'x', stationId: theirs, alarmActions };
  const explained = await site.app.request('POST', '/api/v1/explain', { token, body });
  assert.equal(explained.status, 200, explained.text);
  assert.doesNotMatch(explained.text, /secret|99999999/);
  const raised = await site.app.request('POST', '/api/v1/alarms', { token, body });
  assert.match(raised.headers.get('tocsin-warnings') ?? '', /does not exist/);
  await secret.isNotCalled();
  await site.expectWhatRings();
});

testOnStores("an alarm somebody sends to a path of Tocsin's own turns nothing red", async (t, kind) => {
  const site = await startSite(t, kind);
  await site.alarms.send({ path: 'system/nobody-took-it/last-resort', alarmMessage: 'a lie' });
  assert.equal((await site.app.request('GET', '/health/ready')).status, 200);
});

testOnStores('a report of return to normal calls nobody, whatever actions it names', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { alarmActions: [] });
  await site.alarms.raise(group, { raised: false });
  await ana.isNotCalled();
  await site.alarms.raise(group);
  await ana.isCalled();
});

testOnStores('the last resort is called when those that are there may only look on', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const looksOn = { type: 'CallGroup', id: group, flags: 2 };
  await site.alarms.raise(group, { alarmActions: [{ ...looksOn, id: 99 }] });
  await site.admin.isNotCalled();
  await site.alarms.raise(group, { path: 'Second', alarmActions: [{ type: 'CallGroup', id: 99 }, looksOn] });
  await site.admin.isCalled(/Pump1/);
  await ana.isNotCalled();
});

testOnStores('a scenario of a tag group runs for its alarms of every station', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const stationId = await site.create('/stations', { name: 'North' });
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const scenario = await site.create('/scenarios', { name: 'Fire', stationId, alarmActions });
  const tagGroup = { name: 'Boilers', stationId, scenarioIds: [scenario] };
  const tagGroupId = await site.create('/taggroups', tagGroup);
  await site.alarms.raise(group, { alarmActions: [], tagGroupId });
  await ana.isCalled(/Pump1/);
  const listed = await site.ask<{ paging: { total: number } }>('GET', `/alarms?scenarioId=${scenario}`);
  assert.equal(listed.paging.total, 1);
});
