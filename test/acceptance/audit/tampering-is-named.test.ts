// `tocsin audit verify` names what was changed by SQL, counts what is not sealed yet, and accepts trimming and restore.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyTrail } from '../../../src/cli/audit.ts';
import { entryText } from '../../../src/domain/audit/entry.ts';
import { findingText } from '../../../src/domain/audit/verify.ts';
import { exitCodes } from '../../../src/errors.ts';
import { sha256 } from '../../../src/operations/audit/append.ts';
import { sealAudit, trimAudit } from '../../../src/operations/audit/seal.ts';
import { runTocsin } from '../../harness/server/server-process.ts';
import { startBeside, startOn, type TestApp } from '../../harness/site/app.ts';
import { journalOf, newest } from '../../harness/site/journal.ts';
import { type Site, siteOn, startSite } from '../../harness/site/site.ts';
import { executeSql } from '../../harness/stores/execute-sql.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { type RowOf, tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

/** Records some changes and seals them as one segment; returns the id of the seal. */
async function sealSome(site: Site, count = 4): Promise<number> {
  for (let index = 0; index < count; index++) await site.create('/taggroups', { name: crypto.randomUUID() });
  const sealed = await site.app.store.write(sealAudit, {});
  return sealed?.id ?? assert.fail('nothing was sealed');
}

async function findingIn({ store }: TestApp): Promise<string | undefined> {
  const { finding } = await verifyTrail(store);
  return finding && findingText(finding);
}

async function tableRows(app: TestApp) {
  const tables = await tablesOf(app.environment);
  const rows = { entries: await tables.all('audit_entries'), seals: await tables.all('audit_seals') };
  await tables.close();
  return rows;
}

function newestFirst(seals: readonly RowOf<'audit_seals'>[]): readonly RowOf<'audit_seals'>[] {
  return seals.toSorted((one, other) => Number(other.id) - Number(one.id));
}

/** Applies SQL to the tables, asserts the finding, and puts the rows back as they were. */
async function assertNamed(app: TestApp, sql: string, expected: string): Promise<void> {
  await executeSql(app, 'CREATE TABLE kept_entries AS SELECT * FROM audit_entries');
  await executeSql(app, 'CREATE TABLE kept_seals AS SELECT * FROM audit_seals');
  await executeSql(app, sql);
  assert.equal(await findingIn(app), expected, sql);
  for (const table of ['entries', 'seals']) {
    await executeSql(app, `DELETE FROM audit_${table}`);
    await executeSql(app, `INSERT INTO audit_${table} SELECT * FROM kept_${table}`);
    await executeSql(app, `DROP TABLE kept_${table}`);
  }
}

testOnAnyStore('rows and seals that were changed, removed, added or moved by SQL are named', async (t, kind) => {
  const site = await startSite(t, kind);
  const { app } = site;
  const seals = [await sealSome(site), await sealSome(site), await sealSome(site)];
  await site.create('/taggroups', { name: 'not sealed' });
  const { entries } = await tableRows(app);
  const [first, second, third] = entries
    .filter(({ seal_id }) => seal_id === seals[1])
    .map(({ id }) => Number(id))
    .toSorted((one, other) => one - other);
  const unsealed = entries.find(({ seal_id }) => seal_id === null)?.id;
  const table = 'audit_entries';
  const cases: readonly (readonly [sql: string, expected: string])[] = [
    [`UPDATE ${table} SET actor = 'user:2' WHERE id = ${second}`, `Row ${second} was changed.`],
    [`UPDATE ${table} SET after = '{"name":"x"}' WHERE id = ${unsealed}`, `Row ${unsealed} was changed.`],
    [`UPDATE ${table} SET address = NULL WHERE id = ${second}`, `Row ${second} was changed.`],
    [`DELETE FROM ${table} WHERE id = ${second}`, `Row ${second} was removed.`],
    [
      `INSERT INTO ${table} (id, at, kind, actor, hash, seal_id) VALUES (5000, 1, 'sign-in', 'user:1', 'x', ${seals[1]})`,
      'Row 5000 was added.',
    ],
    [`UPDATE ${table} SET id = 5000 WHERE id = ${first}`, `Row ${first} was moved to row 5000.`],
    [
      `UPDATE ${table} SET id = -1 WHERE id = ${second}; UPDATE ${table} SET id = ${second} WHERE id = ${third};
       UPDATE ${table} SET id = ${third} WHERE id = -1`,
      `Row ${third} was moved to row ${second}.`,
    ],
    [`UPDATE ${table} SET seal_id = NULL WHERE id = ${second}`, `Row ${second} was moved to the rows not sealed yet.`],
    [
      `UPDATE ${table} SET seal_id = ${seals[2]} WHERE id = ${second}`,
      `Row ${second} was moved to segment ${seals[2]}.`,
    ],
    [`UPDATE audit_seals SET chain = 'x' WHERE id = ${seals[0]}`, `Seal ${seals[0]} was changed.`],
    [`UPDATE audit_seals SET entries = 'x' WHERE id = ${seals[1]}`, `Seal ${seals[1]} was changed.`],
    [`DELETE FROM audit_seals WHERE id = ${seals[1]}`, `Seal ${seals[1]} was removed.`],
    [`DELETE FROM audit_seals WHERE id = ${seals[2]}`, `Seal ${seals[2]} was removed.`],
    [
      `DELETE FROM audit_seals WHERE id = ${seals[1]}; DELETE FROM ${table} WHERE seal_id = ${seals[1]}`,
      `The seal before seal ${seals[2]} was removed or changed.`,
    ],
  ];
  assert.equal(await findingIn(app), undefined);
  for (const [sql, expected] of cases) await assertNamed(app, sql, expected);
  const { finding, seen } = await verifyTrail(app.store);
  assert.equal(finding, undefined, 'the rows are back');
  assert.equal(seen.segments, 3);
  assert.ok(seen.unsealed >= 1);
});

