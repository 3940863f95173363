// A backup with hundreds of recorded calls is written and restored within the memory of a small machine.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { schema } from '../../../../src/migrations/schema.ts';
import { verifyBackup } from '../../../../src/store/backup/format.ts';
import { newestVersion } from '../../../../src/store/schema.ts';
import { writeBackupFile } from '../../../harness/server/backup-file.ts';
import { runTocsin } from '../../../harness/server/server-process.ts';
import { freshStore, startTestApp } from '../../../harness/site/app.ts';
import { isSoak } from '../../../harness/soak.ts';
import { tablesOf } from '../../../harness/stores/table-rows.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const recordings = isSoak ? 500 : 25;
/** Base64 of the longest sound that a call may have, 2 MiB. */
const sound = 'QUJD'.repeat(Math.ceil((2 * 1024 * 1024) / 3));
/** Less than the recordings of an ordinary run, and a small part of those of a soak. */
const littleMemory = { NODE_OPTIONS: '--max-old-space-size=64' };

testOnStores('recordings that exceed the memory are backed up and restored', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const tables = await tablesOf(app.environment);
  await tables.run(`insert into call_messages (text, num, audio, file, actor, created_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${recordings})
    select 'message ' || i, i, '${sound}', '', 'user:1', 0 from n`);
  await tables.close();
  await app.stop();
  const file = join(app.environment.TOCSIN_DATA_DIR ?? '', 'recordings.backup');
  const backedUp = await runTocsin({ ...app.environment, ...littleMemory }, ['backup', file]);
  assert.equal(backedUp.code, 0, backedUp.output);
  const target = await freshStore(t, kind);
  const restored = await runTocsin({ ...target, ...littleMemory }, ['restore', file]);
  assert.equal(restored.code, 0, restored.output);
  const copy = await tablesOf(target);
  t.after(() => copy.close());
  const [found] = await copy.select(
    `select count(*) as count, count(distinct num) as numbers, min(length(audio)) as shortest, max(length(audio)) as longest
     from call_messages`,
  );
  const length = sound.length;
  assert.deepEqual({ ...found }, { count: recordings, numbers: recordings, shortest: length, longest: length });
});

test('a long line of a backup is joined once, not again with each part that is read', async (t) => {
  const { TOCSIN_DATA_DIR = '' } = await freshStore(t, 'sqlite');
  const file = join(TOCSIN_DATA_DIR, 'long-lines.backup');
  const rows = Array.from({ length: 4 }, (_, id) => [id + 1, sound]);
  const header = { format: 'tocsin-backup', formatVersion: 1, schemaVersion: newestVersion(schema) };
  writeBackupFile(file, [header, { table: 'call_messages', columns: ['id', 'audio'] }, ...rows]);
  let joined = 0;
  const { concat } = Buffer;
  t.mock.method(Buffer, 'concat', (...all: Parameters<typeof Buffer.concat>) => {
    const bytes = concat(...all);
    joined += bytes.length;
    return bytes;
  });
  assert.equal((await verifyBackup(file, schema, () => {})).rows, rows.length);
  assert.ok(joined < 2 * rows.length * sound.length, `${joined} bytes were copied to join ${rows.length} lines`);
});
