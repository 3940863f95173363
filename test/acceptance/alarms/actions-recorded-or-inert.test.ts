// The actions of an alarm are recorded when they are due; an action that cannot run is stored as inert, with a warning,
// and never refuses the alarm.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { alarmDesk, dismissSystemAlarms, type Row } from '../../harness/alarm-desk.ts';
import { startTestApp } from '../../harness/app.ts';
import type { StoreName } from '../../harness/stores.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';

async function desk(t: TestContext, kind: StoreName) {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const atDesk = await alarmDesk(app);
  const warningsOf = async (body: object) => {
    const answer = await atDesk.ask('POST', '', body);
    assert.equal(answer.status, 200, answer.text);
    return { id: answer.body as number, warnings: answer.headers.get('tocsin-warnings') };
  };
  /** The actions recorded with each event of the alarm. */
  const recorded = async (id: number) => {
    const events = (await atDesk.ask('GET', `/${id}/timeline`)).body as { event: string; data: { actions?: Row[] } }[];
    // The timeline also holds the events of calls.
    const own = events.filter(({ event }) => !event.startsWith('call.'));
    return own.map(({ event, data }) => [event, data.actions ?? []] as const);
  };
  const systemAlarms = async () =>
    (await atDesk.list('?limit=1000')).items.filter(({ path }) => String(path).startsWith('system/'));
  return { ...atDesk, app, token, warningsOf, recorded, systemAlarms };
}

const admin = { type: 'CallUser', id: 1 };
const asSent = { scriptId: 0, parameter: '', flags: 0 };

testOnStores('actions are recorded when the alarm is raised, acknowledged and back to normal', async (t, kind) => {
  const { ask, warningsOf, recorded } = await desk(t, kind);
  const { id, warnings } = await warningsOf({
    path: 'pump',
    alarmActions: [{ ...admin, parameter: '30' }],
    ackActions: [{ ...admin, flags: 2 }],
    resetActions: [admin],
  });
  assert.equal(warnings, null, 'everything can be done');
  await ask('POST', `/${id}/acknowledge`);
  await warningsOf({ path: 'pump', raised: false });
  assert.deepEqual(await recorded(id), [
    ['raised', [{ list: 'alarm', ...asSent, ...admin, parameter: '30' }]],
    [
      'acknowledged',
      [{ list: 'ack', ...asSent, ...admin, flags: 2, inert: 'may see and acknowledge, but is not called' }],
    ],
    ['returned', [{ list: 'reset', ...asSent, ...admin }]],
  ]);
});

testOnStores('an action that cannot run is stored as inert and named in a warning header', async (t, kind) => {
  const { alarm, warningsOf, recorded } = await desk(t, kind);
  const { id, warnings } = await warningsOf({
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
  const { state, actions } = await alarm(id);
  assert.equal(state, 3);
  assert.equal((actions as { alarm: unknown[] }).alarm.length, 7, 'all are kept');
  const [[, raised] = ['', []]] = await recorded(id);
  assert.deepEqual(
    raised.map(({ inert }) => inert !== undefined),
    [true, true, true, true, true, true, false],
  );
});

testOnStores('warnings longer than the header allows are cut and end with ...', async (t, kind) => {
  const { warningsOf } = await desk(t, kind);
  const alarmActions = Array.from({ length: 30 }, () => ({ type: 'CallGroup', id: 7 }));
  const { warnings } = await warningsOf({ path: 'pump', alarmActions });
  const all = alarmActions.map((_, index) => `alarmActions[${index}]: call group 7 does not exist`).join('; ');
  assert.equal(warnings, `${all.slice(0, 996)} ...`);
  const short = await warningsOf({ path: 'fan', alarmActions: alarmActions.slice(0, 20) });
  assert.equal(short.warnings, all.split('; ').slice(0, 20).join('; '), 'all of what fits');
});

testOnStores(
  'inert actions raise one system alarm per kind and station, and again once that one is acknowledged',
  async (t, kind) => {
    const { app, token, send, systemAlarms } = await desk(t, kind);
    const station = (await app.request('POST', '/api/v1/stations', { token, body: { name: 'North' } })).body as number;
    const bad = { alarmActions: [{ type: 'CallGroup', id: 7 }] };
    const id = await send({ path: 'pump', ...bad });
    await send({ path: 'fan', alarmActions: [{ type: 'CallGroup', id: 8 }] });
    await send({ path: 'pump', stationId: station, ...bad });
    const told = await systemAlarms();
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
    assert.equal((await dismissSystemAlarms(app, token)).length, 2);
    assert.deepEqual(await systemAlarms(), [], 'taken note of, they are gone');
    await send({ path: 'pump' });
    assert.equal((await systemAlarms()).length, 1, 'it still cannot be done');
  },
);

testOnStores(
  'an alarm on the path of a system alarm, with an action that cannot run, does not break later reports',
  async (t, kind) => {
    const { send, warningsOf } = await desk(t, kind);
    const { warnings } = await warningsOf({
      path: 'system/cannot-be-done/call-group',
      alarmDelay: 100,
      alarmActions: [{ type: 'CallGroup', id: 99 }],
    });
    assert.match(warnings ?? '', /call group 99/);
    await send({ path: 'next' });
  },
);

testOnStores('while an alarm is masked its actions are recorded as inert', async (t, kind) => {
  const { ask, send, recorded } = await desk(t, kind);
  const id = await send({ path: 'pump', raised: false, alarmActions: [admin], resetActions: [admin] });
  await ask('POST', `/${id}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'work' });
  await send({ path: 'pump', raised: true });
  await send({ path: 'pump', raised: false });
  assert.deepEqual(await recorded(id), [
    ['masked', []],
    ['raised', []],
    ['returned', [{ list: 'reset', ...asSent, ...admin, inert: 'the alarm is masked' }]],
  ]);
});

testOnStores('the warning about a missing sound ends when the file is uploaded', async (t, kind) => {
  const { app, token, warningsOf } = await desk(t, kind);
  const body = { path: 'pump', alarmActions: [{ type: 'PlaySound', parameter: 'horn.wav' }] };
  assert.match((await warningsOf(body)).warnings ?? '', /horn\.wav/);
  const wav = Buffer.concat([
    Buffer.from('RIFF'),
    Buffer.from([36, 0, 0, 0]),
    Buffer.from('WAVEfmt '),
    Buffer.alloc(24),
  ]);
  const answer = await fetch(`${app.url}/api/v1/media/horn.wav`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'audio/wav' },
    body: wav,
  });
  assert.equal(answer.status, 200, await answer.text());
  assert.equal((await warningsOf(body)).warnings, null);
});

testOnStores('the warnings of a batch name the index of the item', async (t, kind) => {
  const { ask } = await desk(t, kind);
  const answer = await ask('POST', '/batch', [
    { path: 'a' },
    { path: 'b', resetActions: [{ type: 'CallGroup', id: 7 }] },
  ]);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('tocsin-warnings'), '[1].resetActions[0]: call group 7 does not exist');
});