testOnAnyStore(
  'the command exits with 0 or names the row, and the export can be verified by others',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { app } = site;
    await sealSome(site);
    const sealId = await sealSome(site);
    app.clock.advance(30_000);
    await site.create('/taggroups', { name: 'not sealed' });
    const well = await runTocsin(app.environment, ['audit', 'verify']);
    assert.equal(well.code, 0, well.output);
    const { entries, seals } = await tableRows(app);
    assert.ok(well.output.includes(String(seals.find(({ id }) => id === sealId)?.hash)), well.output);
    assert.match(well.output, /, 1 rows not sealed yet,/);

    const file = join(app.environment.TOCSIN_DATA_DIR ?? '', 'audit.jsonl');
    const to = new Date(app.clock.now()).toISOString();
    assert.equal((await runTocsin(app.environment, ['audit', 'export', '--file', file, '--to', to])).code, 0);
    const turned = await runTocsin(app.environment, ['audit', 'export', '--from', '2100-01-01T00:00:00Z', '--to', to]);
    assert.equal(turned.code, exitCodes['bad-usage'], 'a period that ends before it begins');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const exported = lines.flatMap(({ entry }) => entry ?? []);
    assert.equal(exported.length, entries.length - 1, 'all but the newest entry');
    assert.equal(lines.length, exported.length + seals.length);
    for (const { before, after, ...entry } of exported) {
      const texts = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
      assert.equal(sha256(entryText({ ...entry, ...texts })), entry.hash);
    }

    const changed = exported.find((entry) => entry.sealId === sealId).id;
    await executeSql(app, `UPDATE audit_entries SET actor = 'user:9' WHERE id = ${changed}`);
    const bad = await runTocsin(app.environment, ['audit', 'verify']);
    assert.equal(bad.code, 65, bad.output);
    assert.match(bad.output, new RegExp(`Row ${changed} was changed\\.`));
  },
);

testOnAnyStore('rows are sealed after a minute and at the stop, and each hash is in the log', async (t, kind) => {
  const site = await startSite(t, kind);
  const { app } = site;
  assert.ok((await journalOf(site)).every(({ sealed }) => !sealed));
  app.clock.advance(60_000);
  await app.poll();
  await until(
    () => journalOf(site),
    (found) => found.every(({ sealed }) => sealed),
  );
  await site.create('/taggroups', { name: 'last' });
  await app.stop();
  const { entries, seals } = await tableRows(app);
  assert.ok(entries.every(({ seal_id }) => seal_id !== null));
  const logged = app.logLines.flatMap((line) => ('hash' in line ? [line.hash] : []));
  assert.deepEqual(
    logged,
    seals.map(({ hash }) => hash),
  );
});

