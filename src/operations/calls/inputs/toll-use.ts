// Counts the deliveries since the day began, for toll limits.

import { sql } from 'kysely';
import type { CallPolicy } from '../../../domain/calls/call.ts';
import type { Provider } from '../../../domain/channels/provider.ts';
import {
  countsDeliveries,
  type Deliveries,
  dayOf,
  type Tolls,
  type TollUse,
} from '../../../domain/channels/toll-limits.ts';
import { recordsSince, referenceAt } from '../../../domain/clock-step.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { readClockSteps } from '../../system/reference-time.ts';

type TollConfiguration = { readonly policy: CallPolicy; readonly providers: readonly Provider[] };

/** Returns the deliveries of the day with the limits on them; undefined if nothing is limited by day. */
export async function readTolls(tx: ReadTx, now: Instant, { policy, providers }: TollConfiguration): Promise<Tolls> {
  const { tolls: limits, hasSimulator, timeZone } = policy;
  if (!countsDeliveries(limits, providers)) return undefined;
  return { use: await usedToday(tx, now, timeZone), rules: { limits, providers, hasSimulator, timeZone } };
}

/**
 * The deliveries of the day that the clock of the database shows. After that was set back over midnight it is the day before again,
 * and what was delivered meanwhile counts as well.
 */
export async function usedToday(tx: ReadTx, now: Instant, timeZone: string): Promise<TollUse> {
  const steps = await readClockSteps(tx);
  const { begin, end } = dayOf(referenceAt(now, steps), timeZone);
  const deliveries: Deliveries[] = [];
  for (const { from, to } of recordsSince(begin, steps.aheads))
    deliveries.push(...(await deliveriesIn(tx, from, to ?? Number.MAX_SAFE_INTEGER)));
  return { dayEnd: end, deliveries };
}

async function deliveriesIn(tx: ReadTx, from: Instant, to: Instant): Promise<readonly Deliveries[]> {
  const rows = await tx.all(selectDeliveries, { from, to });
  return rows.map(({ user_id, channel, address, provider_id, count }) => ({
    userId: user_id,
    channel,
    address,
    providerId: provider_id ?? undefined,
    count: Number(count),
  }));
}

/** Attempts that no provider carried cost nothing. */
const selectDeliveries = statement((db, args: { from: Instant; to: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select(['user_id', 'channel', 'address', 'provider_id'])
    .select(({ fn }) => fn.countAll().as('count'))
    .where('created_at', '>=', args.from)
    .where('created_at', '<', args.to)
    .where('number_id', 'is not', null)
    .where(({ or, eb }) => or([eb('started_at', 'is not', null), eb('state', '=', 'due')]))
    .where(sql<string>`coalesce(outcome, '')`, '<>', 'providerDown')
    .groupBy(['user_id', 'channel', 'address', 'provider_id']),
);
