// Each place at which a fault would reach the event loop throws once, in a server with calls, mails, requests and hub clients under way:
// the server goes on, the fault is in the log, and the next person is called.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { missing } from '../../../packages/sip/test/harness/programs.ts';
import type { DatabaseKind } from '../../../src/store/statement.ts';
import { callerOn } from '../../harness/channels/crash.ts';
import { moreTraffic, settingsForMore } from '../../harness/failpoints/more-traffic.ts';
import { isOwn } from '../../harness/failpoints/own-places.ts';
import { allPlaces } from '../../harness/failpoints/places.ts';
import {
  bundleWithFailpoints,
  type FailpointServer,
  root,
  startFailpointServer,
} from '../../harness/failpoints/server.ts';
import { callsTheNext, openPlant, traffic } from '../../harness/failpoints/traffic.ts';
import { mailServerMissing } from '../../harness/mail/mail-server.ts';
import { migratedStore } from '../../harness/site/app.ts';
import { isSoak } from '../../harness/soak.ts';

const skip = mailServerMissing || missing('espeak-ng', 'espeak-ng');
/** Each turn runs places that the one before has made reachable. */
const turns = isSoak ? 12 : 4;
/** Inputs of every other kind of peer, which are there in the soak as well. */
const inputsOfDoor = 20;
/** Fails with the line that the server wrote when it ended. */
function assertAlive(server: FailpointServer, what: string): void {
  const fatal = server
    .output()
    .split('\n')
    .findLast((line) => line.includes('"level":60'));
  assert.equal(server.hasEnded, false, `${what} ended the server: ${fatal ?? server.output().slice(-2_000)}`);
}

const seenElsewhere: ReadonlySet<string> = new Set([
  // Health says that the store could not be asked.
  'src/dispatch/calling-health.ts callingHealth state then',
  // The call is made all the same; what cannot be said then is in its history.
  'src/channels/voice/speech.ts CommandSpeech check',
  // The output of the script run, in the timeline of the alarm, has it.
  "src/dispatch/run-process.ts collect on('data')",
  // The end of a wait that nobody waits for.
  'src/dispatch/run-process.ts watch catch',
  // The second fault of one request, of which the first is in the log.
  "src/http/body/request-body.ts gatherBody on('end')",
]);

async function serverWithPlant(t: TestContext, kind: DatabaseKind = 'sqlite') {
  const environment = {
    ...(await migratedStore(t, kind)),
    ...settingsForMore(t),
    TOCSIN_PUBLIC_URL: 'http://127.0.0.1',
  };
  const server = await startFailpointServer(t, await bundleWithFailpoints(t), environment);
  const caller = await callerOn(server);
  const plant = await openPlant(t, caller);
  assert.ok(await callsTheNext(caller, plant, 'Before'));
  return { server, caller, plant };
}

async function eachThrowsOnce(t: TestContext, kind: DatabaseKind): Promise<void> {
  const { server, caller, plant } = await serverWithPlant(t, kind);
  const places = allPlaces(root).filter((name) => !isOwn(name));
  server.arm(places);
  for (let turn = 1; turn <= turns; turn += 1) {
    await traffic(t, server.url, caller, plant, turn);
    const site = { t, caller, url: server.url, port: Number(new URL(server.url).port) };
    if (isSoak) await moreTraffic(site, plant, turn, inputsOfDoor);
    // What happens here is judged after the last turn.
    await callsTheNext(caller, plant, `During ${turn}`, 2_000).catch(() => false);
    assertAlive(server, server.thrown.at(-1) ?? '');
  }
  const isCalled = await callsTheNext(caller, plant, 'After').catch(() => false);
  assertAlive(server, server.thrown.at(-1) ?? '');
  assert.ok(isCalled, 'the next person is called');
  const unseen = server.thrown.filter((name) => !server.output().includes(name) && !seenElsewhere.has(name));
  assert.deepEqual(unseen, [], 'every fault is in the log');
  t.diagnostic(`${places.length} places, of which ${server.thrown.length} were reached and threw`);
  const thrown = new Set(server.thrown);
  if (isSoak) for (const name of places) if (!thrown.has(name)) t.diagnostic(`not reached: ${name}`);
  assert.ok(server.thrown.length > 30);
}

const what = 'every place that handles what others send throws once, and the server goes on and calls people';
test(what, { skip }, (t) => eachThrowsOnce(t, 'sqlite'));
test(
  `${what}, on PostgreSQL`,
  {
    skip: skip || (!isSoak && 'in the soak') || (process.env.STORES === 'sqlite' && 'without PostgreSQL'),
  },
  (t) => eachThrowsOnce(t, 'postgres'),
);

test('each place throws alone, and the next person is called', {
  skip: skip || (!isSoak && 'in the soak'),
}, async (t) => {
  const { server, caller, plant } = await serverWithPlant(t);
  await traffic(t, server.url, caller, plant, 1);
  const places = [...server.passed].filter((name) => !isOwn(name));
  for (const [index, name] of places.entries()) {
    server.arm([name]);
    await traffic(t, server.url, caller, plant, index + 2);
    assertAlive(server, name);
    assert.ok(await callsTheNext(caller, plant, `After ${index}`), `after ${name} the next person is called`);
  }
  t.diagnostic(`${places.length} places, of which ${server.thrown.length} threw alone`);
});
