// A server process killed in the middle of a telephone call with SIPp: the far end is released, and the person called again once.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import {
  pause,
  receive,
  respondInDialog,
  respondToInvite,
  sippMissing,
  startSipp,
} from '../../packages/sip/test/harness/sipp.ts';
import { databaseFileName } from '../../src/store/sqlite/database-file.ts';
import { signInAsAdmin } from '../harness/kills/admin.ts';
import { startServer } from '../harness/server/server-process.ts';
import { withoutProgram } from '../harness/server/tools.ts';
import { migratedStore } from '../harness/site/app.ts';
import { called, hungUpThere, rings, takesTheCall } from '../harness/telephone/sipp-phone.ts';
import { until } from '../harness/until.ts';

const skip = sippMissing || withoutProgram('espeak-ng');
const withinMs = 30_000;

/** The stored reference of the only attempt. */
function referenceIn({ TOCSIN_DATA_DIR = '' }: Readonly<Record<string, string>>): string {
  const database = new DatabaseSync(join(TOCSIN_DATA_DIR, databaseFileName), { readOnly: true });
  try {
    const row = database.prepare('select provider_ref from call_attempts').get();
    return String(row?.provider_ref ?? '');
  } finally {
    database.close();
  }
}

type Row = { readonly endTime?: string; readonly answerTime?: string; readonly ringTime?: string };

/**
 * Calls a person by SIPp, which plays the same steps for two calls; kills the server in the first and acknowledges the alarm in
 * the second, each as soon as the history has that time.
 */
async function killDuring(t: TestContext, steps: readonly string[], time: 'ringTime' | 'answerTime') {
  const sipp = await startSipp([called, ...steps], { calls: 2, withinSeconds: 60 });
  t.after(() => sipp.stop());
  const environment = await migratedStore(t, 'sqlite');
  const first = await startServer(environment);
  let { url } = first;
  const admin = await signInAsAdmin(() => [url]);
  const settings = { host: '127.0.0.1', port: sipp.port, user: 'tocsin' };
  await admin.ask('POST', '/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const numbers = [{ channel: 'voice', address: '+33100000001' }];
  const id = await admin.ask<number>('POST', '/users', { name: 'ana', role: 'operator', numbers });
  const alarmActions = [{ type: 'CallUser', id }];
  const alarm = await admin.ask<number>('POST', '/alarms', {
    path: 'Pump1',
    alarmMessage: 'hot',
    priority: 1,
    alarmActions,
  });
  const rows = async () => (await admin.ask<{ items: readonly Row[] }>('GET', `/call/histories?userId=${id}`)).items;
  await until(rows, ([row]) => row?.[time] !== undefined, withinMs);
  // The reference of an answered call is stored a moment after its time.
  const isKept = time === 'answerTime' ? /"kind":"dialog"/ : /./;
  await until(
    () => referenceIn(environment),
    (ref) => isKept.test(ref),
    withinMs,
  );
  await first.end('SIGKILL');
  const second = await startServer(environment);
  t.after(() => second.end('SIGTERM'));
  url = second.url;
  const invitations = () => sipp.log().match(/^INVITE sip:/gm)?.length ?? 0;
  await until(invitations, (count) => count === 2, withinMs);
  // The second call rings or is answered as the first was.
  await until(
    () => sipp.log().match(/^SIP\/2.0 180/gm)?.length ?? 0,
    (count) => count === 2,
    withinMs,
  );
  await admin.ask('POST', `/alarms/${alarm}/acknowledge`, {});
  const { code, log } = await sipp.ended;
  assert.equal(code, 0, log);
  await until(rows, (all) => all.every(({ endTime }) => endTime !== undefined), withinMs);
  const methods = [...log.matchAll(/^(INVITE|BYE|CANCEL) sip:[\s\S]*?^Call-ID: (\S+)/gm)];
  const callIds = [...new Set(methods.map(([, , callId]) => callId))];
  return {
    requests: methods.map(([, method, callId]) => `${method} ${callIds.indexOf(callId) + 1}`),
    rows: await rows(),
  };
}

test('a call that was answered when the server was killed is hung up, and the person called again once', {
  skip,
}, async (t) => {
  const { requests, rows } = await killDuring(t, [...takesTheCall, ...hungUpThere], 'answerTime');
  assert.deepEqual(requests, ['INVITE 1', 'BYE 1', 'INVITE 2', 'BYE 2']);
  assert.equal(rows.length, 1, 'it is the same attempt');
});

test('a telephone that rang when the server was killed stops ringing before it rings again, once', {
  skip,
}, async (t) => {
  const cancelled = [
    receive('CANCEL'),
    respondInDialog(200, 'OK'),
    respondToInvite(487, 'Request Terminated'),
    receive('ACK'),
  ];
  const { requests, rows } = await killDuring(t, [rings, pause(50), ...cancelled], 'ringTime');
  assert.deepEqual(requests, ['INVITE 1', 'CANCEL 1', 'INVITE 2', 'CANCEL 2']);
  assert.equal(rows.length, 1, 'it is the same attempt');
});
