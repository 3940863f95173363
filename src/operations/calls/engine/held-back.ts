// Who is held back by a limit of the day and has a row in the call history that says so: there is one for each alarm, person and
// limit.

import type { TryFor } from '../../../domain/escalation/escalation.ts';
import type { PlacedPart } from '../../../domain/escalation/place.ts';
import type { Reason } from '../../../domain/escalation/reason.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { triesOf } from './rows/attempt-rows.ts';

/** Longer than any day. */
const dayMs = 26 * 3_600_000;

/** What the rows say: of whom, for which escalation, and why. */
export type HeldBack = ReadonlySet<string>;

export function heldBackName(userId: number, { escalationId }: TryFor, reason: Reason): string {
  return `${userId} ${escalationId} ${JSON.stringify(reason)}`;
}

export function isHeldBack({ part }: Pick<PlacedPart, 'part'>): boolean {
  return part.state === 'out-of-reach' && part.reason.code === 'toll';
}

/** Nothing is read while nobody is held back. */
export async function readHeldBack(tx: ReadTx, now: Instant, parts: readonly PlacedPart[]): Promise<HeldBack> {
  if (!parts.some(isHeldBack)) return new Set();
  const rows = await tx.all(selectHeldBack, { since: now - dayMs });
  const names = rows.flatMap(({ user_id, tries, reason }) => {
    const said = JSON.parse(reason ?? '{}') as Reason;
    return said.code === 'toll' ? triesOf({ tries }).map((one) => heldBackName(user_id, one, said)) : [];
  });
  return new Set(names);
}

const selectHeldBack = statement((db, args: { since: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select(['user_id', 'tries', 'reason'])
    .where('created_at', '>=', args.since)
    .where('number_id', 'is', null)
    .where('outcome', '=', 'limited'),
);
