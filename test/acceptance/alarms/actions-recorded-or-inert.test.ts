// The actions of an alarm are recorded when they are due; an action that cannot run is stored as inert, with a warning,
// and never refuses the alarm.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

/** The actions recorded with each event of the alarm. */
async function recorded(site: Site, id: number) {
  const events = await site.alarms.timeline(id);
  // The timeline also holds the events of calls.
  const own = events.filter(({ event }) => !event.startsWith('call.'));
  return own.map(({ event, data }) => [event, (data.actions ?? []) as readonly Row[]] as const);
}

const admin = { type: 'CallUser', id: 1 };
const asSent = { scriptId: 0, parameter: '', flags: 0 };

testOnAnyStore('actions are recorded when the alarm is raised, acknowledged and back to normal', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id, warnings } = await site.alarms.report({
    path: 'pump',
    alarmActions: [{ ...admin, parameter: '30' }],
    ackActions: [{ ...admin, flags: 2 }],
    resetActions: [admin],
  });
  assert.equal(warnings, null, 'everything can be done');
  await site.alarms.acknowledge(id);
  await site.alarms.report({ path: 'pump', raised: false });
  assert.deepEqual(await recorded(site, id), [
    ['raised', [{ list: 'alarm', ...asSent, ...admin, parameter: '30' }]],
    [
      'acknowledged',
      [{ list: 'ack', ...asSent, ...admin, flags: 2, inert: 'may see and acknowledge, but is not called' }],
    ],
    ['returned', [{ list: 'reset', ...asSent, ...admin }]],
  ]);
});

testOnAnyStore('an action that cannot run is stored as inert and named in a warning header', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id, warnings } = await site.alarms.report({
    path: 'pump',
    alarmVocalMessageFile: 'bell.wav',
    resetAttachedFile: '../etc/passwd',
    alarmActions: [
      { type: 'CallGroup', id: 7 },
      { type: 'CallUser', id: 9_999 },
      { type: 'PlaySound', parameter: 'horn.wav' },
      { type: 'ExecuteCommand', scriptId: 3 },
      { type: 'StopCommand', scriptId: 3 },
      { type: 'Teleport' },
      admin,
    ],
  });
  assert.equal(
    warnings,
    [
      'alarmActions[0]: call group 7 does not exist',
      'alarmActions[1]: user 9999 does not exist',
      'alarmActions[2]: the media file "horn.wav" does not exist',
      'alarmActions[3]: commands are switched off',
      'alarmActions[4]: commands are switched off',
      'alarmActions[5]: there is no action of the type "Teleport"',
      'alarmVocalMessageFile: the media file "bell.wav" does not exist',
      'resetAttachedFile: the media file "../etc/passwd" does not exist',
    ].join('; '),
  );
  const { state, actions } = await site.alarms.get(id);
  assert.equal(state, 3);
  assert.equal((actions as { alarm: unknown[] }).alarm.length, 7, 'all are kept');
  const [[, raised] = ['', []]] = await recorded(site, id);
  assert.deepEqual(
    raised.map(({ inert }) => inert !== undefined),
    [true, true, true, true, true, true, false],
  );
});

testOnAnyStore('warnings longer than the header allows are cut and end with ...', async (t, kind) => {
  const site = await startSite(t, kind);
  const alarmActions = Array.from({ length: 30 }, () => ({ type: 'CallGroup', id: 7 }));
  const { warnings } = await site.alarms.report({ path: 'pump', alarmActions });
  const all = alarmActions.map((_, index) => `alarmActions[${index}]: call group 7 does not exist`).join('; ');
  assert.equal(warnings, `${all.slice(0, 996)} ...`);
  const short = await site.alarms.report({ path: 'fan', alarmActions: alarmActions.slice(0, 20) });
  assert.equal(short.warnings, all.split('; ').slice(0, 20).join('; '), 'all of what fits');
});

testOnAnyStore(
  'inert actions raise one system alarm per caller and station, and again once that one is acknowledged',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const station = await site.create('/stations', { name: 'North' });
    const bad = { alarmActions: [{ type: 'CallGroup', id: 7 }] };
    const id = await site.alarms.send({ path: 'pump', ...bad });
    const fan = await site.alarms.send({ path: 'fan', alarmActions: [{ type: 'CallGroup', id: 8 }] });
    const north = await site.alarms.send({ path: 'pump', stationId: station, ...bad });
    const told = await site.alarms.fromTocsin();
    const path = 'system/cannot-be-used/user:1';
    const head = 'Part of what user:1 sends cannot be used, so others may be called than it asks for.';
    const line = (alarm: number, name: string, group: number): string =>
      `Alarm ${alarm}, "${name}": alarmActions[0]: call group ${group} does not exist.`;
    assert.deepEqual(
      told.map((alarm) => [alarm.path, alarm.state, alarm.message]),
      [
        [path, 2, [head, line(id, 'pump', 7), line(fan, 'fan', 8)].join('\n')],
        [path, 2, [head, line(north, 'API\\pump', 7)].join('\n')],
      ],
    );
    assert.equal((await site.alarms.dismissThoseFromTocsin()).length, 2);
    assert.deepEqual(await site.alarms.fromTocsin(), [], 'taken note of, they are gone');
    await site.alarms.send({ path: 'pump' });
    assert.equal((await site.alarms.fromTocsin()).length, 1, 'it still cannot be done');
  },
);

testOnAnyStore(
  'an alarm on the path of a system alarm, with an action that cannot run, does not break later reports',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { warnings } = await site.alarms.report({
      path: 'system/cannot-be-used/user:1',
      alarmDelay: 100,
      alarmActions: [{ type: 'CallGroup', id: 99 }],
    });
    assert.match(warnings ?? '', /call group 99/);
    await site.alarms.send({ path: 'next' });
  },
);

testOnAnyStore('while an alarm is masked its actions are recorded as inert', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'pump', raised: false, alarmActions: [admin], resetActions: [admin] });
  await site.request('POST', `/alarms/${id}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'work' });
  await site.alarms.send({ path: 'pump', raised: true });
  await site.alarms.send({ path: 'pump', raised: false });
  assert.deepEqual(await recorded(site, id), [
    ['masked', []],
    ['raised', []],
    ['returned', [{ list: 'reset', ...asSent, ...admin, inert: 'the alarm is masked' }]],
  ]);
});

testOnAnyStore('the warning about a missing sound ends when the file is uploaded', async (t, kind) => {
  const site = await startSite(t, kind);
  const body = { path: 'pump', alarmActions: [{ type: 'PlaySound', parameter: 'horn.wav' }] };
  assert.match((await site.alarms.report(body)).warnings ?? '', /horn\.wav/);
  const wav = Buffer.concat([
    Buffer.from('RIFF'),
    Buffer.from([36, 0, 0, 0]),
    Buffer.from('WAVEfmt '),
    Buffer.alloc(24),
  ]);
  const answer = await fetch(`${site.app.url}/api/v1/media/horn.wav`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'audio/wav' },
    body: wav,
  });
  assert.equal(answer.status, 200, await answer.text());
  assert.equal((await site.alarms.report(body)).warnings, null);
});

testOnAnyStore('the warnings of a batch name the index of the item', async (t, kind) => {
  const site = await startSite(t, kind);
  const answer = await site.request('POST', '/alarms/batch', [
    { path: 'a' },
    { path: 'b', resetActions: [{ type: 'CallGroup', id: 7 }] },
  ]);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('tocsin-warnings'), '[1].resetActions[0]: call group 7 does not exist');
});
