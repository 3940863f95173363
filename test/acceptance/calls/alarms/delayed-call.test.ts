// A call with a delay: a return to normal within the delay cancels it, except for a transitory alarm.

import assert from 'node:assert/strict';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('a return to normal cancels a call whose delay has not run out', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const alarmActions = [{ type: 'CallGroup', id: group, parameter: '120' }];
  await story.raise(group, { alarmActions });
  await story.advance('119s');
  await ana.isNotCalled();
  await story.returnsToNormal();
  await story.advance('10m');
  await ana.isNotCalled();
  assert.deepEqual(await story.histories(), []);
  await story.raise(group, { alarmActions });
  await story.advance('120s');
  await ana.isCalled(/Pump1/);
});

testOnStores('a transitory alarm is called for after the delay although it is back to normal', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const transitory = {
    alarmActions: [{ type: 'CallGroup', id: group, parameter: '120' }],
    eventCondition: { transitory: true },
  };
  await story.raise(group, transitory);
  await story.advance('60s');
  // The second occurrence must not cancel the pending call of the first.
  await story.raise(group, transitory);
  await story.advance('59s');
  await ana.isNotCalled();
  await story.advance('1s');
  await ana.isCalled(/Pump1/);
});

testOnStores('an alarm raised and back to normal in one request calls nobody after the delay', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_CALL_END_ON_RETURN: '2' } });
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const comesAndGoes = (path: string, more: object = {}, parameter = '120') => [
    { path, alarmMessage: path, alarmActions: [{ type: 'CallGroup', id: group, parameter }], ...more },
    { path, raised: false },
  ];
  await story.ask('POST', '/alarms/batch', [
    ...comesAndGoes('Delayed'),
    ...comesAndGoes('By setting', { priority: 2 }, ''),
  ]);
  await story.advance('10m');
  await ana.isNotCalled();
  await story.ask('POST', '/alarms/batch', [
    ...comesAndGoes('Transitory', { eventCondition: { transitory: true } }),
    ...comesAndGoes('At once', {}, ''),
  ]);
  await ana.isCalled(/At once/);
  await ana.takes();
  await story.advance('2m');
  await ana.isCalled(/Transitory/);
});
