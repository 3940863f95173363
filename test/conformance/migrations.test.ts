// Tests the migrations: the same schema from an empty database and from every earlier version, and no change of a newer
// one.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { StartError } from '../../src/errors.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { schema } from '../../src/migrations/schema.ts';
import { migrate, schemaVersion as postgresVersion } from '../../src/store/postgres/schema.ts';
import { newestVersion as newestOf } from '../../src/store/schema.ts';
import { prepareDatabase, schemaVersion as sqliteVersion } from '../../src/store/sqlite/database-file.ts';
import { isSoak } from '../harness/soak.ts';
import { memoryFolder } from '../harness/stores/memory-folder.ts';
import { freshPostgresDatabase, type StoreName } from '../harness/stores/stores.ts';
import { testOnStores } from '../harness/stores/test-on-stores.ts';

const newestVersion = newestOf(schema);

/** A database that can be migrated to a version, and its schema as text. */
type Subject = {
  bringTo(version: number, tell?: (sentence: string) => void): Promise<void>;
  version(): Promise<number>;
  schema(): Promise<string>;
  tables(): Promise<readonly string[]>;
  setVersion(version: number): Promise<void>;
  /** Returns the rows of a statement that both databases understand. */
  ask(sql: string): Promise<readonly object[]>;
};

