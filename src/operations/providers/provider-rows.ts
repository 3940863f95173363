// Statements on providers, and the provider of a row.

import type { Selectable } from 'kysely';
import type { Provider, ProviderHealth, ProviderState } from '../../domain/channels/provider.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, ReadTx } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';

export type ProviderRow = Selectable<Tables['providers']>;

const providerColumns = [
  ...(['id', 'name', 'words', 'channel', 'kind', 'place', 'is_enabled', 'lines', 'per_second', 'per_day'] as const),
  ...(['cost_micros', 'countries', 'node', 'settings', 'secrets', 'last_change'] as const),
] as const;

const selectAll = statement((db) =>
  db.selectFrom('providers').select(providerColumns).orderBy('channel').orderBy('place').orderBy('id'),
);

export const selectProvider = statement((db, args: { id: number }) =>
  db.selectFrom('providers').select(providerColumns).where('id', '=', args.id),
);

export type NewProviderRow = {
  name: string;
  words: string;
  channel: string;
  kind: string;
  place: number;
  isEnabled: 0 | 1;
  lines: number | null;
  perSecond: number | null;
  perDay: number | null;
  costMicros: number;
  countries: string;
  node: string | null;
  settings: string;
  secrets: string;
  now: Instant;
};

function columnsOf(args: NewProviderRow) {
  return {
    name: args.name,
    words: args.words,
    channel: args.channel,
    kind: args.kind,
    place: args.place,
    is_enabled: args.isEnabled,
    lines: args.lines,
    per_second: args.perSecond,
    per_day: args.perDay,
    cost_micros: args.costMicros,
    countries: args.countries,
    node: args.node,
    settings: args.settings,
    secrets: args.secrets,
    last_change: args.now,
  };
}

export const insertProvider = statement<NewProviderRow, { id: number }>((db, args) =>
  db.insertInto('providers').values(columnsOf(args)).returning('id'),
);

export const updateProvider = statement((db, args: NewProviderRow & { id: number }) =>
  db.updateTable('providers').set(columnsOf(args)).where('id', '=', args.id),
);

export const deleteProvider = statement((db, args: { id: number }) =>
  db.deleteFrom('providers').where('id', '=', args.id),
);

export const setSecrets = statement((db, args: { id: number; secrets: string }) =>
  db.updateTable('providers').set({ secrets: args.secrets }).where('id', '=', args.id),
);

export function providerOf(row: ProviderRow): Provider {
  return {
    id: row.id,
    name: row.name,
    channel: row.channel,
    kind: row.kind,
    order: row.place,
    isEnabled: row.is_enabled === 1,
    lines: row.lines ?? undefined,
    perSecond: row.per_second ?? undefined,
    perDay: row.per_day ?? undefined,
    cost: row.cost_micros / 1e6,
    countries: JSON.parse(row.countries) as readonly string[],
    // Earlier versions stored the blank field of a form, which names no node.
    node: row.node?.trim() || undefined,
    settings: JSON.parse(row.settings) as Readonly<Record<string, unknown>>,
  };
}

/** Returns all providers without their secrets. */
export async function loadProviders(tx: ReadTx): Promise<readonly Provider[]> {
  return (await tx.all(selectAll, {})).map(providerOf);
}

export async function loadProviderRows(tx: ReadTx): Promise<readonly ProviderRow[]> {
  return tx.all(selectAll, {});
}

const selectHealth = statement((db) =>
  db
    .selectFrom('provider_health')
    .select(['provider_id', 'state', 'since', 'failures', 'failed', 'probe_at', 'reason']),
);

/** Returns the health of the providers that were used or checked before, by id. */
export async function loadHealth(tx: ReadTx): Promise<ReadonlyMap<number, ProviderHealth>> {
  const rows = await tx.all(selectHealth, {});
  return new Map(
    rows.map(({ provider_id, state, since, failures, failed, probe_at, reason }) => [
      provider_id,
      { state: state as ProviderState, since, failures, failed: JSON.parse(failed), probeAt: probe_at, reason },
    ]),
  );
}

export const deleteHealth = statement((db, args: { id: number }) =>
  db.deleteFrom('provider_health').where('provider_id', '=', args.id),
);

type NewHealth = {
  id: number;
  state: string;
  since: Instant;
  failures: number;
  failed: string;
  probeAt: Instant;
  reason: string;
};

export const putHealth = statement((db, args: NewHealth) => {
  const columns = {
    state: args.state,
    since: args.since,
    failures: args.failures,
    failed: args.failed,
    probe_at: args.probeAt,
    reason: args.reason,
  };
  return db
    .insertInto('provider_health')
    .values({ provider_id: args.id, ...columns })
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet(columns));
});
