// Stored work of any kind that was under way at unplanned ends: begun last and alone after two, set aside with an alarm after a third,
// and begun again when an administrator has released it.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countUnsealed } from '../../../src/operations/audit/seal.ts';
import { runHere } from '../../harness/server/run-command.ts';
import { startTestApp } from '../../harness/site/app.ts';
import { type Site, siteOn, startSite } from '../../harness/site/site.ts';
import { executeSql } from '../../harness/stores/execute-sql.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

type Listed = { readonly kind: string; readonly id: number; readonly state: string };

/** Stops the server, and starts it again as after an end at which this was under way. */
async function endWith(site: Site, ...works: readonly string[]): Promise<void> {
  await site.app.stop();
  const folder = site.app.environment.TOCSIN_DATA_DIR ?? '';
  await writeFile(join(folder, 'work-in-hand'), works.map((work) => `+${work}\n`).join(''));
  await site.restart({}, true);
}

async function listed(site: Site): Promise<readonly Listed[]> {
  const { quarantine } = await site.ask<{ readonly quarantine: readonly Listed[] }>('GET', '/system');
  return quarantine.map(({ kind, id, state }) => ({ kind, id, state }));
}

async function ownPaths(site: Site): Promise<readonly string[]> {
  return (await site.alarms.fromTocsin()).map(({ path }) => String(path));
}

const decide = (site: Site, work: string, how: 'release' | 'drop') =>
  site.ask('POST', `/system/quarantine/${work}/${how}`);

/** Lets time pass until what was released is found. */
async function passes(site: Site, ms: number): Promise<void> {
  site.app.clock.advance(ms);
  await site.app.poll();
}

testOnStores('an alarm whose delay ends the server is found among others, which go on', async (t, kind) => {
  const site = await startSite(t, kind, { expectErrors: true });
  const delayed = { alarmDelay: 60, raised: true };
  const bad = await site.create('/alarms', { path: 'Bad', alarmMessage: 'bad', ...delayed });
  const good = await site.create('/alarms', { path: 'Good', alarmMessage: 'good', ...delayed });
  const stateOf = async (id: number) => (await site.alarms.get(id)).state;
  for (let end = 0; end < 2; end += 1) await endWith(site, 'alarm 0');
  assert.deepEqual(await listed(site), [{ kind: 'alarm', id: 0, state: 'suspect' }]);
  // They are run one by one now, and this one was alone in hand.
  await endWith(site, `alarm ${bad}`);
  assert.ok((await listed(site)).some(({ id, state }) => id === bad && state === 'failed'));
  await passes(site, 60_000);
  await until(
    () => stateOf(good),
    (state) => state === 3,
  );
  assert.equal(await stateOf(bad), 0);
  assert.ok((await ownPaths(site)).includes(`system/quarantine/alarm/${bad}`));
  await decide(site, `alarm/${bad}`, 'release');
  await until(
    async () => {
      await passes(site, 1_000);
      return stateOf(bad);
    },
    (state) => state === 3,
  );
});

testOnStores('a group whose calling ends the server is found, and others are called', async (t, kind) => {
  const site = await startSite(t, kind, { expectErrors: true });
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const fans = await site.group('Fans', [await site.team('Day', [bo])]);
  await site.alarms.raise(pumps, { path: 'Pump' });
  await ana.isCalled();
  await ana.hangsUp();
  const tables = await tablesOf(site.app.environment);
  t.after(() => tables.close());
  const [cause] = (await tables.all('call_causes')).filter(({ target_id }) => target_id === pumps);
  for (let end = 0; end < 2; end += 1) await endWith(site, 'cause 0');
  await endWith(site, 'cause 0', `cause ${cause?.cause_id}`);
  const states = await listed(site);
  assert.deepEqual(
    states.filter(({ id }) => id === 0),
    [{ kind: 'cause', id: 0, state: 'suspect' }],
  );
  // Both were suspects: nobody knows which it was. The next end has one of them alone.
  await endWith(site, `cause ${cause?.cause_id}`);
  assert.ok((await listed(site)).some(({ id, state }) => id === cause?.cause_id && state === 'failed'));
  assert.equal((await site.app.request('GET', '/health/calling')).status, 503);
  await site.alarms.raise(fans, { path: 'Fan' });
  await bo.isCalled();
  const calls = (await ana.messages()).length;
  await passes(site, 120_000);
  assert.equal((await ana.messages()).length, calls, 'she is not called');
  await decide(site, `cause/${cause?.cause_id}`, 'release');
  await until(
    async () => {
      await passes(site, 30_000);
      return ana.messages();
    },
    (messages) => messages.length > calls,
  );
  await site.expectWhatRings();
});

