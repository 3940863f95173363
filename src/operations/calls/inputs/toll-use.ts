// Counts the deliveries since the day began, for toll limits.

import { sql } from 'kysely';
import type { CallPolicy } from '../../../domain/calls/call.ts';
import type { Provider } from '../../../domain/channels/provider.ts';
import { countsDeliveries, type Deliveries, dayOf, type Tolls } from '../../../domain/channels/toll-limits.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';

type TollConfiguration = { readonly policy: CallPolicy; readonly providers: readonly Provider[] };

/** Returns the deliveries of the day with the limits on them; undefined if nothing is limited by day. */
export async function readTolls(tx: ReadTx, now: Instant, { policy, providers }: TollConfiguration): Promise<Tolls> {
  const { tolls: limits, hasSimulator, timeZone } = policy;
  if (!countsDeliveries(limits, providers)) return undefined;
  const { begin, end } = dayOf(now, timeZone);
  const use = { dayEnd: end, deliveries: await deliveriesSince(tx, begin) };
  return { use, rules: { limits, providers, hasSimulator, timeZone } };
}

export async function deliveriesSince(tx: ReadTx, since: Instant): Promise<readonly Deliveries[]> {
  const rows = await tx.all(selectDeliveries, { since });
  return rows.map(({ user_id, channel, address, provider_id, count }) => ({
    userId: user_id,
    channel,
    address,
    providerId: provider_id ?? undefined,
    count: Number(count),
  }));
}

/** Attempts that no provider carried cost nothing. */
const selectDeliveries = statement((db, args: { since: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select(['user_id', 'channel', 'address', 'provider_id'])
    .select(({ fn }) => fn.countAll().as('count'))
    .where('created_at', '>=', args.since)
    .where('number_id', 'is not', null)
    .where(({ or, eb }) => or([eb('started_at', 'is not', null), eb('state', '=', 'due')]))
    .where(sql<string>`coalesce(outcome, '')`, '<>', 'providerDown')
    .groupBy(['user_id', 'channel', 'address', 'provider_id']),
);
