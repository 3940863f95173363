// Queries on providers: as the interface shows them, and with the secrets that a node needs to open them.

import { sql } from 'kysely';
import {
  type Provider,
  type ShownProvider,
  type StoredProvider,
  unknownHealth,
} from '../../domain/channels/provider.ts';
import { idsIn, statement } from '../../store/statement.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import { loadHealth, loadProviderRows, type ProviderRow, providerOf, selectProvider } from './provider-rows.ts';

function storedOf(row: ProviderRow): StoredProvider {
  const secrets = Object.keys(JSON.parse(row.secrets) as object).sort();
  return { ...providerOf(row), secrets, lastChange: row.last_change };
}

export async function findProvider(tx: ReadTx, id: number): Promise<StoredProvider | undefined> {
  const row = await tx.one(selectProvider, { id });
  return row && storedOf(row);
}

/** A literal, so that the partial index of attempts under way is used: the history of attempts is long. */
const underWay = [sql.lit('due' as const), sql.lit('started' as const)];

/** Leaves out the attempts in `hidden`. */
export const selectInUse = statement((db, args: { hidden: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select(({ fn }) => ['provider_id', fn.countAll().as('count')])
    .where('state', 'in', underWay)
    .where('provider_id', 'is not', null)
    .where('id', 'not in', idsIn(args.hidden, kind))
    .groupBy('provider_id'),
);

const selectLeases = statement((db, args: { now: Instant }) =>
  db.selectFrom('provider_leases').select(['provider_id', 'node']).where('until', '>', args.now),
);

async function shown(tx: ReadTx, rows: readonly ProviderRow[], now: Instant): Promise<readonly ShownProvider[]> {
  const health = await loadHealth(tx);
  const inUse = new Map(
    (await tx.all(selectInUse, { hidden: '[]' })).map(({ provider_id, count }) => [provider_id, Number(count)]),
  );
  const holders = new Map((await tx.all(selectLeases, { now })).map(({ provider_id, node }) => [provider_id, node]));
  return rows.map((row) => ({
    provider: storedOf(row),
    health: health.get(row.id) ?? unknownHealth,
    inUse: inUse.get(row.id) ?? 0,
    heldBy: holders.get(row.id),
  }));
}

export const listProviders: Query<{ readonly now: Instant }, readonly ShownProvider[]> = {
  name: 'list-providers',
  run: async (tx, { now }) => shown(tx, await loadProviderRows(tx), now),
};

export const getProvider: Query<{ readonly id: number; readonly now: Instant }, ShownProvider | undefined> = {
  name: 'get-provider',
  async run(tx, { id, now }) {
    const row = await tx.one(selectProvider, { id });
    return row && (await shown(tx, [row], now))[0];
  },
};

/** A provider with its encrypted secrets by name, for the node that opens it. */
export type SealedProvider = { readonly provider: Provider; readonly secrets: string };

export const listSealedProviders: Query<Record<string, never>, readonly SealedProvider[]> = {
  name: 'list-sealed-providers',
  run: async (tx) => (await loadProviderRows(tx)).map((row) => ({ provider: providerOf(row), secrets: row.secrets })),
};