testOnStores(
  'a call that ends the server is given up, also if calls are being decided on at each end',
  async (t, kind) => {
    const site = await siteOn(t, await startTestApp(t, kind, { expectErrors: true }));
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana], [bo])]), { path: 'Pump' });
    await ana.isCalled();
    const [attempt] = await site.callHistories(`&userId=${ana.id}`);
    for (let end = 0; end < 3; end += 1) await endWith(site, String(attempt?.id), 'cause 0');
    assert.deepEqual(await listed(site), [
      { kind: 'attempt', id: attempt?.id, state: 'failed' },
      { kind: 'cause', id: 0, state: 'suspect' },
    ]);
    await until(
      async () => (await site.list(`/call/histories?userId=${bo.id}`)).items,
      (rows) => rows.some(({ ringTime }) => ringTime !== undefined),
    );
  },
);

testOnStores('a move of tags that ends the server is set aside, and another one goes on', async (t, kind) => {
  const site = await startSite(t, kind, { expectErrors: true });
  const server = async (name: string) => {
    const id = await site.create('/dataservers', { name, stationId: 1 });
    await site.create('/alarms', { path: `Tag of ${name}`, dataServerId: id, alarmMessage: 'hot' });
    return id;
  };
  const [first, second] = [await server('First'), await server('Second')];
  for (let end = 0; end < 2; end += 1) await endWith(site, 'move 900');
  for (const [id, of] of [
    [900, first],
    [901, second],
  ])
    await executeSql(
      site.app,
      `insert into pending_moves (id, data_server_id, moved_to, after_id, actor) values (${id}, ${of}, null, 0, 'user:1')`,
    );
  const tables = await tablesOf(site.app.environment);
  t.after(() => tables.close());
  const left = async () => (await tables.all('pending_moves')).map(({ id }) => id);
  await site.app.poll();
  assert.deepEqual(await left(), [900], 'the suspect comes last, and waits for its turn');
  await endWith(site, 'move 900');
  await passes(site, 120_000);
  assert.deepEqual(await left(), [900]);
  assert.ok((await ownPaths(site)).includes('system/quarantine/move/900'));
  await decide(site, 'move/900', 'release');
  await until(
    async () => {
      await passes(site, 1_000);
      return left();
    },
    (ids) => ids.length === 0,
  );
});

testOnAnyStore('work that is there once is not begun after a third end, until it is released', async (t, kind) => {
  const site = await startSite(t, kind, { expectErrors: true });
  const minute = 60_000;
  const unsealed = () => site.app.store.read(countUnsealed, {});
  for (const state of ['suspect', 'failed']) {
    for (let end = 0; end < (state === 'suspect' ? 2 : 1); end += 1) await endWith(site, 'seal 0');
    assert.deepEqual(await listed(site), [{ kind: 'seal', id: 0, state }]);
  }
  assert.ok((await ownPaths(site)).includes('system/quarantine/seal'));
  await site.person('ana');
  const waiting = await unsealed();
  await passes(site, 2 * minute);
  assert.ok(waiting > 0 && (await unsealed()) >= waiting, 'nothing is sealed');
  const doctor = await runHere(t, site.app.environment, 'doctor');
  // It has found a problem, which is no failure of this test.
  process.exitCode = undefined;
  assert.match(doctor.out + doctor.err, /"seal 0" \(sealing the audit trail\) was given up/);
  await decide(site, 'seal/0', 'release');
  await passes(site, 2 * minute);
  await until(unsealed, (left) => left < waiting);
  const kinds = (await site.list('/journal?limit=1000')).items.map((entry) => entry.kind);
  assert.ok(kinds.includes('quarantine.released'));
  await site.expectWhatRings();
});

testOnAnyStore('an administrator drops suspected work at once', async (t, kind) => {
  const site = await startSite(t, kind, { expectErrors: true });
  for (let end = 0; end < 2; end += 1) await endWith(site, 'purge 0', 'hand-over 0');
  assert.deepEqual(
    (await listed(site)).map(({ kind: work, state }) => `${work} ${state}`),
    ['hand-over suspect', 'purge suspect'],
  );
  await decide(site, 'purge/0', 'drop');
  assert.deepEqual(
    (await listed(site)).map(({ kind: work, state }) => `${work} ${state}`),
    ['hand-over suspect', 'purge failed'],
  );
  await decide(site, 'hand-over/0', 'release');
  assert.equal((await site.app.request('POST', '/api/v1/system/quarantine/purge/5/drop')).status, 401);
  assert.equal((await site.request('POST', '/system/quarantine/purge/5/drop')).status, 404);
  assert.equal((await site.request('POST', '/system/quarantine/nothing/5/drop')).status, 404);
  await decide(site, 'purge/0', 'release');
  assert.deepEqual(await listed(site), []);
});
