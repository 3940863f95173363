// Backup and restore within and between both databases: no acknowledged write is lost, no id is reused.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { terminalCaller } from '../../../../src/domain/access/access.ts';
import { defaultNumber } from '../../../../src/domain/people/entities.ts';
import { exitCodes, StartError } from '../../../../src/errors.ts';
import { schema } from '../../../../src/migrations/schema.ts';
import { createApiKey } from '../../../../src/operations/access/api-keys.ts';
import {
  createPeopleEntry,
  type NewPeopleEntry,
  replacePeopleEntry,
} from '../../../../src/operations/people/change-resource.ts';
import { addUser } from '../../../../src/operations/people/users.ts';
import {
  createPlantEntry,
  removePlantEntry,
  replacePlantEntry,
} from '../../../../src/operations/plant/change-resource.ts';
import { highWaterFile } from '../../../../src/store/backup/high-water.ts';
import { readLogPosition } from '../../../../src/store/event-log.ts';
import { newestVersion } from '../../../../src/store/schema.ts';
import type { Store } from '../../../../src/store/store.ts';
import { readSchedule } from '../../../../src/wire/on-call/schedule.ts';
import { readCallGroup, readGrouping } from '../../../../src/wire/people/call-group.ts';
import { readScenario } from '../../../../src/wire/people/scenario.ts';
import { readUser } from '../../../../src/wire/people/user.ts';
import { linesIn, type Row, readBackupFile, writeBackupFile } from '../../../harness/server/backup-file.ts';
import { runHere } from '../../../harness/server/run-command.ts';
import { runTocsin } from '../../../harness/server/server-process.ts';
import { freshStore, migratedStore, startOn } from '../../../harness/site/app.ts';
import { freshPostgresDatabase, type StoreName, storesUnderTest } from '../../../harness/stores/stores.ts';
import { until } from '../../../harness/until.ts';

type Environment = Readonly<Record<string, string>>;

const kinds = storesUnderTest();
const pairs = kinds.flatMap((from) => kinds.map((to) => [from, to] as const));
const caller = terminalCaller;

function folderOf(environment: Environment): string {
  return environment.TOCSIN_DATA_DIR ?? '';
}

function addGroup(store: Store, name: string): Promise<number> {
  return store.write(createPlantEntry, { kind: 'tagGroup', caller, name, stationId: 1 });
}

async function assertRefused(
  t: TestContext,
  environment: Environment,
  words: string[],
  reason: keyof typeof exitCodes,
  says: RegExp,
): Promise<void> {
  await assert.rejects(runHere(t, environment, ...words), (error) => {
    assert.ok(error instanceof StartError, String(error));
    assert.match(error.message, says);
    assert.equal(error.exitCode, exitCodes[reason]);
    return true;
  });
}

let files = 0;

function backupName(environment: Environment): string {
  return join(folderOf(environment), `${++files}.backup`);
}

async function backUp(t: TestContext, environment: Environment): Promise<string> {
  const file = backupName(environment);
  await runHere(t, environment, 'backup', file);
  return file;
}

/** The content of all tables, read from a backup; without the epoch and the audit entry that a restore writes. */
async function contentOf(t: TestContext, environment: Environment): Promise<Record<string, Row[]>> {
  const { tables } = readBackupFile(await backUp(t, environment));
  const byText = (a: string, b: string): number => (a < b ? -1 : 1);
  const isKept = ({ key, kind }: Row): boolean => key !== 'epoch' && kind !== 'store.restored';
  const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort(byText);
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [table, sorted(rows.filter(isKept)).map((text) => JSON.parse(text))]),
  );
}

type UsedStore = { readonly environment: Environment; readonly lastGroup: number };

/** The first store of each kind is created by operations, the others are restored from its backup, which is faster. */
const seeds = new Map<StoreName, { readonly backup: Buffer; readonly lastGroup: number }>();

async function usedStore(t: TestContext, kind: StoreName): Promise<UsedStore> {
  const seed = seeds.get(kind);
  if (seed === undefined) {
    const made = await makeUsedStore(t, kind);
    seeds.set(kind, { backup: readFileSync(await backUp(t, made.environment)), lastGroup: made.lastGroup });
    return made;
  }
  const environment = await freshStore(t, kind);
  const file = backupName(environment);
  writeFileSync(file, seed.backup);
  await runHere(t, environment, 'restore', file);
  return { environment, lastGroup: seed.lastGroup };
}

