// A backup that can be trusted: verified as a whole, written to the output, and never kept from its name by one that was broken off.

import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exitCodes } from '../../../../src/errors.ts';
import { runHere } from '../../../harness/server/run-command.ts';
import { endWhen, runTocsin } from '../../../harness/server/server-process.ts';
import { withoutRoot } from '../../../harness/server/tools.ts';
import { freshStore, startTestApp } from '../../../harness/site/app.ts';
import { startSite } from '../../../harness/site/site.ts';
import { tablesOf } from '../../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnStores(
  'a backup is verified as a whole: it says from when and what it holds, and finds a flipped byte',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.person('ana');
    await site.alarms.send({ path: 'pump' });
    const file = join(site.app.environment.TOCSIN_DATA_DIR ?? '', 'a.backup');
    await runHere(t, site.app.environment, 'backup', file);
    const { out } = await runHere(t, {}, 'backup', 'verify', file);
    assert.match(out, new RegExp(`^The backup is of 20\\d\\d-.*Z, from ${kind}, by Tocsin \\S+ with schema \\d+\\.`));
    assert.match(out, /^It holds [\d,]+ rows: .*\balarms 1\b/m);
    assert.match(out, /^Its people are "admin", "ana"\.$/m);
    assert.match(out, /^Every row can be read, and the file is as it was written/m);
    const bytes = readFileSync(file);
    for (const place of [
      3,
      4,
      8,
      9,
      20,
      Math.floor(bytes.length / 3),
      Math.floor(bytes.length / 2),
      bytes.length - 12,
    ]) {
      const altered = Buffer.from(bytes);
      altered[place] = (altered[place] ?? 0) ^ 0x10;
      writeFileSync(`${file}.altered`, altered);
      await assert.rejects(runHere(t, {}, 'backup', 'verify', `${file}.altered`), /altered|cut short/, `byte ${place}`);
    }
    writeFileSync(`${file}.longer`, Buffer.concat([bytes, Buffer.alloc(1)]));
    await assert.rejects(runHere(t, {}, 'backup', 'verify', `${file}.longer`), /altered/);
    writeFileSync(`${file}.cut`, bytes.subarray(0, -100));
    await assert.rejects(runHere(t, {}, 'backup', 'verify', `${file}.cut`), /cut short/);
  },
);

for (const [name, command, says] of [
  ['whose reader ends', `exec "$@" backup - | true; exit "\${PIPESTATUS[0]}"`, /the program that read it has ended/],
  ['to a full disk', `exec "$@" backup - > /dev/full`, /its output cannot be written, the disk is full/],
] as const)
  testOnAnyStore(`a backup ${name} says what is wrong with its output`, async (t, kind) => {
    const app = await startTestApp(t, kind);
    const { code, output } = await runTocsin(app.environment, [], { under: ['bash', '-c', command, 'tocsin'] });
    assert.equal(code, exitCodes['cannot-write'], output);
    assert.match(output, says);
  });

testOnAnyStore('a backup can be written to the output of the program', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const file = join(app.environment.TOCSIN_DATA_DIR ?? '', 'piped.backup');
  const script = `exec "$@" backup - > '${file}'`;
  const ended = await runTocsin(app.environment, [], { under: ['sh', '-c', script, 'sh'] });
  assert.deepEqual([ended.code, /^Backed up [\d,]+ rows/.test(ended.output)], [0, true], ended.output);
  assert.match((await runHere(t, {}, 'backup', 'verify', file)).out, /as it was written/);
  const pipe = `cat '${file}' | "$@" backup verify /dev/stdin`;
  const verified = await runTocsin(app.environment, [], { under: ['sh', '-c', pipe, 'sh'] });
  assert.deepEqual([verified.code, /Every row can be read/.test(verified.output)], [0, true], verified.output);
});

testOnAnyStore('a backup that was killed or interrupted does not keep its name from being used', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const tables = await tablesOf(app.environment);
  const sound = 'QUJD'.repeat(500_000);
  for (let n = 0; n < 20; n++)
    await tables.run(`insert into call_messages (text, num, audio, file, actor, created_at)
      values ('', ${n}, '${sound}', '', 'user:1', 0)`);
  await tables.close();
  const file = join(app.environment.TOCSIN_DATA_DIR ?? '', 'a.backup');
  const isBeingWritten = () => (statSync(`${file}.partial`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const { code } = await endWhen(app.environment, ['backup', file], 'SIGINT', isBeingWritten);
  assert.deepEqual([code, existsSync(`${file}.partial`), existsSync(file)], [130, false, false]);
  await endWhen(app.environment, ['backup', file], 'SIGKILL', isBeingWritten);
  await assert.rejects(runHere(t, app.environment, 'backup', file), /another backup is writing it/);
  const long = Date.now() / 1_000 - 120;
  utimesSync(`${file}.partial`, long, long);
  await runHere(t, app.environment, 'backup', file);
  assert.deepEqual([existsSync(`${file}.partial`), existsSync(file)], [false, true]);
});

const nobody = 65_534;

test('sqlite: a stopped database on a disk that cannot be written is backed up to another', {
  skip: withoutRoot(),
}, async (t) => {
  const { TOCSIN_DATA_DIR: elsewhere = '' } = await freshStore(t, 'sqlite');
  const app = await startTestApp(t, 'sqlite');
  const { TOCSIN_DATA_DIR: folder = '' } = app.environment;
  await app.stop();
  const target = join(elsewhere, 'out');
  mkdirSync(target);
  chownSync(target, nobody, nobody);
  chmodSync(elsewhere, 0o755);
  for (const path of [join(folder, 'tocsin.db'), folder]) chownSync(path, nobody, nobody);
  chmodSync(join(folder, 'tocsin.db'), 0o400);
  chmodSync(folder, 0o500);
  const backup = await runTocsin(app.environment, ['backup', join(target, 'a.backup')], { uid: nobody });
  assert.equal(backup.code, 0, backup.output);
  assert.match((await runHere(t, {}, 'backup', 'verify', join(target, 'a.backup'))).out, /as it was written/);
});
