// The server makes backups by itself: at intervals, checked, the newest ones kept, one node for all, and an alarm when the last is old.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScheduledBackups } from '../../../../src/dispatch/watches/scheduled-backups.ts';
import { runHere } from '../../../harness/server/run-command.ts';
import { freshStore } from '../../../harness/site/app.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const hour = 3_600_000;

/** The states of the alarms that the last good backup is old. */
async function old(site: Site) {
  const all = await site.alarms.fromTocsin();
  return all.filter(({ path }) => path === 'system/backup-old').map(({ state, message }) => ({ state, message }));
}

/** The backups of a node with settings of its own, beside those of the site. */
function backupsOf(
  site: Site,
  node: string,
  hours: number,
  start: ConstructorParameters<typeof ScheduledBackups>[0]['start'],
  dir?: string,
) {
  return new ScheduledBackups({
    ...{ store: site.app.store, clock: site.app.clock, node, settings: { dir, hours, keep: 2 }, start },
    onMade: () => {},
    onTrouble: () => {},
  });
}

const fails = () => ({ done: Promise.resolve({ problem: 'no', isDatabase: false }), stop: () => {} });

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
      /no good backup was made in .*The last try failed: .*cannot be written: there is no such folder \(ENOENT\)/,
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

testOnStores('the alarm that backups are old ends when no node makes them any more', async (t, kind) => {
  const site = await startSite(t, kind);
  const [one, other] = [backupsOf(site, 'one', 6, fails, '/backups'), backupsOf(site, 'other', 6, fails, '/backups')];
  const [oneWithout, otherWithout] = [backupsOf(site, 'one', 6, fails), backupsOf(site, 'other', 6, fails)];
  t.after(() => Promise.all([one, other, oneWithout, otherWithout].map((node) => node.stop())));
  for (let n = 0; n < 4; n++) {
    await one.poll();
    await other.poll();
    site.app.clock.advance(6 * hour);
  }
  await one.poll();
  await other.poll();
  await site.signInAgain();
  const raised = async () => (await old(site)).filter(({ state }) => state !== 2).length;
  assert.equal(await raised(), 1);
  await oneWithout.poll();
  assert.equal(await raised(), 1, 'the other node still makes them');
  await otherWithout.poll();
  assert.equal(await raised(), 0, 'over as soon as the last node says so');
  await site.expectWhatRings();
});

testOnAnyStore(
  'a backup that hangs raises the alarm that the last one is old, and does not hold up a stop',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const begun = Promise.withResolvers<void>();
    const hanging = backupsOf(
      site,
      'one',
      6,
      () => {
        begun.resolve();
        return { done: new Promise(() => {}), stop: () => {} };
      },
      '/backups',
    );
    void hanging.poll();
    await begun.promise;
    site.app.clock.advance(13 * hour);
    await site.signInAgain();
    const look = () => {
      void hanging.poll();
      return old(site);
    };
    const [alarm] = await until(look, (found) => found.length > 0);
    assert.match(String(alarm?.message), /The one that was begun at .* has not ended/);
    await hanging.stop();
    const raised = async () => (await old(site)).filter(({ state }) => state !== 2).length;
    site.app.clock.advance(hour);
    await site.app.polled.backups?.poll();
    await site.signInAgain();
    assert.equal(await raised(), 1, 'a node without the setting does not end what one that is away wants');
    site.app.clock.advance(31 * hour);
    await site.app.polled.backups?.poll();
    await site.signInAgain();
    assert.equal(await raised(), 0, 'nobody has wanted backups for long');
    await site.expectWhatRings();
  },
);

