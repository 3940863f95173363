// The verdict on an attempt that failed: whether it uses up a try of the person, and when the number may be tried again. Given once,
// when the attempt ends.

import type { Delivery } from '../../../domain/calls/delivery.ts';
import { servesAddress } from '../../../domain/channels/choose-provider.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { loadHealth } from '../../providers/provider-rows.ts';
import type { Verdict } from '../attempt-ends.ts';

type Failed = {
  readonly id: number;
  readonly user_id: number;
  readonly number_id: number | null;
  readonly channel: string;
  readonly address: string;
  readonly created_at: Instant;
};

/** Two failures of the providers for a number are further apart than a short outage. */
const leastApartMs = 30_000;
/** What failed longer ago says nothing of the number now. */
const longestApartMs = 86_400_000;
/** Attempts that are looked at for what the providers carried meanwhile. */
const mostLookedAt = 500;

/**
 * A failure of the providers is a try of the number only if they failed for it before and have carried a call to another address
 * in between, or have worked all the time while no other address failed: then it is the number.
 */
export async function verdictOf(tx: ReadTx, now: Instant, row: Failed, delivery: Delivery): Promise<Verdict> {
  if (delivery.kind === 'delivered') return { counts: false, isFinal: false, retryAfterMs: undefined };
  const { retry, outcome, retryAfterSeconds } = delivery;
  const isOfProvider = retry === 'channel-up' || outcome === 'providerDown' || outcome === 'limited';
  return {
    counts: outcome !== 'cancelled' && (!isOfProvider || (await isOfNumber(tx, now, row))),
    isFinal: retry === 'never' && !isOfProvider,
    retryAfterMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000,
  };
}

async function isOfNumber(
  tx: ReadTx,
  now: Instant,
  { id, user_id, number_id, channel, address }: Failed,
): Promise<boolean> {
  const before = await tx.one(selectFailedBefore, {
    ...{ id, userId: user_id, numberId: number_id ?? 0 },
    ...{ since: now - longestApartMs, before: now - leastApartMs },
  });
  if (before?.ended_at == null) return false;
  const since = before.ended_at;
  const others = await tx.all(selectOthers, { channel, address, since, limit: mostLookedAt });
  if (others.some(({ rang_at, state }) => rang_at !== null || state === 'reached')) return true;
  if (others.some(({ outcome }) => outcome === 'providerDown')) return false;
  const { providers } = await readCallConfiguration(tx);
  const health = await loadHealth(tx);
  const serving = providers.filter((one) => one.channel === channel && one.isEnabled && servesAddress(one, address));
  return serving.some((one) => {
    const known = health.get(one.id);
    return known?.state === 'up' && known.since <= since;
  });
}

const selectFailedBefore = statement(
  (db, args: { id: number; userId: number; numberId: number; since: Instant; before: Instant }) =>
    db
      .selectFrom('call_attempts')
      .select('ended_at')
      .where('user_id', '=', args.userId)
      .where('created_at', '>', args.since)
      .where('number_id', '=', args.numberId)
      .where('id', '<', args.id)
      .where('outcome', '=', 'providerDown')
      .where('ended_at', '<=', args.before)
      .orderBy('id', 'desc')
      .limit(1),
);

const selectOthers = statement((db, args: { channel: string; address: string; since: Instant; limit: number }) =>
  db
    .selectFrom('call_attempts')
    .select(['state', 'outcome', 'rang_at'])
    .where('created_at', '>=', args.since)
    .where('channel', '=', args.channel)
    .where('address', '<>', args.address)
    .orderBy('created_at')
    .limit(args.limit),
);