testOnStores(
  'trimming removes whole old segments, keeps their seals, and verification accepts only that',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { app } = site;
    const old = [await sealSome(site), await sealSome(site)];
    // Less than a minute, so that the server does not seal by itself.
    app.clock.advance(50_000);
    const young = await sealSome(site);
    const before = app.clock.now() - 10_000;
    while (await app.store.write(trimAudit, { before }));
    const { entries, seals } = await tableRows(app);
    assert.deepEqual([...new Set(entries.flatMap(({ seal_id }) => seal_id ?? []))].map(Number), [young]);
    assert.equal(seals.length, 3);
    const trimmed = await journalOf(site, '&kind=audit.trimmed');
    assert.deepEqual(trimmed.map(({ after }) => after?.sealId).toReversed(), old);
    const { finding, seen } = await verifyTrail(app.store);
    assert.deepEqual([finding, seen.trimmed], [undefined, 2]);
    await app.store.write(sealAudit, {});
    assert.equal(await findingIn(app), undefined, 'the entry about the trimming is sealed like any other');
    await assertNamed(
      app,
      `DELETE FROM audit_entries WHERE seal_id = ${young}`,
      `Row ${
        entries
          .filter(({ seal_id }) => seal_id !== null)
          .map(({ id }) => Number(id))
          .toSorted((one, other) => one - other)[0]
      } was removed.`,
    );
  },
);

testOnAnyStore('a restore begins a chain that names the old one', async (t, kind) => {
  const site = await startSite(t, kind);
  const { app } = site;
  await sealSome(site);
  await site.create('/taggroups', { name: 'not sealed in the backup' });
  const file = join(app.environment.TOCSIN_DATA_DIR ?? '', 'audit.backup');
  assert.equal((await runTocsin(app.environment, ['backup', file])).code, 0);
  await sealSome(site);
  await app.stop();
  const [lost] = newestFirst((await tableRows(app)).seals);
  const restored = await runTocsin(app.environment, ['restore', file, '--replace']);
  assert.equal(restored.code, 0, restored.output);
  const after = await siteOn(t, await startOn(t, app.environment, app.clock));
  const entry = await newest(after, 'store.restored');
  assert.equal(entry.actor, 'cli');
  assert.equal(entry.before?.newestSeal, lost?.hash, 'it names the newest seal of what it replaced');
  await sealSome(after);
  const [last, previous] = newestFirst((await tableRows(after.app)).seals);
  assert.deepEqual([last?.chain, previous?.chain], [entry.after?.chain, entry.after?.backupChain]);
  assert.notEqual(last?.chain, previous?.chain);
  assert.equal(last?.previous, previous?.hash);
  assert.ok(Number(last?.id) > Number(lost?.id), 'no id of a seal is given out twice');
  const { finding, seen } = await verifyTrail(after.app.store);
  assert.deepEqual([finding, seen.segments], [undefined, 2], 'what was sealed after the backup is gone');
});

test('two nodes that seal at once make one chain', {
  skip: storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL',
}, async (t) => {
  const site = await startSite(t, 'postgres');
  const other = await startBeside(t, site.app);
  for (let round = 0; round < 10; round++) {
    await site.create('/taggroups', { name: `one ${round}` });
    await Promise.all([
      site.app.store.write(sealAudit, {}),
      other.store.write(sealAudit, {}),
      site.create('/taggroups', { name: `two ${round}` }),
    ]);
  }
  const { finding, seen } = await verifyTrail(site.app.store);
  assert.deepEqual([finding, seen.segments >= 10], [undefined, true]);
});

testOnAnyStore(
  'a trail whose end, or all of it, or whose tables were removed is told from a whole one',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { app } = site;
    const first = await sealSome(site);
    await site.create('/taggroups', { name: 'last' });
    await app.stop();
    const { seals } = await tableRows(app);
    const newestId = Math.max(...seals.map(({ id }) => Number(id)));
    const verify = () => runTocsin(app.environment, ['audit', 'verify']);
    const whole = await verify();
    assert.equal(whole.code, 0, whole.output);
    const cutOff = new RegExp(
      `The end of the trail was removed: a server has made seal ${newestId}, which is not there`,
    );
    const removals = [
      [
        `DELETE FROM audit_entries WHERE seal_id > ${first} OR seal_id IS NULL; DELETE FROM audit_seals WHERE id > ${first}`,
        cutOff,
      ],
      ['DELETE FROM audit_entries; DELETE FROM audit_seals', cutOff],
      ['DROP TABLE audit_entries', /The tables of the audit trail were removed or changed/],
    ] as const;
    for (const [sql, sentence] of removals) {
      await executeSql(app, sql);
      const found = await verify();
      assert.equal(found.code, exitCodes['data-unusable'], found.output);
      assert.match(found.output, sentence);
    }
  },
);