async function sqliteSubject(t: TestContext): Promise<Subject> {
  const folder = await mkdtemp(join((await memoryFolder()) ?? tmpdir(), 'tocsin-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const using = <T>(work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(join(folder, 'tocsin.db'));
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  return {
    bringTo: async (version, tell) => {
      await prepareDatabase(folder, schema, {
        version,
        onNotice: tell,
        schemaChange: 'make-or-upgrade',
      });
    },
    version: async () => using(sqliteVersion),
    schema: async () =>
      using((db) => JSON.stringify(db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all())),
    tables: async () =>
      using((db) => db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()).map(({ name }) =>
        String(name),
      ),
    setVersion: async (version) => using((db) => db.exec(`PRAGMA user_version = ${version}`)),
    ask: async (sql) => using((db) => db.prepare(sql).all()),
  };
}

async function postgresSubject(t: TestContext): Promise<Subject> {
  const connectionString = await freshPostgresDatabase(t);
  const client = new Client({ connectionString });
  await client.connect();
  t.after(() => client.end());
  return {
    // Over a connection of its own, as a server's start does: a setting that a step leaves behind does not reach the next.
    bringTo: async (version, tell) => {
      const starting = new Client({ connectionString });
      await starting.connect();
      await migrate(starting, schema, tell, version).finally(() => starting.end());
    },
    version: () => postgresVersion(client),
    schema: async () => {
      const columns = await client.query(
        `select table_name, column_name, data_type, is_nullable, identity_generation from information_schema.columns where table_schema = 'public' order by 1, 2`,
      );
      const indexes = await client.query(
        `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
      );
      return JSON.stringify([columns.rows, indexes.rows]);
    },
    tables: async () =>
      (await client.query(`select table_name from information_schema.tables where table_schema = 'public'`)).rows.map(
        ({ table_name }) => String(table_name),
      ),
    setVersion: async (version) =>
      void (await client.query('insert into schema_version (version) values ($1)', [version])),
    ask: async (sql) => (await client.query(sql)).rows,
  };
}

test('migration versions are numbered without a gap', () => {
  assert.deepEqual(
    migrations.map(({ version }) => version),
    migrations.map((_, index) => index + 1),
  );
});

const subjects = { sqlite: sqliteSubject, postgres: postgresSubject } as const;

const freshSchemas = new Map<StoreName, string>();

/** The schema of a database that was migrated from empty to the newest version at once; made once per database. */
async function freshSchema(t: TestContext, kind: StoreName): Promise<string> {
  const known = freshSchemas.get(kind);
  if (known !== undefined) return known;
  const atOnce = await subjects[kind](t);
  await atOnce.bringTo(newestVersion);
  const made = await atOnce.schema();
  assert.match(made, /stations/);
  freshSchemas.set(kind, made);
  return made;
}

// Every version is left by a start of its own, so that the chain passes through each of them as a database that was made
// then. A start that takes several steps takes the same ones, one after the other, each in its own transaction; the tests
// below do so from three versions, and the soak from every one.
testOnStores(
  `migrating by one version at a time to ${newestVersion} gives the same schema as from empty`,
  async (t, kind) => {
    const stepwise = await subjects[kind](t);
    for (let version = 0; version <= newestVersion; version++) {
      await stepwise.bringTo(version);
      assert.equal(await stepwise.version(), version);
    }
    assert.equal(await stepwise.schema(), await freshSchema(t, kind));
  },
);

if (isSoak) {
  for (let version = 1; version < newestVersion; version++) {
    testOnStores(
      `migrating from version ${version} to ${newestVersion} at once gives the same schema as from empty`,
      async (t, kind) => {
        const made = await subjects[kind](t);
        await made.bringTo(version);
        await made.bringTo(newestVersion);
        assert.equal(await made.schema(), await freshSchema(t, kind));
      },
    );
  }
}

testOnStores(
  'an upgrade is reported before it begins; a new or up-to-date database reports nothing',
  async (t, kind) => {
    const made = await subjects[kind](t);
    const told: string[] = [];
    const tell = (sentence: string) => void told.push(sentence);
    await made.bringTo(9, tell);
    assert.deepEqual(told, []);
    await made.bringTo(newestVersion, tell);
    assert.match(told.join(), new RegExp(`from schema 9 to ${newestVersion}`));
    await made.bringTo(newestVersion, tell);
    assert.equal(told.length, kind === 'sqlite' ? 2 : 1, 'with SQLite the copy is named before');
    assert.equal(await made.schema(), await freshSchema(t, kind));
  },
);

testOnStores('version 9 derives unacknowledged_since from the history', async (t, kind) => {
  const made = await subjects[kind](t);
  await made.bringTo(8);
  await made.ask(`insert into stations (id, name, words, last_change) values (1, 'one', '', 0)`);
  await made.ask(`insert into data_servers (id, station_id, name, words, built_in, last_change)
    values (1, 1, 'one', '', 0, 0)`);
  for (const id of [1, 2])
    await made.ask(`insert into alarms (id, station_id, data_server_id, path, name, words, priority, value, definition,
      state, is_latched, created_at, last_change, ack_user, comment, occurrences)
      values (${id}, 1, 1, '${id}', '${id}', '', 3, '', '{}', 1, 0, 0, 0, '', '', 2)`);
  const entries = [
    [1, 100, 150],
    [1, 200, 'null'],
    [1, 300, 'null'],
    [2, 400, 450],
  ] as const;
  for (const [alarm, raised, acknowledged] of entries)
    await made.ask(`insert into alarm_histories (alarm_id, station_id, data_server_id, priority, code, raised_at, ack_at, comment)
      values (${alarm}, 1, 1, 3, 0, ${raised}, ${acknowledged}, '')`);
  await made.bringTo(newestVersion);
  assert.equal(await made.schema(), await freshSchema(t, kind));
  const kept = await made.ask('select unacknowledged_since from alarms order by id');
  assert.deepEqual(
    kept.map((row) => Object.values(row).map((value) => value && Number(value))),
    [[200], [null]],
  );
});

testOnStores('backup and restore cover every table', async (t, kind) => {
  const made = await subjects[kind](t);
  await made.bringTo(newestVersion);
  const own = kind === 'sqlite' ? ['sqlite_sequence'] : ['event_counter', 'schema_version'];
  assert.deepEqual((await made.tables()).toSorted(), [...schema.tables, ...own].toSorted());
});

testOnStores('a database newer than the program is refused and left unchanged', async (t, kind) => {
  const newer = await subjects[kind](t);
  await newer.bringTo(newestVersion);
  await newer.setVersion(newestVersion + 1);
  const before = await newer.schema();
  await assert.rejects(
    newer.bringTo(newestVersion),
    (error) => error instanceof StartError && /newer Tocsin/.test(error.message),
  );
  assert.equal(await newer.schema(), before);
});

testOnStores('a start on an up-to-date database changes nothing', async (t, kind) => {
  const current = await subjects[kind](t);
  await current.bringTo(newestVersion);
  const before = await current.schema();
  await current.bringTo(newestVersion);
  assert.equal(await current.schema(), before);
});

const ownForm = `{"temporary":true,"alarmDelay":0,"condition":{"transitory":true}}`;
const delayedForm = ownForm.replace('"alarmDelay":0', '"alarmDelay":5');

testOnStores(
  'version 19 moves the alarms that the program itself made, and leaves those of callers',
  async (t, kind) => {
    const made = await subjects[kind](t);
    await made.bringTo(18);
    const eventId = kind === 'sqlite' ? 'position' : 'id';
    for (const [id, name] of [
      [1, 'Main'],
      [2, 'North'],
    ])
      await made.ask(`insert into stations (id, name, words, last_change) values (${id}, '${name}', '', 0)`);
    for (const [id, station, name, builtIn] of [
      [1, 1, 'API', 1],
      [2, 2, 'API', 1],
      [3, 2, 'Tocsin', 0],
    ])
      await made.ask(`insert into data_servers (id, station_id, name, words, built_in, last_change)
      values (${id}, ${station}, '${name}', '', ${builtIn}, 0)`);
    const event = (id: number, alarm: number, previous: number | 'null', actor: string) =>
      made.ask(`insert into events (${eventId}, ${kind === 'postgres' ? 'position, ' : ''}kind, at, actor, subject_id, data, previous_id)
      values (${id}, ${kind === 'postgres' ? `${id}, ` : ''}'alarm.raised', 0, '${actor}', ${alarm}, '{}', ${previous})`);
    const alarm = (id: number, server: number, path: string, name: string, last: number | 'null', form = ownForm) =>
      made.ask(`insert into alarms (id, station_id, data_server_id, path, name, words, priority, value, definition, state,
      is_latched, created_at, last_change, ack_user, comment, occurrences, last_event_id, raised_at, series_id)
      values (${id}, ${Math.min(server, 2)}, ${server}, '${path}', '${name}', ' ${path} ', 3, '', '${form}', 2, 0, 0, 0, '', '', 1,
        ${last}, 7, ${id})`);
    // Made by the program, and written to by a source since.
    await event(1, 1, 0, 'system');
    await event(2, 1, 1, 'key:7');
    await alarm(1, 1, 'system/clock', 'system/clock', 2);
    // Named by its full path; its events came from a backup.
    await event(3, 2, 'null', 'system');
    await alarm(2, 2, 'system/clock', 'API\\system/clock', 'null');
    // Of callers: of the same form, a delayed one that the clock raised, and one on another data server.
    await event(4, 3, 0, 'key:7');
    await event(5, 3, 4, 'system');
    await alarm(3, 1, 'system/mine', 'system/mine', 5);
    await event(6, 4, 0, 'system');
    await alarm(4, 1, 'system/delayed', 'system/delayed', 6, delayedForm);
    await event(7, 5, 0, 'system');
    await alarm(5, 3, 'system/other', 'system/other', 7);
    // Its events have been purged.
    await alarm(6, 1, 'system/auditor', 'system/auditor', 99);
    for (const id of [1, 2])
      await made.ask(`insert into history_series (id, alarm_id, station_id, data_server_id, first_raised, noted_raise, longest_gap)
      values (${id}, ${id}, ${id}, ${id}, 7, 7, 0)`);
    await made.bringTo(newestVersion);
    assert.equal(await made.schema(), await freshSchema(t, kind));
    const moved = await made.ask(`select alarms.id, alarms.name, data_servers.name as server, is_system from alarms
    join data_servers on data_servers.id = data_server_id order by alarms.id`);
    assert.deepEqual(
      moved.map((row) => Object.values(row).map((value) => (/^\d+$/.test(String(value)) ? Number(value) : value))),
      [
        [1, 'system/clock', 'Tocsin', 1],
        [2, 'Tocsin #4\\system/clock', 'Tocsin #4', 1],
        [3, 'system/mine', 'API', 0],
        [4, 'system/delayed', 'API', 0],
        [5, 'system/other', 'Tocsin', 0],
        [6, 'system/auditor', 'Tocsin', 1],
      ],
    );
    const series = await made.ask(`select ended_at from history_series order by id`);
    assert.deepEqual(
      series.map((row) => Number(Object.values(row)[0])),
      [7, 7],
    );
    const kept = await made.ask('select id from alarms where series_id is not null order by id');
    assert.deepEqual(
      kept.map((row) => Number(Object.values(row)[0])),
      [3, 4, 5],
    );
  },
);

testOnStores('version 19 takes ligatures apart in the words of searches', async (t, kind) => {
  const made = await subjects[kind](t);
  await made.bringTo(18);
  for (const word of ['œuvre', 'oeuvre', 'straße', 'pump'])
    await made.ask(`insert into alarm_words (word, alarm_id) values ('${word}', 1)`);
  await made.ask(`insert into stations (id, name, words, last_change) values (1, 'Œuvre', ' œuvre ', 0)`);
  await made.bringTo(newestVersion);
  const words = await made.ask('select word from alarm_words order by word');
  assert.deepEqual(
    words.map((row) => Object.values(row)[0]),
    ['oeuvre', 'pump', 'strasse'],
  );
  assert.deepEqual(Object.values((await made.ask('select words from stations'))[0] ?? {}), [' oeuvre ']);
});
