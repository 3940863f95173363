// Tests that a connection empties its alarm cache when another process has written to the database.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { AlarmRecord } from '../stored-alarm.ts';
import { openWritable, prepareDatabase } from './database-file.ts';
import { PreparedConnection } from './prepared-connection.ts';

const alarm = { id: 1, dataServerId: 1, path: 'a', definition: {}, words: '', comment: '' } as unknown as AlarmRecord;

test('the alarm cache is emptied when another process has written, and only then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-beside-'));
  const file = prepareDatabase(folder);
  const connection = new PreparedConnection(openWritable(file));
  const beside = new DatabaseSync(file);
  const transaction = async (): Promise<AlarmRecord | undefined> => {
    connection.begin('BEGIN IMMEDIATE');
    const found = connection.tx.cache?.get(1);
    connection.tx.cache?.put(alarm);
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
