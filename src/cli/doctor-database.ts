// The checks of `tocsin doctor` on the database, and on the API keys and providers in it; opens the database read-only.

import type { Config } from '../config.ts';
import { workKinds } from '../domain/quarantine.ts';
import type { SetAside } from '../domain/system-report.ts';
import { isTime, printTime } from '../domain/time-range.ts';
import { StartError } from '../errors.ts';
import { schema } from '../migrations/schema.ts';
import { type ApiKeyEntry, listApiKeys } from '../operations/access/queries.ts';
import { listSealedProviders, type SealedProvider } from '../operations/providers/queries.ts';
import { listQuarantined, type QuarantinedWork } from '../operations/quarantine/unplanned-end.ts';
import { listSetAside } from '../operations/system/set-aside.ts';
import { inspectPostgres } from '../store/postgres/inspect.ts';
import { newestVersion } from '../store/schema.ts';
import { inspectSqlite } from '../store/sqlite/inspect.ts';
import type { ReadTx } from '../store/store.ts';
import { type Finding, ok, problem, warning } from './doctor-finding.ts';
import { checkProviders } from './doctor-providers.ts';

const dayMs = 86_400_000;
/** A difference that a busy network may cause. */
const maxSkewMs = 2_000;

type Stored = {
  readonly keys: readonly ApiKeyEntry[];
  readonly providers: readonly SealedProvider[];
  readonly quarantine: readonly QuarantinedWork[];
  readonly setAside: readonly SetAside[];
};

async function readStored(tx: ReadTx): Promise<Stored> {
  const { items: keys } = await listApiKeys.run(tx, { limit: 1_000, offset: 0, order: 'asc' });
  return {
    keys,
    providers: await listSealedProviders.run(tx, {}),
    quarantine: await listQuarantined.run(tx, { now: Date.now() }),
    setAside: await listSetAside.run(tx, {}),
  };
}

export async function* checkDatabase(config: Config): AsyncGenerator<Finding> {
  try {
    const stored = yield* config.databaseUrl === undefined
      ? checkSqlite(config.dataDir)
      : checkPostgres(config.databaseUrl);
    if (stored === undefined) return;
    yield* checkKeys(stored.keys);
    yield* checkQuarantine(stored.quarantine);
    for (const { alarmId, definition } of stored.setAside)
      yield problem(`${definition.alarm.message} (alarm ${alarmId}): the log names the fault.`);
    yield* checkProviders(config, stored.providers);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    yield problem(error.message);
  }
}

async function* checkSqlite(folder: string): AsyncGenerator<Finding, Stored | undefined> {
  const facts = await inspectSqlite(folder, schema, readStored);
  if (facts === undefined) {
    yield ok('There is no database yet; the first start makes it.');
    return undefined;
  }
  yield ok(`The database ${facts.file} (${(facts.bytes / 1e6).toFixed(1)} MB) passes quick_check.`);
  yield* checkSchema(facts.schemaVersion);
  return facts.result;
}

async function* checkPostgres(url: string): AsyncGenerator<Finding, Stored | undefined> {
  const facts = await inspectPostgres(url, schema, readStored);
  if (facts.isStandby) yield problem('The database is a standby and takes no writes: name the primary instead.');
  else yield ok(`PostgreSQL ${facts.serverVersion} answers and keeps what it stored.`);
  yield* checkSchema(facts.schemaVersion);
  const skew = Math.abs(facts.clockAheadMs);
  if (skew > maxSkewMs)
    yield warning(
      `The clocks of this machine and of the database are ${(skew / 1000).toFixed(1)} s apart: have both follow a time server.`,
    );
  else yield ok('The clocks of this machine and of the database agree.');
  return facts.result;
}

function* checkSchema(version: number): Generator<Finding> {
  const newest = newestVersion(schema);
  if (version === newest) yield ok(`The schema ${version} is the one this Tocsin works with.`);
  else if (version === 0) yield ok(`The database is empty; the first start makes schema ${newest}.`);
  else
    yield warning(
      `The next start, or "tocsin migrate", brings the schema from ${version} to ${newest}, and there is no way back: make a backup before.`,
    );
}

function* checkQuarantine(quarantine: readonly QuarantinedWork[]): Generator<Finding> {
  for (const { kind, id, user, state } of quarantine) {
    const what = kind === 'attempt' ? `call ${id} to ${user}` : `work "${kind} ${id}" (${workKinds[kind]})`;
    yield state === 'failed'
      ? problem(`The ${what} was given up, because Tocsin ended each time it was under way: see the log.`)
      : warning(
          `The ${what} was under way when Tocsin ended twice within ten minutes; it is ${kind === 'attempt' ? 'made' : 'done'} last and alone.`,
        );
  }
}

function* checkKeys(keys: readonly ApiKeyEntry[]): Generator<Finding> {
  const now = Date.now();
  const expiring = keys.filter(({ expiresAt }) => expiresAt > now && expiresAt - now < 30 * dayMs);
  for (const { id, name, expiresAt } of expiring) {
    const days = Math.floor((expiresAt - now) / dayMs);
    yield warning(`The API key ${id} "${name}" expires in ${days} days: make another with "tocsin key add".`);
  }
  const endless = keys.filter(({ expiresAt }) => !isTime(expiresAt));
  for (const { id, name, expiresAt } of endless)
    yield warning(
      `The API key ${id} "${name}" expires at ${printTime(expiresAt)}: make another and revoke it with "tocsin key revoke ${id}".`,
    );
  if (expiring.length === 0) yield ok('No API key expires within 30 days.');
}
