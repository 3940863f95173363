// `tocsin key add`, `key list` and `key revoke`: manages API keys.

import { existsSync } from 'node:fs';
import { makeToken } from '../access/token.ts';
import { type Environment, readConfig } from '../config.ts';
import { copyRevokedKeys } from '../dispatch/revoked-keys-file.ts';
import { isScope, scopes, terminalCaller } from '../domain/access/access.ts';
import { keyMistakes } from '../domain/access/new-api-key.ts';
import { isTime, printTime } from '../domain/time-range.ts';
import { createApiKey, revokeApiKey } from '../operations/access/api-keys.ts';
import { type ApiKeyEntry, listApiKeys } from '../operations/access/queries.ts';
import { badUsage, readArguments, wholeNumberFrom } from './arguments.ts';
import { withStore } from './with-store.ts';

const addUsage = 'key add NAME --scope SCOPE… [--station ID]… [--days N]';
const dayMs = 86_400_000;
/** The fields of a key as the usage names them. */
const shownFields = { name: 'NAME', expiryTime: 'The expiry by --days' } as const;

export async function addKey(words: readonly string[], environment: Environment): Promise<void> {
  const { values, positionals } = readArguments(words, 1, addUsage, {
    scope: { type: 'string', multiple: true },
    station: { type: 'string', multiple: true },
    days: { type: 'string', default: '365' },
  });
  const [name = ''] = positionals;
  const asked = values.scope ?? [];
  const known = asked.filter(isScope);
  if (asked.length === 0 || known.length < asked.length)
    throw badUsage(`SCOPE must be one of ${scopes.join(', ')}`, addUsage);
  const days = wholeNumberFrom(values.days, 'The number of days', addUsage);
  const now = Date.now();
  const expiresAt = now + days * dayMs;
  const [mistake] = keyMistakes({ name, expiresAt }, now);
  if (mistake !== undefined) throw badUsage(`${shownFields[mistake.field]} ${mistake.message}`, addUsage);
  const stationIds = (values.station ?? []).map((text) => wholeNumberFrom(text, 'The station', addUsage));
  await withStore(environment, async (store) => {
    const { token, tokenHash } = makeToken('key');
    const id = await store.write(createApiKey, {
      caller: terminalCaller,
      name,
      tokenHash,
      scopes: known,
      stationIds,
      expiresAt,
    });
    console.log(`Made the key ${id} "${name}". Its token, shown this once:\n\n    ${token}\n`);
  });
}

export async function listKeys(words: readonly string[], environment: Environment): Promise<void> {
  readArguments(words, 0, 'key list', {});
  await withStore(environment, async (store) => {
    const { items } = await store.read(listApiKeys, { limit: 1_000, offset: 0, order: 'asc' });
    for (const key of items) console.log(lineOf(key));
    if (items.length === 0) console.log('There are no API keys.');
  });
}

export async function revokeKey(words: readonly string[], environment: Environment): Promise<void> {
  const { positionals } = readArguments(words, 1, 'key revoke ID', {});
  const id = wholeNumberFrom(positionals[0] ?? '', 'The id', 'key revoke ID');
  await withStore(environment, async (store) => {
    await store.write(revokeApiKey, { caller: terminalCaller, id });
    console.log(`The key ${id} is revoked.`);
    const { dataDir } = readConfig(environment);
    // A server copies it, too; without one this command has to. There may be no data folder beside PostgreSQL.
    if (existsSync(dataDir)) await copyRevokedKeys(store, dataDir).catch(warnOfMissingCopy);
  });
}

function warnOfMissingCopy(error: unknown): void {
  console.error(
    `It could not be noted in the data folder (${error instanceof Error ? error.message : error}): if the database is lost before the next start, restoring an older backup revives the key.`,
  );
}

function lineOf(key: ApiKeyEntry): string {
  const day = (ms: number): string => (isTime(ms) ? printTime(ms).slice(0, 10) : printTime(ms));
  const stations = key.stationIds.length === 0 ? 'all stations' : `stations ${key.stationIds.join(', ')}`;
  const used = key.lastUsedAt === undefined ? 'never used' : `last used ${day(key.lastUsedAt)}`;
  return `${key.id}  ${key.name}  ${key.scopes.join(' ')}  ${stations}  until ${day(key.expiresAt)}  ${used}`;
}