/** Creates people who refer to each other in cycles, so that no order of inserts alone could restore them. */
async function fillCallingDirectory(store: Store): Promise<void> {
  const create = (command: Omit<NewPeopleEntry, 'caller'>) =>
    store.write(createPeopleEntry, { caller, ...command } as NewPeopleEntry);
  const user = { ...readUser({ name: 'ana' }, { passwordHash: undefined, pinHash: 'x' }, 'UTC'), stationIds: [1] };
  const number = { ...defaultNumber, id: 0, channel: 'voice', address: '+331' };
  const bo = { ...user, name: 'bo' };
  const scheduleId = await create({ kind: 'schedule', fields: readSchedule({ name: 'Nights' }, 'UTC') });
  const fields = { ...user, numbers: [{ ...number, scheduleId }] };
  const ana = await create({ kind: 'user', fields });
  const replacedById = await create({ kind: 'user', fields: bo });
  await store.write(replacePeopleEntry, { kind: 'user', caller, id: ana, fields: { ...fields, replacedById } });
  const members = [{ userId: ana, relief: false }];
  const teamIds = [await create({ kind: 'team', fields: { name: 'A', colour: '#808080', members } })];
  const group = { ...readCallGroup({ name: 'Pumps' }, 'UTC'), teamIds, scheduleId };
  const reliefed = await create({ kind: 'callGroup', fields: group });
  const relief = await create({ kind: 'callGroup', fields: { ...group, name: 'Relief' } });
  const changed = { ...group, reliefGroupId: relief };
  await store.write(replacePeopleEntry, { kind: 'callGroup', caller, id: reliefed, fields: changed });
  const inner = await create({ kind: 'grouping', fields: readGrouping({ name: 'Inner', callGroupIds: [relief] }) });
  await create({ kind: 'grouping', fields: readGrouping({ name: 'Outer', groupingIds: [inner] }) });
  const scenarioId = await create({ kind: 'scenario', fields: readScenario({ name: 'Fire', stationId: 1 }) });
  const station = { kind: 'station', caller, id: 1, name: 'Main', stationId: 1 } as const;
  await store.write(replacePlantEntry, { ...station, scenarioIds: [scenarioId] });
}

/** Creates a stopped store with rows in every table, texts that break naive parsers, and the id of a removed row. */
async function makeUsedStore(t: TestContext, kind: StoreName): Promise<UsedStore> {
  const environment = await migratedStore(t, kind);
  const app = await startOn(t, environment);
  await app.signIn();
  for (const name of ['a\u2028b\u2029c\u0085d', '"quoted" \\ back\nslash', '😀 Ünïcode', "it's; DROP TABLE users --"]) {
    await addGroup(app.store, name);
  }
  const stationIds = [1];
  await app.store.write(addUser, { caller, name: 'Zoë', role: 'operator', passwordHash: 'x', stationIds });
  await app.store.write(createApiKey, {
    caller,
    name: 'plant',
    tokenHash: 'h'.repeat(64),
    scopes: ['alarms:read'],
    stationIds,
    expiresAt: app.clock.now() + 1e9,
  });
  await fillCallingDirectory(app.store);
  const lastGroup = await addGroup(app.store, 'short-lived');
  await app.store.write(removePlantEntry, { kind: 'tagGroup', caller, id: lastGroup });
  await app.stop();
  return { environment, lastGroup };
}

for (const [from, to] of pairs) {
  test(`a backup of ${from} restored into ${to} has the same content without sessions and a new epoch`, async (t) => {
    const { environment, lastGroup } = await usedStore(t, from);
    const file = await backUp(t, environment);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const target = await freshStore(t, to);
    const ended = await runTocsin(target, ['restore', file]);
    assert.equal(ended.code, 0, ended.output);
    assert.match(ended.output, /^Restored \d+ rows, backed up .* in [\d.]+ s\.$/m);
    assert.deepEqual(await contentOf(t, target), { ...(await contentOf(t, environment)), sessions: [] });
    const app = await startOn(t, target);
    const { epoch } = await app.store.read(readLogPosition, {});
    assert.match(epoch, /^[0-9a-f-]{36}$/);
    assert.notEqual(epoch, readBackupFile(file).header.epoch);
    await app.signIn();
    assert.ok((await addGroup(app.store, 'new')) > lastGroup, 'an id of a removed row came again');
  });
}

