// Who is held back by a limit of the day, or passed over because of the cap, and has a row in the call history that says so: there
// is one for each alarm, person and limit, and the message that tells how many alarms wait is that of those that it counted.

import type { TryFor } from '../../../domain/escalation/escalation.ts';
import type { PlacedPart } from '../../../domain/escalation/place.ts';
import type { Reason } from '../../../domain/escalation/reason.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { triesOf } from './rows/attempt-rows.ts';

/** Longer than any day. */
const dayMs = 26 * 3_600_000;

/** What the rows say: of whom, for which alarm, and why. */
export type HeldBack = ReadonlySet<string>;

/** The cap allows the next call at another time whenever it is looked at; a limit of the day holds to the end of it. */
export function heldBackName(userId: number, { escalationId, causeId }: TryFor, reason: Reason): string {
  return reason.code === 'toll' ? `${userId} ${escalationId} ${JSON.stringify(reason)}` : `${userId} ${causeId} cap`;
}

export function isHeldBack({ part }: Pick<PlacedPart, 'part'>): boolean {
  if (part.state === 'out-of-reach') return part.reason.code === 'toll';
  return part.state === 'blocked' && part.reason.code === 'throttled' && !part.holds;
}

/** Nothing is read while nobody is held back. */
export async function readHeldBack(tx: ReadTx, now: Instant, parts: readonly PlacedPart[]): Promise<HeldBack> {
  const userIds = new Set(parts.filter(isHeldBack).map(({ of }) => of.userId));
  if (userIds.size === 0) return new Set();
  const rows = await tx.all(selectHeldBack, { userIds: JSON.stringify([...userIds]), since: now - dayMs });
  const names = rows.flatMap(({ user_id, tries, reason }) => {
    const said = JSON.parse(reason ?? '{}') as Reason;
    return triesOf({ tries }).map((one) => heldBackName(user_id, one, said));
  });
  return new Set(names);
}

const selectHeldBack = statement((db, args: { userIds: string; since: Instant }, kind) =>
  db
    .selectFrom('call_attempts')
    .select(['user_id', 'tries', 'reason'])
    .where(isOneOfIds('user_id', args.userIds, kind))
    .where('created_at', '>=', args.since)
    .where(({ or, and, eb }) =>
      or([eb('kind', '=', 'bundle'), and([eb('number_id', 'is', null), eb('outcome', '=', 'limited')])]),
    ),
);
