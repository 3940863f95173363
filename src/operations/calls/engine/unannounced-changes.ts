// Changes that come with time alone, and of which no event tells: a node falls silent, or a cause that a fault set aside is tried again.

import { sql } from 'kysely';
import type { DecisionTime } from '../../../domain/escalation/world.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import type { CallConfiguration } from '../../configuration/call-configuration.ts';
import { nextGoneAt } from '../../system/node-queries.ts';
import type { EngineTime } from './engine-time.ts';

/** Has what is decided looked at again at the next of them. */
export async function noteUnannounced(
  tx: ReadTx,
  now: Instant,
  { providers }: Pick<CallConfiguration, 'providers'>,
  time: EngineTime,
  decisionTime: DecisionTime,
): Promise<void> {
  const retryAt = (await tx.one(selectNextRetry, { now }))?.retry_at;
  for (const at of [retryAt, await nextGoneAt(tx, providers, now)])
    if (at !== undefined && at !== null) decisionTime.hasPassed(time.ofWait(at));
}

const selectNextRetry = statement((db, args: { now: Instant }) =>
  db
    .selectFrom('call_causes')
    .select('retry_at')
    .where('retry_at', '>', args.now)
    .where('state', '=', sql.lit('open'))
    .orderBy('retry_at')
    .limit(1),
);
