// The explain requests: who would be called, when and on which channel, and why the others would not; also for an alarm
// that does not exist.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

type Step = { readonly time: string; readonly what: string; readonly user?: string; readonly channel?: string };
type Explanation = {
  readonly calls: readonly {
    readonly name: string;
    readonly steps: readonly Step[];
    readonly notCalled: readonly { readonly user: string; readonly reason: string }[];
  }[];
  readonly inert: readonly { readonly type: string; readonly reason: string }[];
  readonly stopped?: { readonly at: string; readonly limit: string };
};

/** Of all calls, that of the last resort included. */
const attempts = ({ calls }: Explanation) =>
  calls
    .flatMap(({ steps }) => steps)
    .filter(({ what }) => what === 'attempt')
    .map(({ time, user, channel }) => ({ time, line: `${time.slice(11, 19)} ${user} ${channel}` }))
    .toSorted((one, other) => one.time.localeCompare(other.time))
    .map(({ line }) => line);

testOnAnyStore('explain predicts the attempts that the engine then makes', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [sms('+33600000001', { final: false }), voice('+33100000001', { countTry: 2, timeToRetry: 60 })];
  const ana = await site.person('ana', { numbers });
  const bo = await site.person('bo');
  const off = await site.person('cem', { onDuty: false });
  const group = await site.group('Pumps', [await site.team('Night', [ana, off], [bo])]);
  const body = {
    path: 'Plant/Pump1',
    priority: 3,
    alarmActions: [
      { type: 'CallGroup', id: group },
      { type: 'CallUser', id: 99 },
    ],
  };
  const explained = await site.ask<Explanation>('POST', '/explain', body);
  const ofGroup = ['13:00:00 ana voice', '13:00:00 ana sms', '13:01:30 ana voice', '13:02:00 bo voice'];
  // The end of the chain: the last resort is called for the alarm.
  const expected = [...ofGroup, '13:02:30 admin simulator', '13:04:00 admin simulator'];
  assert.deepEqual(attempts(explained), expected);
  assert.deepEqual(
    explained.calls[0]?.notCalled.map(({ user, reason }) => `${user}: ${reason}`),
    ['cem: off duty'],
  );
  const inert = { type: 'CallUser', id: 99, reason: 'user 99 does not exist', code: 'user' };
  assert.deepEqual(explained.inert, [inert]);

  const alarm = await site.alarms.raise(group, { priority: 3 });
  await site.advance('10m');
  await site.expectWhatRings();
  const made = (await site.callHistories(`&alarmId=${alarm}`)).map(
    ({ startTime, user, channel }) => `${String(startTime).slice(11, 19)} ${user} ${channel}`,
  );
  assert.deepEqual(made, expected);
  assert.deepEqual(
    attempts(await site.ask<Explanation>('GET', `/alarms/${alarm}/explain?at=2026-11-15T12:00:00Z`)),
    expected,
  );
});

testOnAnyStore('explain covers a week that contains the end of daylight saving time', async (t, kind) => {
  const site = await startSite(t, kind);
  const [day, night] = [await site.person('ana'), await site.person('bo')];
  const teams = [await site.team('Day', [day]), await site.team('Night', [night])] as const;
  const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const scheduleId = await site.create('/schedules', {
    name: 'Pumps programme',
    timeZone: 'Europe/Paris',
    weekly: [
      { teamId: teams[0], days: everyDay, from: '08:00', to: '20:00' },
      { teamId: teams[1], days: everyDay, from: '20:00', to: '08:00' },
    ],
  });
  const group = await site.group('Pumps', teams, { scheduleId });
  const body = { path: 'x', priority: 1, alarmActions: [{ type: 'CallGroup', id: group }] };
  const explained = await site.ask<Explanation>('POST', '/explain?at=2026-10-24T19:00:00%2B02:00&hours=168', body);
  const night24 = attempts(explained).slice(0, 200);
  assert.equal(night24[0], '19:00:00 ana voice');
  assert.ok(night24.includes('20:00:00 bo voice') || night24.some((line) => line.endsWith('bo voice')));
  const last = explained.calls[0]?.steps.at(-1)?.time ?? '';
  assert.ok(last.startsWith('2026-10-31T17:5'), `the whole week, to ${last}`);
  const users = new Set(attempts(explained).map((line) => line.split(' ')[1]));
  assert.deepEqual(users, new Set(['ana', 'bo', 'admin']));
  const ofGroup = explained.calls[0]?.steps.flatMap(({ user }) => user ?? []);
  assert.deepEqual(new Set(ofGroup), new Set(['ana', 'bo']), 'the administrator is called as the last resort');
});

