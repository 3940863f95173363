// Holds what a connection keeps at hand to what others write beside it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { KeptAlarm } from '../kept-alarm.ts';
import { insertRows } from '../row-set.ts';
import { compiledStatement, statement } from '../statement.ts';
import { readsCalmly, stirs } from './calm-rows.ts';
import { openWritable, prepareDatabase } from './database-file.ts';
import { PreparedConnection } from './prepared.ts';

const alarm = { id: 1, dataServerId: 1, path: 'a', definition: {}, words: '', comment: '' } as unknown as KeptAlarm;

test('what is at hand is forgotten when another process has written, and only then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-beside-'));
  const file = prepareDatabase(folder);
  const connection = new PreparedConnection(openWritable(file));
  const beside = new DatabaseSync(file);
  const transaction = async (): Promise<KeptAlarm | undefined> => {
    connection.begin('BEGIN IMMEDIATE');
    const found = connection.tx.shelf?.get(1);
    connection.tx.shelf?.put(alarm);
    await connection.commit();
    return found;
  };
  assert.equal(await transaction(), undefined);
  assert.notEqual(await transaction(), undefined);
  beside.exec(`INSERT INTO meta (key, value) VALUES ('beside', '1')`);
  assert.equal(await transaction(), undefined);
  assert.notEqual(await transaction(), undefined);
  connection.close();
  beside.close();
  rmSync(folder, { recursive: true });
});

const selectNote = statement((db, args: { key: string }) =>
  db.selectFrom('meta').select('value').where('key', '=', args.key),
);
const changeNote = statement<{ key: string; value: string }>((db, args) =>
  db.updateTable('meta').set({ value: args.value }).where('key', '=', args.key),
);
const addNotes = insertRows('meta', { key: 'text', value: 'text' });

test('what is read of tables that seldom change is read again whenever it may have changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-beside-'));
  const file = prepareDatabase(folder);
  const connection = new PreparedConnection(openWritable(file));
  const beside = new DatabaseSync(file);
  const { tx } = connection;
  const note = async () => (await tx.all(selectNote, { key: 'a' })).map(({ value }) => value);
  connection.begin('BEGIN IMMEDIATE');
  assert.deepEqual(await note(), []);
  await tx.each(addNotes, [{ key: 'a', value: 'one' }]);
  assert.deepEqual(await note(), ['one']);
  assert.equal((await tx.all(selectNote, { key: 'a' }))[0], (await tx.all(selectNote, { key: 'a' }))[0], 'it is kept');
  assert.deepEqual(await tx.all(selectNote, { key: 'b' }), []);
  await connection.commit();
  beside.exec(`UPDATE meta SET value = 'two' WHERE key = 'a'`);
  connection.begin('BEGIN IMMEDIATE');
  assert.deepEqual(await note(), ['two']);
  await tx.run(changeNote, { key: 'a', value: 'three' });
  assert.deepEqual(await note(), ['three']);
  connection.rollBack('ROLLBACK');
  connection.begin('BEGIN IMMEDIATE');
  assert.deepEqual(await note(), ['two']);
  await connection.commit();
  connection.close();
  beside.close();
  rmSync(folder, { recursive: true });
});

test('statements that may change calm tables are told from those that only read them', () => {
  const compiled = (text: string, writes: boolean) => compiledStatement(text, [], writes);
  assert.ok(readsCalmly(compiled('select id from "users" where id in (select value from json_each(?))', false)));
  assert.ok(!readsCalmly(compiled('select * from users join sessions on user_id = users.id', false)));
  assert.ok(!readsCalmly(compiled('select 1 from users where exists (select 1 from alarms)', false)));
  for (const text of ['update "users" set name = ?', 'insert into meta (key) values (?)', 'delete from media'])
    assert.ok(stirs(compiled(text, true)), text);
  assert.ok(!stirs(compiled('update alarms set state = ?', true)));
});
