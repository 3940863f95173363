// The server makes backups by itself: at intervals, checked, the newest ones kept, one node for all, and an alarm when the last is old.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../../../harness/server/run-command.ts';
import { freshStore } from '../../../harness/site/app.ts';
import { startSite } from '../../../harness/site/site.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const hour = 3_600_000;

testOnStores(
  'the server makes backups at intervals, keeps the newest, and tells when the last good one is old',
  async (t, kind) => {
    const { TOCSIN_DATA_DIR: elsewhere = '' } = await freshStore(t, 'sqlite');
    const folder = join(elsewhere, 'backups');
    mkdirSync(folder);
    writeFileSync(join(folder, 'mine.backup'), 'of somebody else');
    const overrides = { TOCSIN_BACKUP_DIR: folder, TOCSIN_BACKUP_HOURS: '6', TOCSIN_BACKUP_KEEP: '2' };
    const site = await startSite(t, kind, { overrides, expectErrors: true });
    const pass = async (hours: number) => {
      site.app.clock.advance(hours * hour);
      await site.app.polled.backups?.poll();
    };
    const made = () =>
      readdirSync(folder)
        .filter((name) => name !== 'mine.backup')
        .toSorted();
    await pass(0);
    const [first = ''] = made();
    assert.match(first, /^tocsin-\d{8}T\d{6}Z\.backup$/);
    assert.match((await runHere(t, {}, 'backup', 'verify', join(folder, first))).out, /as it was written/);
    await pass(5);
    assert.deepEqual(made(), [first], 'not due');
    for (let n = 0; n < 3; n++) await pass(6);
    assert.equal(made().length, 2, 'the newest two are kept');
    assert.ok(!made().includes(first));
    assert.ok(readdirSync(folder).includes('mine.backup'), 'what it did not make stays');

    rmSync(folder, { recursive: true });
    for (let n = 0; n < 3; n++) await pass(6);
    await site.signInAgain();
    const own = async () => (await site.alarms.fromTocsin()).filter(({ path }) => path === 'system/backup-old');
    assert.match(
      String((await own())[0]?.message),
      /no good backup was made in .*The last try failed: .*cannot be written \(ENOENT\)/,
    );
    mkdirSync(folder);
    await pass(1);
    assert.equal(made().length, 1, 'tried again');
    assert.deepEqual(
      (await own()).filter(({ state }) => state !== 2),
      [],
      'over with its cause',
    );
    await site.expectWhatRings();
  },
);