testOnAnyStore(
  'nodes that make backups at different intervals do not raise and end the alarm in turn',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const nodes = [backupsOf(site, 'often', 6, fails, '/backups'), backupsOf(site, 'seldom', 24, fails, '/backups')];
    t.after(() => Promise.all(nodes.map((node) => node.stop())));
    const look = async (): Promise<void> => {
      for (const node of nodes) await node.poll();
    };
    await look();
    site.app.clock.advance(13 * hour);
    await look();
    for (let n = 0; n < 6; n++) {
      site.app.clock.advance(hour / 4);
      await look();
    }
    await site.signInAgain();
    const { items } = await site.ask<{ items: unknown[] }>('GET', '/alarms/histories?search=backup-old');
    assert.equal(items.length, 1, 'one occurrence');
    assert.equal((await old(site))[0]?.state, 3);
  },
);

testOnAnyStore('a backup that another node is writing into the folder is not removed', async (t, kind) => {
  const { TOCSIN_DATA_DIR: folder = '' } = await freshStore(t, 'sqlite');
  const site = await startSite(t, kind, { overrides: { TOCSIN_BACKUP_DIR: folder, TOCSIN_BACKUP_KEEP: '1' } });
  const [written, brokenOff] = ['tocsin-20260101T000000Z.backup.partial', 'tocsin-20250101T000000Z.backup.partial'];
  for (const name of [written, brokenOff]) writeFileSync(join(folder, name), 'begun');
  const long = Date.now() / 1_000 - 7_200;
  utimesSync(join(folder, brokenOff), long, long);
  await site.app.polled.backups?.poll();
  assert.deepEqual(
    [written, brokenOff].map((name) => readdirSync(folder).includes(name)),
    [true, false],
  );
});

testOnAnyStore(
  'after days without a server the first backup is waited for before an alarm is raised',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ends: ((end: { problem: undefined; isDatabase: false }) => void)[] = [];
    const node = backupsOf(
      site,
      'one',
      6,
      () => ({
        done: new Promise((resolve) => ends.push(resolve)),
        stop: () => ends.at(-1)?.({ problem: undefined, isDatabase: false }),
      }),
      '/backups',
    );
    const polled = node.poll();
    await until(
      () => ends.length,
      (count) => count === 1,
    );
    ends[0]?.({ problem: undefined, isDatabase: false });
    await polled.catch(() => {});
    site.app.clock.advance(72 * hour);
    void node.poll().catch(() => {});
    await until(
      () => ends.length,
      (count) => count === 2,
    );
    await node.stop();
    await site.signInAgain();
    assert.deepEqual(await old(site), []);
    await site.expectWhatRings();
  },
);

testOnAnyStore('a backup that is made is not removed for names of a clock that was ahead', async (t, kind) => {
  const { TOCSIN_DATA_DIR: folder = '' } = await freshStore(t, 'sqlite');
  for (const year of [2040, 2041]) writeFileSync(join(folder, `tocsin-${year}0101T000000Z.backup`), '');
  const overrides = { TOCSIN_BACKUP_DIR: folder, TOCSIN_BACKUP_HOURS: '6', TOCSIN_BACKUP_KEEP: '2' };
  const site = await startSite(t, kind, { overrides });
  await site.app.polled.backups?.poll();
  assert.equal(readdirSync(folder).filter((name) => /^tocsin-2026.*\.backup$/.test(name)).length, 1);
});

testOnAnyStore('a server that ends in the middle of every backup is told of by the alarm', async (t, kind) => {
  const site = await startSite(t, kind);
  // Like a process that is killed: the backup begins and ends, and its end is never stored.
  const crash = async () => {
    const begun = Promise.withResolvers<void>();
    const killed = Promise.withResolvers<never>();
    const start = () => {
      begun.resolve();
      return { done: killed.promise, stop: () => killed.reject(new Error('killed')) };
    };
    const node = backupsOf(site, 'one', 6, start, '/backups');
    void node.poll();
    await begun.promise;
    await node.stop();
    site.app.clock.advance(hour / 4);
  };
  for (let times = 0; times < 50; times++) await crash();
  await site.signInAgain();
  const told = await until(
    () => old(site),
    (found) => found.length > 0,
  );
  assert.match(String(told[0]?.message), /The last try failed: the server ended while it was made/);
  await site.expectWhatRings();
});
