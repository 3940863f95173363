// `tocsin restore FILE`: replaces the content of the store with a backup while no server runs, after it has said what and who comes back.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type BackedUpKey,
  type BackedUpPerson,
  disabledPeopleKey,
  type ReplacedAccess,
  RestoredAccess,
  readReplacedAccess,
} from '../../access/restored-access.ts';
import { readRevokedKeys } from '../../access/revoked-keys-file.ts';
import { type Config, type Environment, readConfig } from '../../config.ts';
import { terminalCaller } from '../../domain/access/access.ts';
import { StartError } from '../../errors.ts';
import { schema } from '../../migrations/schema.ts';
import { rememberRevoked } from '../../operations/access/revoked-keys.ts';
import { appendAudit } from '../../operations/audit/append.ts';
import { completeStations } from '../../operations/system/first-start.ts';
import { openBackup } from '../../store/backup/format.ts';
import { boundsOf, highest, highWaterFile, raiseHighWater, readHighWater } from '../../store/backup/high-water.ts';
import type { RestoreTarget } from '../../store/backup/restore-target.ts';
import { restoredRows } from '../../store/backup/restored-rows.ts';
import { getMeta, setMeta } from '../../store/meta.ts';
import { openPostgresTarget } from '../../store/postgres/postgres-restore.ts';
import { makeFolder } from '../../store/sqlite/database-file.ts';
import { openSqliteTarget } from '../../store/sqlite/sqlite-restore.ts';
import type { Tx } from '../../store/store.ts';
import { readArguments } from '../arguments.ts';
import { counted, number, secondsSince, showProgress } from '../progress.ts';
import { type BackupContent, contentLines, namesOf, readBackup } from './backup-content.ts';

export const restoreUsage = 'restore FILE [--replace] [--revive]';

/** What a restore does with a backup, decided before anything is changed. */
type Plan = {
  readonly backup: BackupContent;
  readonly replaced: ReplacedAccess;
  /** People who were removed since and come back without sign-in and duty. */
  readonly disabled: readonly BackedUpPerson[];
};

export async function restore(words: readonly string[], environment: Environment): Promise<void> {
  const options = { replace: { type: 'boolean' }, revive: { type: 'boolean' } } as const;
  const { values, positionals } = readArguments(words, 1, restoreUsage, options);
  const config = readConfig(environment);
  const begin = performance.now();
  const backup = await readBackup(resolve(positionals[0] ?? ''));
  const target = await openTarget(config);
  try {
    const replaced = await readReplacedAccess(target);
    const removed = backup.people.filter(({ id }) => replaced.removed.has(id));
    const plan = { backup, replaced, disabled: values.revive ? [] : removed };
    for (const line of planLines(plan, removed)) console.log(line);
    if (!target.isEmpty && !values.replace) throw wouldReplace();
    const { kept, rows, access } = await replaceContent(config, target, plan);
    const where = kept === undefined ? '' : ` The old database is kept as ${kept}.`;
    const { createdAt, database } = backup.header;
    console.log(
      `Restored ${number(rows)} rows, backed up ${createdAt} from ${database}, in ${secondsSince(begin)}.${where}`,
    );
    for (const line of accessLines(access, replaced)) console.log(line);
  } finally {
    await target.close();
  }
}

function* planLines({ backup, replaced, disabled }: Plan, removed: readonly BackedUpPerson[]): Generator<string> {
  yield* contentLines(backup);
  const known = new Set(backup.people.map(({ id }) => id));
  const lost = [...replaced.people].filter(([id]) => !known.has(id)).map(([, name]) => ({ name }));
  if (lost.length > 0) yield `These people are here and not in the backup, and will be gone: ${namesOf(lost)}.`;
  if (removed.length === 0) return;
  yield disabled.length > 0
    ? `These people were removed since and come back without password, PIN and duty: ${namesOf(removed)}. With --revive they come back as they were.`
    : `These people were removed since and come back as they were: ${namesOf(removed)}.`;
}

async function openTarget({ databaseUrl, dataDir }: Config): Promise<RestoreTarget> {
  if (databaseUrl !== undefined) return openPostgresTarget(databaseUrl, schema);
  return openSqliteTarget(dataDir, schema, Date.now);
}