testOnAnyStore('a forecast of a week with a thousand actions stops at a limit and says where', async (t, kind) => {
  const site = await startSite(t, kind);
  const people = [await site.person('ana'), await site.person('bo')];
  const team = await site.team('Night', people);
  const groups: number[] = [];
  for (let n = 0; n < 20; n++) groups.push(await site.group(`Pumps ${n}`, [team]));
  // A target that several actions name is called once.
  const alarmActions = Array.from({ length: 1_000 }, (_, second) => ({
    type: 'CallGroup',
    id: groups[second % groups.length],
    parameter: String(second),
  }));
  const observer = site.as(await site.keyFor(['calls:read']));
  const { calls, stopped } = await observer.ask<Explanation>('POST', '/explain?hours=168', {
    path: 'Plant/Pump1',
    priority: 1,
    alarmActions,
  });
  assert.equal(calls.filter(({ name }) => name.startsWith('Pumps')).length, 20);
  assert.ok(
    stopped !== undefined && ['steps', 'time'].includes(stopped.limit),
    'on a slow machine the time ends first',
  );
  const steps = calls.flatMap((call) => call.steps);
  assert.ok(steps.length < 10_100, `${steps.length} steps`);
  assert.ok(steps.every(({ time }) => time <= stopped.at));
  const short = await observer.ask<Explanation>('POST', '/explain?hours=24', {
    path: 'Plant/Pump1',
    priority: 1,
    alarmActions: alarmActions.slice(0, 1),
  });
  assert.equal(short.stopped, undefined, 'a day of one group is complete');
});

testOnAnyStore(
  'explain waits for the delay of the alarm itself, of a draft and of one that stands',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarmActions = [{ type: 'CallGroup', id: group, parameter: '10' }];
    const body = { path: 'Plant/Pump1', priority: 3, alarmDelay: 60, alarmActions };
    const expected = ['13:01:10 ana voice', '13:01:40 admin simulator', '13:03:10 admin simulator'];
    assert.deepEqual(attempts(await site.ask<Explanation>('POST', '/explain', body)), expected, 'raised now');
    const alarm = await site.create('/alarms', body);
    site.app.clock.advance(30_000);
    const explained = () => site.ask<Explanation>('GET', `/alarms/${alarm}/explain`);
    assert.deepEqual(attempts(await explained()), expected, 'its condition holds since half a minute');
    await site.advance('30s');
    await site.advance('10m');
    const made = (await site.callHistories(`&alarmId=${alarm}`)).map(
      ({ startTime, user, channel }) => `${String(startTime).slice(11, 19)} ${user} ${channel}`,
    );
    assert.deepEqual(made, expected);
    await site.expectWhatRings();
  },
);

testOnAnyStore('a group that two actions name is called once, as explain says', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 3, timeToRetry: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarmActions = ['45', '5'].map((parameter) => ({ type: 'CallGroup', id: group, parameter }));
  const body = { path: 'Plant/Pump1', priority: 3, alarmActions };
  const explained = await site.ask<Explanation>('POST', '/explain', body);
  assert.deepEqual(
    explained.calls.map(({ name }) => name),
    ['Pumps', 'last resort'],
  );
  const alarm = await site.create('/alarms', body);
  await site.advance('10m');
  const made = (await site.callHistories(`&alarmId=${alarm}`)).map(
    ({ startTime, user, channel }) => `${String(startTime).slice(11, 19)} ${user} ${channel}`,
  );
  assert.deepEqual(attempts(explained), made);
  assert.equal(made[0], '13:00:05 ana voice');
  await site.expectWhatRings();
});
