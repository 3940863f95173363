// Regression tests for defects found in reviews of calling: PIN lock-out, priorities, phone texts, leases and station
// bounds.

import assert from 'node:assert/strict';
import { endAttempt, renewLeases, takeAttempts } from '../../../../src/operations/calls/advance.ts';
import type { Row } from '../../../harness/alarm-desk.ts';
import { sms, startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

testOnStores("three wrong PINs lock one person's simulated phone and nobody else's", async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [], pin: '4321' });
  const bo = await story.person('bo', { numbers: [] });
  await story.raise(await story.group('A', [await story.team('A', [ana])]), { priority: 3 });
  await ana.isCalled();
  await ana.answers('1', '1#', '2#', '3#');
  await story.raise(await story.group('B', [await story.team('B', [ana, bo])]), { path: 'Fan', priority: 3 });
  await bo.isCalled(/Pump1 is too hot/);
  await ana.isNotCalled();
  await story.expectWhatRings();
});

testOnStores('a call whose alarm is raised to priority 1 while it rings continues in rounds', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [voice('+331', { countTry: 1 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group, { priority: 3 });
  await ana.isCalled();
  await story.raise(group, { priority: 1 });
  await ana.hangsUp();
  await story.advance('301s');
  await ana.isCalled();
  await story.expectWhatRings();
});

testOnStores(
  'a call action added to an active alarm calls at once, and the auditor raises no system alarm for it',
  async (t, kind) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana');
    const group = await story.group('Pumps', [await story.team('Night', [ana])]);
    await story.raise(group, { alarmActions: [] });
    await ana.isNotCalled();
    await story.raise(group);
    await ana.isCalled();
    await story.advance('2m');
    assert.ok(!(await story.systemAlarms()).includes('system/auditor'));
    await story.expectWhatRings();
  },
);

testOnStores('the PIN can be typed in one go; a late key press hears that the alarm was taken', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { pin: '4321' });
  const alarm = await story.raise(await story.group('Pumps', [await story.team('Night', [ana])]), { priority: 3 });
  await ana.isCalled();
  await story.ask('POST', `/simulator/phones/${ana.id}/answer`);
  assert.match(await ana.press('14321#'), /Pump1 is too hot/);
  const both = [story.request('POST', `/alarms/${alarm}/acknowledge`), ana.press('1')] as const;
  const [, said] = await Promise.all(both);
  const { ackUser } = await story.alarm(alarm);
  assert.match(said, ackUser === 'ana' ? /You have taken it/ : /Somebody else has taken it/);
  await story.settle();
});

testOnStores('an unanswered test call raises no system alarm and calls nobody else', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [voice('+331', { countTry: 1 })] });
  await story.ask('POST', '/call/test', { userIds: [ana.id] });
  await ana.isCalled(/test/);
  await story.advance('2m');
  assert.deepEqual(await story.systemAlarms(), []);
  await story.admin.isNotCalled();
});

testOnStores('"heard" for an alarm does not acknowledge a message that was declined', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  await story.raise(await story.group('Pumps', [await story.team('Night', [ana])]));
  await ana.isCalled();
  await ana.hears();
  const answer = story.ask<boolean>('POST', '/call/users?wait=30', { userIds: [ana.id], msgText: 'come in' });
  await until(ana.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await ana.isCalled(/come in/);
  await ana.declines();
  assert.equal(await answer, false);
  await story.expectWhatRings();
});

testOnStores('only texts on channels that read replies explain how to reply', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', {
    numbers: [{ channel: 'email', address: 'ana@example.org', final: false }, sms('+336')],
  });
  await story.raise(await story.group('Pumps', [await story.team('Night', [ana])]), { priority: 3 });
  await ana.hasText(/Reply \d{4} to take it/);
  const mail = (await ana.messages()).find(({ text }) => !/Reply/.test(text));
  assert.match(mail?.text ?? '', /Pump1/);
  assert.ok((await story.histories()).every(({ startTime }) => typeof startTime === 'string'));
});