for (const kind of kinds) {
  test(`${kind}: a backup during concurrent writes is one snapshot with every write acknowledged before it`, async (t) => {
    const environment = await freshStore(t, kind);
    const app = await startOn(t, environment);
    const acknowledged: number[] = [];
    let isOver = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) acknowledged.push(await addGroup(app.store, `${writer}-${n}`));
    });
    for (let n = 0; n < 50; n++) await addGroup(app.store, `first ${n}`).then((id) => acknowledged.push(id));
    const before = [...acknowledged];
    const file = backupName(environment);
    const ended = await runTocsin(environment, ['backup', file]).finally(() => {
      isOver = true;
    });
    await Promise.all(writers);
    assert.equal(ended.code, 0, ended.output);
    const { tables } = readBackupFile(file);
    const groups = new Set(tables.tag_groups?.map(({ id }) => id));
    assert.deepEqual(
      before.filter((id) => !groups.has(id)),
      [],
      'acknowledged before the backup, and not in it',
    );
    const told = tables.events?.filter(({ kind }) => kind === 'tagGroup.created') ?? [];
    assert.deepEqual(new Set(told.map(({ subject_id }) => subject_id)), groups, 'rows and events of one picture');
    const positions = tables.events?.map(({ position }) => position) ?? [];
    assert.equal(new Set(positions).size, positions.length);
    assert.ok(!positions.includes(null));
    assert.ok(acknowledged.length > before.length, 'the writers wrote on');
  });

  test(`${kind}: a restore reuses no id, not even one assigned after the backup, and keeps the replaced database`, async (t) => {
    const { environment } = await usedStore(t, kind);
    const file = await backUp(t, environment);
    const later = await startOn(t, environment);
    const issued: number[] = [];
    for (let n = 0; n < 20; n++) issued.push(await addGroup(later.store, `later ${n}`));
    const { position } = await until(
      () => later.store.read(readLogPosition, {}),
      (found) => found.position > issued.length,
    );
    await assertRefused(t, environment, ['restore', file, '--replace'], 'already-running', /Tocsin is running/);
    issued.push(await addGroup(later.store, 'goes on'));
    await later.stop();
    await assertRefused(t, environment, ['restore', file], 'bad-usage', /data here already.*--replace/);
    // Without the high-water mark, the replaced database still knows its ids.
    rmSync(highWaterFile(folderOf(environment)));
    await runHere(t, environment, 'restore', file, '--replace');
    if (kind === 'sqlite') assert.ok(namesInKept(environment).includes('goes on'));
    const app = await startOn(t, environment);
    assert.ok((await addGroup(app.store, 'new')) > Math.max(...issued));
    await app.stop();
    const { tables } = readBackupFile(await backUp(t, environment));
    assert.ok(!tables.tag_groups?.some(({ name }) => name === 'later 1'), 'replaced, not merged');
    const newest = tables.events?.find(({ data }) => data === '{"name":"new"}');
    assert.ok(Number(newest?.position) > position, 'positions go on above');
  });

  test(`${kind}: a restore after the loss of the database continues above the high-water mark`, async (t) => {
    const { environment } = await usedStore(t, kind);
    const file = await backUp(t, environment);
    const later = await startOn(t, environment);
    const issued = await addGroup(later.store, 'later');
    await later.stop();
    rmSync(join(folderOf(environment), 'tocsin.db'), { force: true });
    const url = kind === 'postgres' ? { TOCSIN_DATABASE_URL: await freshPostgresDatabase(t) } : {};
    const target = { ...environment, ...url };
    await runHere(t, target, 'restore', file);
    assert.ok(Number(readBackupFile(await backUp(t, target)).header.ids.tag_groups) >= issued);
    const app = await startOn(t, target);
    assert.ok((await addGroup(app.store, 'new')) > issued);
  });

  test(`${kind}: a truncated, altered, foreign or newer backup file is refused and changes nothing`, async (t) => {
    const { environment } = await usedStore(t, kind);
    const file = await backUp(t, environment);
    const before = await stateOf(t, environment);
    const bad = backupName(environment);
    for (const { bytes, says } of badFiles(file)) {
      writeFileSync(bad, bytes);
      await assertRefused(t, environment, ['restore', bad, '--replace'], 'data-unusable', says);
    }
    const [header, ...rest] = linesIn(file).slice(0, -1) as Record<string, unknown>[];
    for (const change of [{ formatVersion: 2 }, { schemaVersion: newestVersion(schema) + 1 }]) {
      writeBackupFile(bad, [{ ...header, ...change }, ...rest]);
      await assertRefused(t, environment, ['restore', bad, '--replace'], 'data-unusable', /newer Tocsin/);
    }
    await assertRefused(t, environment, ['restore', `${bad}.none`], 'bad-usage', /There is no file/);
    rmSync(bad);
    assert.deepEqual(await stateOf(t, environment), before);
  });

  test(`${kind}: a restore that fails midway leaves the old content`, async (t) => {
    const { environment } = await usedStore(t, kind);
    const before = await contentOf(t, environment);
    const lines = linesIn(await backUp(t, environment)).slice(0, -1);
    const bad = backupName(environment);
    writeBackupFile(bad, [...lines, { table: 'user_stations', columns: ['user_id', 'station_id'] }, [999, 999]]);
    await assert.rejects(runHere(t, environment, 'restore', bad, '--replace'), /foreign key/i);
    assert.deepEqual(await contentOf(t, environment), before);
    assert.ok(!readdirSync(folderOf(environment)).some((name) => name.includes('restoring')));
    await startOn(t, environment);
  });

  test(`${kind}: a backup of an older schema is migrated`, async (t) => {
    const { environment } = await usedStore(t, kind);
    const [header] = linesIn(await backUp(t, environment)) as [Record<string, unknown>];
    const file = backupName(environment);
    // Without rows, which would have to fit the older schema.
    writeBackupFile(file, [{ ...header, schemaVersion: newestVersion(schema) - 1 }]);
    await runHere(t, environment, 'restore', file, '--replace');
    const app = await startOn(t, environment);
    await app.signIn();
  });
}

