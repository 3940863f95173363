// Stores how attempts ended, in their rows and in the audit trail: outcome, who ended them, and in a few words why.

import { type CallOutcome, type Delivery, type DeliveryFailure, isSpoken } from '../../domain/calls/delivery.ts';
import { hideAddressIn } from '../../domain/people/hidden-address.ts';
import { searchableText } from '../../domain/search.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { appendAudits } from '../audit/append.ts';
import { attemptEntry } from '../audit/attempt-entry.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { attemptRows, selectEndings } from './attempts.ts';

type AttemptRow = Parameters<typeof attemptEntry>[0] & { readonly outcome: string | null };

export type HowEnded = {
  readonly state: 'reached' | 'failed';
  readonly outcome: CallOutcome | undefined;
  readonly failure?: DeliveryFailure | undefined;
  readonly detail: string;
};

/** A text that was delivered has no outcome before it is answered. */
export function howEnded(channel: string, delivery: Delivery): HowEnded {
  if (delivery.kind === 'failed')
    return {
      state: 'failed',
      outcome: delivery.outcome,
      failure: delivery.failure,
      detail: delivery.reason,
    };
  return { state: 'reached', outcome: isSpoken(channel) ? 'answered' : undefined, detail: delivery.detail };
}

/** The channel ended it, unless the person answered, or somebody else ended the call. */
export async function storeEnds(
  tx: Tx,
  now: Instant,
  ends: readonly { readonly row: AttemptRow; readonly how: HowEnded }[],
): Promise<void> {
  if (ends.length === 0) return;
  const cancelled = ends.filter(({ how }) => how.outcome === 'cancelled').map(({ row }) => row.id);
  const endings = cancelled.length === 0 ? [] : await tx.all(selectEndings, { ids: JSON.stringify(cancelled) });
  const { snapshot } = await readCallConfiguration(tx);
  const rows = ends.map(({ row, how }) => {
    const user = snapshot.people.get(row.user_id)?.name ?? '';
    const ending = endings.find(({ id }) => id === row.id);
    const person = `user:${row.user_id}`;
    const endedBy =
      ending === undefined ? (how.outcome === 'answered' ? person : 'channel') : (ending.ended_by ?? person);
    const { state, failure = null } = how;
    // Who may not see addresses reads and searches it as well.
    const detail = hideAddressIn(ending?.reason || how.detail, row.address);
    // What the person answered is known already, and says more than that somebody answered.
    const outcome = row.outcome ?? how.outcome ?? null;
    return { row, user, state, failure, detail, outcome, endedBy };
  });
  await tx.each(
    attemptRows.end,
    rows.map(({ row, user, state, failure, detail, outcome, endedBy }) => ({
      id: row.id,
      state,
      outcome,
      ended_by: endedBy,
      failure,
      detail,
      words: searchableText(user, detail),
      ended_at: now,
      lease_until: null,
    })),
  );
  await appendAudits(
    tx,
    rows.map(({ row, ...how }) => ({ at: now, ...attemptEntry(row, how) })),
  );
}