testOnStores('a node cannot renew the lease of an attempt after the alarm was acknowledged', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_SIMULATOR: 'false' } });
  const ana = await story.person('ana', { numbers: [voice('+331', { countTry: 9, timeToRetry: 3600 })] });
  const alarm = await story.raise(await story.group('Pumps', [await story.team('Night', [ana])]));
  await story.settle();
  await story.advance('1h');
  const { store } = story.app;
  const take = { node: 'sleeper', leaseMs: 10_000, replyCodes: ['1'], heldAttemptIds: [] };
  const [message] = await until(
    () => store.write(takeAttempts, take),
    (messages) => messages.length <= 1,
  );
  const attemptIds = message === undefined ? [] : [message.attemptId];
  await story.ask('POST', `/alarms/${alarm}/acknowledge`);
  const renewal = { node: 'sleeper', leaseMs: 10_000, attemptIds, isBeforeDelivery: true };
  assert.deepEqual(await store.write(renewLeases, renewal), []);
  for (const attemptId of attemptIds)
    await store.write(endAttempt, {
      node: 'sleeper',
      attemptId,
      delivery: { kind: 'failed', retry: 'later', reason: 'x' },
    });
});

testOnStores('a key bound to a station neither calls nor sees people of another station', async (t, kind) => {
  const story = await startStory(t, kind);
  const theirs = await story.ask<number>('POST', '/stations', { name: 'Theirs' });
  const secret = await story.person('secret', { stationIds: [1], numbers: [voice('+33699999999')] });
  const group = await story.group('Ours', [await story.team('T', [secret])]);
  const scopes = ['alarms:write', 'alarms:read', 'calls:read', 'calls:send', 'directory:read'];
  const key = await story.ask('POST', '/auth/keys', {
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
  const explained = await story.app.request('POST', '/api/v1/explain', { token, body });
  assert.equal(explained.status, 200, explained.text);
  assert.doesNotMatch(explained.text, /secret|99999999/);
  const raised = await story.app.request('POST', '/api/v1/alarms', { token, body });
  assert.match(raised.headers.get('tocsin-warnings') ?? '', /does not exist/);
  await secret.isNotCalled();
  await story.expectWhatRings();
});

testOnStores('an alarm sent to the path of a system alarm leaves the server ready', async (t, kind) => {
  const story = await startStory(t, kind);
  await story.ask('POST', '/alarms', { path: 'system/nobody-took-it/last-resort', alarmMessage: 'a lie' });
  assert.equal((await story.app.request('GET', '/health/ready')).status, 200);
});

testOnStores('a report of the return to normal calls nobody, whatever actions it contains', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group, { alarmActions: [] });
  await story.raise(group, { raised: false });
  await ana.isNotCalled();
  await story.raise(group);
  await ana.isCalled();
});

testOnStores('the last resort is called if the only existing group has flag 2 (not called)', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const looksOn = { type: 'CallGroup', id: group, flags: 2 };
  await story.raise(group, { alarmActions: [{ ...looksOn, id: 99 }] });
  await story.admin.isNotCalled();
  await story.raise(group, { path: 'Second', alarmActions: [{ type: 'CallGroup', id: 99 }, looksOn] });
  await story.admin.isCalled(/Pump1/);
  await ana.isNotCalled();
});

testOnStores('a scenario of a tag group applies to its alarms of every station', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const stationId = await story.ask<number>('POST', '/stations', { name: 'North' });
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const scenario = await story.ask<number>('POST', '/scenarios', { name: 'Fire', stationId, alarmActions });
  const tagGroup = { name: 'Boilers', stationId, scenarioIds: [scenario] };
  const tagGroupId = await story.ask<number>('POST', '/taggroups', tagGroup);
  await story.raise(group, { alarmActions: [], tagGroupId });
  await ana.isCalled(/Pump1/);
  const listed = await story.ask<{ paging: { total: number } }>('GET', `/alarms?scenarioId=${scenario}`);
  assert.equal(listed.paging.total, 1);
});
