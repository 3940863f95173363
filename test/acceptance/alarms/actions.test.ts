// What an alarm asks to be done is recorded when it is due; what cannot be done is kept, told of, and refuses no alarm.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site.ts';
import type { Row } from '../../harness/site-caller.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';

/** What each event of the alarm says was to be done. */
async function recorded(site: Site, id: number) {
  const events = await site.alarms.timeline(id);
  // What comes of a call is told there as well, as soon as it is made.
  const own = events.filter(({ event }) => !event.startsWith('call.'));
  return own.map(({ event, data }) => [event, (data.actions ?? []) as readonly Row[]] as const);
}

const admin = { type: 'CallUser', id: 1 };
const asSent = { scriptId: 0, parameter: '', flags: 0 };

testOnStores('actions are recorded when the alarm is raised, acknowledged and back to normal', async (t, kind) => {
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

testOnStores('what cannot be done is kept inert and named in the answer; the alarm comes in', async (t, kind) => {
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

testOnStores('warnings that a header has no room for end with ...', async (t, kind) => {
  const site = await startSite(t, kind);
  const alarmActions = Array.from({ length: 30 }, () => ({ type: 'CallGroup', id: 7 }));
  const { warnings } = await site.alarms.report({ path: 'pump', alarmActions });
  const all = alarmActions.map((_, index) => `alarmActions[${index}]: call group 7 does not exist`).join('; ');
  assert.equal(warnings, `${all.slice(0, 996)} ...`);
  const short = await site.alarms.report({ path: 'fan', alarmActions: alarmActions.slice(0, 20) });
  assert.equal(short.warnings, all.split('; ').slice(0, 20).join('; '), 'all of what fits');
});

testOnStores(
  'a system alarm tells of it once per kind and station, and again after somebody took note',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const station = await site.create('/stations', { name: 'North' });
    const bad = { alarmActions: [{ type: 'CallGroup', id: 7 }] };
    const id = await site.alarms.send({ path: 'pump', ...bad });
    await site.alarms.send({ path: 'fan', alarmActions: [{ type: 'CallGroup', id: 8 }] });
    await site.alarms.send({ path: 'pump', stationId: station, ...bad });
    const told = await site.alarms.fromTocsin();
    assert.deepEqual(
      told.map(({ path, state, message }) => [path, state, message]),
      [
        [
          'system/cannot-be-done/call-group',
          2,
          `An alarm asks for something that cannot be done: call group 7 does not exist. It is alarmActions[0] of alarm ${id}, "pump".`,
        ],
        [
          'system/cannot-be-done/call-group',
          2,
          `An alarm asks for something that cannot be done: call group 7 does not exist. It is alarmActions[0] of alarm ${id + 3}, "API\\pump".`,
        ],
      ],
    );
    assert.equal((await site.alarms.dismissThoseFromTocsin()).length, 2);
    assert.deepEqual(await site.alarms.fromTocsin(), [], 'taken note of, they are gone');
    await site.alarms.send({ path: 'pump' });
    assert.equal((await site.alarms.fromTocsin()).length, 1, 'it still cannot be done');
  },
);

testOnStores(
  "an alarm that takes the place of Tocsin's own and asks for the impossible ends nothing",
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { warnings } = await site.alarms.report({
      path: 'system/cannot-be-done/call-group',
      alarmDelay: 100,
      alarmActions: [{ type: 'CallGroup', id: 99 }],
    });
    assert.match(warnings ?? '', /call group 99/);
    await site.alarms.send({ path: 'next' });
  },
);

testOnStores('while an alarm is masked nobody is called, and the record says so', async (t, kind) => {
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

testOnStores('a sound that is uploaded later is played from then on', async (t, kind) => {
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

testOnStores('the warnings of a batch say which item they are of', async (t, kind) => {
  const site = await startSite(t, kind);
  const answer = await site.request('POST', '/alarms/batch', [
    { path: 'a' },
    { path: 'b', resetActions: [{ type: 'CallGroup', id: 7 }] },
  ]);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('tocsin-warnings'), '[1].resetActions[0]: call group 7 does not exist');
});
