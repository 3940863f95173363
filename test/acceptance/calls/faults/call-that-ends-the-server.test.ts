// A call that was under way each time the server ended without being stopped: it is made last and alone, then given up, and the next
// person is called. A planned stop does not count.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { DatabaseKind } from '../../../../src/store/statement.ts';
import { callerOn } from '../../../harness/channels/crash.ts';
import { startServer } from '../../../harness/server/server-process.ts';
import { migratedStore } from '../../../harness/site/app.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { tablesOf } from '../../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const mostKills = 10;

type Quarantined = { readonly id: number; readonly user: string; readonly state: string };
type Listed = Quarantined & { readonly kind: string };

/** A server on which ana, and then bo as her relief, are called for an alarm; it can be ended and started again. */
async function calledOn(t: TestContext, kind: DatabaseKind) {
  const environment = await migratedStore(t, kind);
  let server = await startServer(environment);
  t.after(() => server.end('SIGKILL'));
  let caller = await callerOn(server);
  const person = (name: string, number: string) =>
    caller.create('/users', { name, firstName: name, role: 'operator', numbers: [voice(number)] });
  const group = async (name: string, members: readonly object[]) => {
    const team = await caller.create('/teams', { name, members });
    return caller.create('/callgroups', { name, stationId: 1, teamIds: [team] });
  };
  const ana = await person('ana', '+33100000001');
  const bo = await person('bo', '+33100000002');
  const cy = await person('cy', '+33100000003');
  const pumps = await group('Pumps', [
    { userId: ana, relief: false },
    { userId: bo, relief: true },
  ]);
  const fire = await group('Fire', [{ userId: cy, relief: false }]);
  const alarm = await caller.alarms.raise(pumps, { priority: 1 });
  const tables = await tablesOf(environment);
  t.after(() => tables.close());
  const holder = async () => (await tables.all('call_attempts')).findLast(({ user_id }) => user_id === ana)?.lease_by;
  const rows = async (userId: number): Promise<readonly Row[]> =>
    (await caller.list(`/call/histories?userId=${userId}&limit=100`)).items;
  const untilHeldAnew = async (before: unknown): Promise<void> => {
    await until(holder, (by) => typeof by === 'string' && by !== before);
    // It is taken in the store first, and in hand when its delivery begins.
    const inHand = () => readFile(join(environment.TOCSIN_DATA_DIR ?? '', 'work-in-hand'), 'utf8');
    await until(inHand, (text) => /^\+\d+$/m.test(text));
  };
  await untilHeldAnew(undefined);
  return {
    ana,
    bo,
    cy,
    alarm,
    fire,
    rows,
    caller: () => caller,
    async quarantine(): Promise<readonly Quarantined[]> {
      const report = await caller.ask<{ readonly quarantine: readonly Listed[] }>('GET', '/system');
      // A decision may be under way at a kill as well.
      return report.quarantine.flatMap(({ kind: work, id, user, state }) =>
        work === 'attempt' ? [{ id, user, state }] : [],
      );
    },
    async endAndStart(signal: NodeJS.Signals): Promise<void> {
      await server.end(signal);
      server = await startServer(environment);
      caller = await callerOn(server);
    },
    /** Waits until the present server has ana's call. */
    untilHeldAnew,
    holder,
  };
}

testOnStores('after three kills during a call the next person is called, and everybody sees why', async (t, kind) => {
  const site = await calledOn(t, kind);
  const kill = async () => {
    const before = await site.holder();
    await site.endAndStart('SIGKILL');
    return before;
  };
  await site.untilHeldAnew(await kill());
  assert.deepEqual(await site.quarantine(), [], 'one end says nothing');
  const second = await kill();
  const [attempt] = await site.rows(site.ana);
  assert.deepEqual(await site.quarantine(), [{ id: attempt?.id, user: 'ana', state: 'suspect' }]);
  await site.untilHeldAnew(second);
  await site.caller().alarms.raise(site.fire, { path: 'Fire', priority: 1 });
  await until(
    () => site.rows(site.cy),
    (rows) => rows.some(({ ringTime }) => ringTime !== undefined),
  );
  assert.equal((await site.rows(site.bo)).length, 0, 'nobody is passed over yet');
  await kill();
  await until(
    () => site.rows(site.bo),
    (rows) => rows.some(({ ringTime }) => ringTime !== undefined),
  );
  const [given, ...others] = await site.rows(site.ana);
  assert.deepEqual([given?.id, given?.outcome, others.length], [attempt?.id, 'failed', 0]);
  assert.match(String(given?.detail), /ended unexpectedly/);
  assert.deepEqual(await site.quarantine(), [{ id: attempt?.id, user: 'ana', state: 'failed' }]);
  const own = (await site.caller().alarms.fromTocsin()).map(({ path }) => path);
  assert.ok(own.includes(`system/quarantine/attempts-of/${site.ana}`));
  const [call] = await until(
    () => site.rows(site.cy),
    (rows) => rows.length === 1,
  );
  assert.notEqual(call?.outcome, 'failed', 'who was called beside it goes on being called');
});

testOnAnyStore('planned stops are no sign of a call that ends the server', async (t, kind) => {
  const site = await calledOn(t, kind);
  for (let stop = 0; stop < 3; stop += 1) {
    const before = await site.holder();
    await site.endAndStart('SIGTERM');
    await site.untilHeldAnew(before);
  }
  assert.deepEqual(await site.quarantine(), []);
  const calls = await site.rows(site.ana);
  assert.deepEqual(
    calls.filter(({ detail }) => /ended unexpectedly/.test(String(detail))),
    [],
  );
  // The relief is called on a machine so slow that the telephone rang out meanwhile, and on no other.
  const hasRungOut = calls.some(({ outcome }) => outcome === 'noAnswer');
  assert.ok((await site.rows(site.bo)).length === 0 || hasRungOut);
});

/** Two kills suffice, unless the telephone rings out between them and is called again; returns the path of the suspect. */
async function killUntilSuspected(site: Awaited<ReturnType<typeof calledOn>>): Promise<string> {
  let suspects = await site.quarantine();
  let kills = 0;
  for (; kills < mostKills && suspects.length === 0; kills += 1) {
    const before = await site.holder();
    await site.endAndStart('SIGKILL');
    await site.untilHeldAnew(before);
    suspects = await site.quarantine();
  }
  assert.ok(kills >= 2, 'one end says nothing');
  const [{ id, state } = { id: 0, state: 'none' }] = suspects;
  assert.equal(state, 'suspect');
  return `/system/quarantine/attempt/${id}`;
}

testOnAnyStore('an administrator releases a suspected call, or gives it up', async (t, kind) => {
  const site = await calledOn(t, kind);
  const path = await killUntilSuspected(site);
  await site.caller().ask('POST', `${path}/release`);
  assert.deepEqual(await site.quarantine(), []);
  const gone = await site.caller().request('POST', `${path}/drop`);
  assert.equal(gone.status, 404);
  // They count anew.
  const again = await killUntilSuspected(site);
  await site.caller().ask('POST', `${again}/drop`);
  await until(
    () => site.rows(site.bo),
    (rows) => rows.some(({ ringTime }) => ringTime !== undefined),
  );
  const kinds = (await site.caller().list('/journal?limit=1000')).items.map((entry) => entry.kind);
  assert.ok(kinds.includes('quarantine.released') && kinds.includes('quarantine.dropped'));
});
