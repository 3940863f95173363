// A clock that is wrong for less than a day removes no record, also when the server starts with it.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Maintenance } from '../../../src/dispatch/maintenance-loop.ts';
import { StoredWork } from '../../../src/dispatch/stored-work.ts';
import { sealAudit } from '../../../src/operations/audit/seal.ts';
import { noteClockStep } from '../../../src/operations/system/clock-step.ts';
import { startOn, type TestApp } from '../../harness/site/app.ts';
import { type FakeClock, fakeClock } from '../../harness/site/clock.ts';
import { Site, startSite } from '../../harness/site/site.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

const minute = 60_000;
const day = 86_400_000;
const retention = { eventDays: 30, recordingDays: 30, historyYears: 10 };
/** Tables with rows that are removed by age, and their keys. */
const keys = {
  events: 'id',
  sessions: 'id',
  alarm_histories: 'id',
  audit_entries: 'id',
  idempotency_keys: 'key',
} as const;
const kept = Object.keys(keys) as readonly (keyof typeof keys)[];

function maintain(t: TestContext, app: TestApp): Maintenance {
  const work = new StoredWork({ store: app.store, clock: app.clock, inHand: { begin() {}, end() {} } });
  work.open();
  const maintenance = new Maintenance({
    ...{ store: app.store, clock: app.clock, retention, work },
    onTrouble: (error) => assert.fail(String(error)),
  });
  t.after(() => maintenance.stop());
  return maintenance;
}

/** Makes a row of each kind that is removed by age, with ended occurrences and a sealed audit trail. */
async function fill(site: Site): Promise<void> {
  for (const raised of [true, false]) await site.alarms.send({ path: 'pump', raised });
  const headers = { 'idempotency-key': 'once' };
  await site.app.request('POST', '/api/v1/alarms', { token: site.token, headers, body: { path: 'valve' } });
  while ((await site.app.store.write(sealAudit, {})) !== undefined);
}

/** The keys of the rows that are there, by table. */
async function rowsOf({ environment }: TestApp): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = await tablesOf(environment);
  try {
    const found: Record<string, readonly string[]> = {};
    for (const table of kept) {
      const rows = (await tables.all(table)) as readonly Readonly<Record<string, unknown>>[];
      // On SQLite the position is the key of an event.
      found[table] = rows.map((row) => String(row[keys[table]] ?? row.position));
    }
    return found;
  } finally {
    await tables.close();
  }
}

async function assertKept(app: TestApp, before: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const after = await rowsOf(app);
  for (const table of kept) {
    assert.ok((before[table]?.length ?? 0) > 0, `${table} has rows`);
    const left = new Set(after[table]);
    assert.deepEqual(
      before[table]?.filter((row) => !left.has(row)),
      [],
      `rows of ${table} are gone`,
    );
  }
}

/** The alarm that says that nothing is removed, with its state; undefined if it was never raised. */
async function waitingAlarm(app: TestApp): Promise<{ state: number; message: string } | undefined> {
  const tables = await tablesOf(app.environment);
  try {
    const rows = await tables.select(
      `select alarms.state, history_texts.message from alarms join history_texts on history_texts.id = alarms.text_id
       where alarms.path = 'system/purge-waits'`,
    );
    return rows[0] as { state: number; message: string } | undefined;
  } finally {
    await tables.close();
  }
}

for (const [words, ahead] of [
  ['31 days', 31 * day],
  ['11 years', 11 * 365.25 * day],
] as const) {
  testOnStores(`a running server whose clock is ${words} ahead removes nothing and says so`, async (t, kind) => {
    const site = await startSite(t, kind);
    const { app } = site;
    const maintenance = maintain(t, app);
    await maintenance.pass();
    await fill(site);
    const before = await rowsOf(app);
    app.clock.advance(ahead);
    for (let n = 0; n < 5; n++) {
      await maintenance.pass();
      app.clock.advance(minute);
    }
    await assertKept(app, before);
    assert.match((await waitingAlarm(app))?.message ?? '', /not removed for now/);
    // The clock is put right: the nodes stay ahead of the database, and know by how much.
    const step = {
      knownSteps: 0,
      kind: 'back',
      setMs: ahead,
      byMs: 0,
      aheadMs: ahead,
      since: app.clock.now(),
    } as const;
    await app.store.write(noteClockStep, step);
    await maintenance.pass();
    await assertKept(app, before);
    const state = (await waitingAlarm(app))?.state;
    assert.ok(state === undefined || state % 2 === 0, `the alarm is over, not in state ${state}`);
  });

  testOnStores(`a server that starts with a clock ${words} ahead removes nothing`, async (t, kind) => {
    const site = await startSite(t, kind);
    await fill(site);
    const before = await rowsOf(site.app);
    await site.app.stop();
    // An older version has left no pace of purging; its newest event says when the clock was right.
    const wrong = fakeClock(site.app.clock.now() + ahead);
    const app = await startOn(t, site.app.environment, wrong);
    const maintenance = maintain(t, app);
    await new Site(t, app, await app.signIn()).alarms.send({ path: 'later' });
    for (let n = 0; n < 5; n++) {
      await maintenance.pass();
      wrong.advance(minute);
    }
    await assertKept(app, before);
    assert.equal((await waitingAlarm(app))?.state, 3);
    await app.stop();
    const right: FakeClock = fakeClock(site.app.clock.now() + 10 * minute);
    const again = await startOn(t, site.app.environment, right);
    await maintain(t, again).pass();
    await assertKept(again, before);
  });
}

testOnStores('after a month off, what is old is removed when the server has run for some days', async (t, kind) => {
  const site = await startSite(t, kind);
  const { app } = site;
  const maintenance = maintain(t, app);
  await maintenance.pass();
  await fill(site);
  const before = await rowsOf(app);
  app.clock.advance(33 * day);
  await maintenance.pass();
  await assertKept(app, before);
  // At most five minutes count between two passes.
  for (let n = 0; n < (5.5 * day) / (5 * minute); n++) {
    app.clock.advance(5 * minute);
    await maintenance.pass();
  }
  const after = await rowsOf(app);
  assert.equal(
    after.events?.some((row) => before.events?.includes(row)),
    false,
    'timelines of 38 days ago',
  );
  assert.equal(
    after.sessions?.some((row) => before.sessions?.includes(row)),
    false,
  );
  assert.deepEqual(
    before.alarm_histories?.filter((id) => !after.alarm_histories?.includes(id)),
    [],
  );
});
