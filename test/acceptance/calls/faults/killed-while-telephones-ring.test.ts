// A server that is killed while telephones ring: after the next start each of them stops ringing, whatever becomes of its call.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { missing } from '../../../../packages/sip/test/harness/programs.ts';
import { databaseFileName } from '../../../../src/store/sqlite/database-file.ts';
import { signInAsAdmin } from '../../../harness/kills/admin.ts';
import { startServer } from '../../../harness/server/server-process.ts';
import { migratedStore } from '../../../harness/site/app.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { until } from '../../../harness/until.ts';

const skip = missing('espeak-ng', 'espeak-ng');

/** A server that rings as many telephones for one alarm, and is killed and started again as often as a test wants. */
async function startRinging(t: TestContext, people: number) {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const environment = await migratedStore(t, 'sqlite');
  let server = await startServer(environment);
  t.after(() => server.end('SIGTERM'));
  const admin = await signInAsAdmin(() => [server.url]);
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin', ringSeconds: 120 };
  await admin.ask('POST', '/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const ids: number[] = [];
  for (let n = 1; n <= people; n++) {
    const numbers = [voice(`+3310000000${n}`, { countTry: 5 })];
    ids.push(await admin.ask<number>('POST', '/users', { name: `p${n}`, role: 'operator', numbers }));
  }
  const alarmActions = ids.map((id) => ({ type: 'CallUser', id }));
  await admin.ask('POST', '/alarms', { path: 'Pump1', alarmMessage: 'hot', priority: 1, alarmActions });
  /** Waits until every telephone rings in a call that is known by its reference. */
  const rings = (times: number) =>
    until(
      () => ({ calls: [...callsWith(peer, 'INVITE').keys()], known: referencesIn(environment) }),
      ({ calls, known }) =>
        calls.length === times * people && calls.slice(-people).every((callId) => known.includes(callId)),
    );
  const killAndStart = async (): Promise<void> => {
    await server.end('SIGKILL');
    server = await startServer(environment);
  };
  return { peer, rings, killAndStart };
}

/** The stored references of all attempts. */
function referencesIn({ TOCSIN_DATA_DIR = '' }: Readonly<Record<string, string>>): string {
  const database = new DatabaseSync(join(TOCSIN_DATA_DIR, databaseFileName), { readOnly: true });
  try {
    return database
      .prepare('select provider_ref from call_attempts')
      .all()
      .map(({ provider_ref }) => provider_ref)
      .join();
  } finally {
    database.close();
  }
}

/** The calls with that method, each with the port that it came from. */
const callsWith = ({ requests }: SipPeer, wanted: string): ReadonlyMap<string, number> =>
  new Map(requests.filter(({ method }) => method === wanted).map(({ callId, port }) => [callId, port]));

test('all telephones that rang when the server was killed are cancelled from the port that called them', {
  skip,
}, async (t) => {
  const { peer, rings, killAndStart } = await startRinging(t, 3);
  await rings(1);
  const rang = new Map(callsWith(peer, 'INVITE'));
  assert.equal(rang.size, 3);
  await killAndStart();
  await until(
    () => callsWith(peer, 'CANCEL').size,
    (cancelled) => cancelled >= 3,
  );
  for (const [callId, port] of rang) assert.equal(callsWith(peer, 'CANCEL').get(callId), port);
  await rings(2);
});