function* badFiles(file: string): Generator<{ bytes: Buffer; says: RegExp }> {
  const whole = readFileSync(file);
  for (const share of [0, 0.1, 0.5, 0.9, 0.99]) {
    yield { bytes: whole.subarray(0, whole.length * share), says: /cut short|not a backup|altered/ };
  }
  for (let at = 10; at < whole.length; at += 97) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    // A changed padding bit does not change the unpacked text.
    if (!saysTheSame(bytes, whole)) yield { bytes, says: /altered|cut short|not a backup/ };
  }
  const lines = linesIn(file).map((line) => `${JSON.stringify(line)}\n`);
  const row = lines.findIndex((line) => line.includes('Zoë'));
  const packed = (text: readonly string[]) => gzipSync(text.join(''));
  yield { bytes: packed(lines.with(row, lines[row]?.replace('operator', 'administrator') ?? '')), says: /altered/ };
  yield { bytes: packed(lines.toSpliced(row, 1)), says: /altered/ };
  yield { bytes: packed(lines.slice(0, -1)), says: /cut short/ };
  yield { bytes: packed([...lines, '["more"]\n']), says: /altered/ };
  yield { bytes: gzipSync('{"format":"other"}\n'), says: /not a backup made by Tocsin/ };
  yield { bytes: Buffer.from('PGDMP not ours'), says: /not a backup made by Tocsin/ };
}

function saysTheSame(one: Buffer, other: Buffer): boolean {
  try {
    return gunzipSync(one).equals(gunzipSync(other));
  } catch {
    return false;
  }
}

/** The stored content; on SQLite the hash of every file in the folder. */
async function stateOf(t: TestContext, environment: Environment): Promise<unknown> {
  const folder = folderOf(environment);
  if (environment.TOCSIN_DATABASE_URL !== undefined) return contentOf(t, environment);
  const names = readdirSync(folder).filter((name) => !name.endsWith('.backup') && name !== 'server.lock');
  return names.map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ]);
}

/** The names of the tag groups in the database that the restore moved aside. */
function namesInKept(environment: Environment): unknown[] {
  const folder = folderOf(environment);
  const kept = readdirSync(folder).filter((name) => name.startsWith('tocsin.db.before-restore-'));
  assert.equal(kept.length, 1, kept.join(' '));
  const db = new DatabaseSync(join(folder, kept[0] ?? ''), { readOnly: true });
  try {
    return db
      .prepare('SELECT name FROM tag_groups')
      .all()
      .map(({ name }) => name);
  } finally {
    db.close();
  }
}

test('postgres: a committed event without a position is in the backup, after the others', {
  skip: !kinds.includes('postgres'),
}, async (t) => {
  const { environment } = await usedStore(t, 'postgres');
  const client = new Client({ connectionString: environment.TOCSIN_DATABASE_URL });
  await client.connect();
  t.after(() => client.end());
  for (const kind of ['late.one', 'late.two'])
    await client.query(`insert into events (kind, at, actor, data) values ($1, 1, 'test', '{}')`, [kind]);
  const { tables } = readBackupFile(await backUp(t, environment));
  const events = tables.events ?? [];
  assert.deepEqual(
    events.slice(-2).map(({ kind }) => kind),
    ['late.one', 'late.two'],
  );
  assert.deepEqual(
    events.map(({ position }) => position),
    events.map((_, index) => index + 1),
  );
});

test('a backup never overwrites a file, and fails if there is no database', async (t) => {
  const { environment } = await usedStore(t, kinds[0] ?? 'sqlite');
  const file = await backUp(t, environment);
  const before = readFileSync(file);
  await assertRefused(t, environment, ['backup', file], 'bad-usage', /exists already/);
  assert.deepEqual(readFileSync(file), before);
  const nothing = await freshStore(t, kinds[0] ?? 'sqlite');
  await assertRefused(t, nothing, ['backup', backupName(nothing)], 'data-unusable', /nothing to back up/);
  await assertRefused(t, environment, ['backup', '/nowhere/at/all'], 'cannot-write', /cannot be written/);
});