function wouldReplace(): StartError {
  return new StartError(
    'There is data here already, and a restore replaces all of it: say so with "tocsin restore FILE --replace". Nothing was changed.',
    'bad-usage',
  );
}

/**
 * Raises the high-water mark first: if the process is killed at any point, no id assigned by either content is assigned
 * again.
 */
async function replaceContent(
  config: Config,
  target: RestoreTarget,
  plan: Plan,
): Promise<{ kept: string | undefined; rows: number; access: RestoredAccess }> {
  const { backup, replaced, disabled } = plan;
  const folder = config.dataDir;
  if (target.isEmpty && !existsSync(highWaterFile(folder))) warnOfMissingMark(folder);
  const ids = highest(backup.header.ids, target.ids, boundsOf(readHighWater(folder)));
  makeFolder(folder);
  await raiseHighWater(folder, config.databaseUrl === undefined ? 'sqlite' : 'postgres', {}, ids);
  const progress = showProgress('Restoring', backup.rows);
  const { batches } = await openBackup(backup.file, schema);
  const { schemaVersion } = backup.header;
  const revoked = [...replaced.revoked, ...readRevokedKeys(folder)];
  const disabledIds = new Set(disabled.map(({ id }) => id));
  const access = new RestoredAccess({ revoked, isDisabled: ({ id }) => disabledIds.has(id) });
  const restored = restoredRows(batches, (batch) => access.rowsToRestore(batch));
  let rows = 0;
  const add = (more: number): void => {
    rows += more;
    progress.add(more);
  };
  const [newestSeal] = await target.rowsOf('audit_seals', 'newest');
  const epoch = randomUUID();
  const finish = async (tx: Tx): Promise<void> => {
    await rememberRevoked(tx, revoked);
    await rememberDisabled(tx, disabledIds);
    await completeStations(tx, Date.now());
    await recordRestore(tx, epoch, newestSeal?.hash, plan);
  };
  const kept = await target.load({ schemaVersion, batches: counted(restored, { add }), epoch, ids, finish });
  progress.end();
  return { kept, rows, access };
}

/** Adds to those of an earlier restore, whose result the backup may be of. */
async function rememberDisabled(tx: Tx, ids: ReadonlySet<number>): Promise<void> {
  if (ids.size === 0) return;
  const before = JSON.parse((await getMeta(tx, disabledPeopleKey)) ?? '[]') as number[];
  await setMeta(tx, disabledPeopleKey, JSON.stringify([...new Set([...before, ...ids])]));
}

/** The first entry of the new chain names the chain of the backup and the newest seal of what it replaced. */
function recordRestore(tx: Tx, chain: string, newestSeal: unknown, { backup, disabled }: Plan): Promise<void> {
  const { createdAt, database, epoch: backupChain } = backup.header;
  const people = disabled.length === 0 ? {} : { disabled: disabled.map(({ id }) => `user:${id}`) };
  return appendAudit(tx, Date.now(), {
    kind: 'store.restored',
    origin: terminalCaller,
    before: { newestSeal },
    after: { chain, backupChain, backupCreatedAt: createdAt, database, rows: backup.rows, ...people },
  });
}

/** Warns that nothing records which ids were assigned after the backup. */
function warnOfMissingMark(folder: string): void {
  console.error(
    `There is no ${highWaterFile(folder)} here: ids given out after this backup was made may come again. If the old data folder still exists, copy that file from it and restore once more with --replace.`,
  );
}

/** Yields what the administrator must know about access; keys that the replaced database had were valid all the time. */
function* accessLines({ restoredKeys, revokedKeys }: RestoredAccess, { valid }: ReplacedAccess): Generator<string> {
  yield 'All sessions have ended: everybody has to sign in again.';
  if (revokedKeys.length > 0)
    yield `API keys that were revoked since stay revoked: ${revokedKeys.map(named).join(', ')}.`;
  const now = Date.now();
  const revived = restoredKeys.filter(({ tokenHash, expiresAt }) => expiresAt > now && !valid.has(tokenHash));
  if (revived.length === 0) return;
  yield 'These API keys of the backup are valid again, because nothing here says whether they were revoked since. Revoke those that were:';
  for (const key of revived) yield `  ${named(key)}: tocsin key revoke ${key.id}`;
}

function named({ id, name }: BackedUpKey): string {
  return `${id} "${name}"`;
}
