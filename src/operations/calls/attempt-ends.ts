// Stores how attempts ended, in their rows and in the audit trail: outcome, whether it was a try, who ended them, and in a few
// words why.

import { type CallOutcome, type Delivery, type DeliveryFailure, isSpoken } from '../../domain/calls/delivery.ts';
import { englishReason } from '../../domain/channels/words/catalogue.ts';
import { reasonIn } from '../../domain/escalation/words/catalogue.ts';
import { hideAddressIn } from '../../domain/people/hidden-address.ts';
import { searchableText } from '../../domain/search.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { appendAudits } from '../audit/append.ts';
import { attemptEntry } from '../audit/attempt-entry.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { attemptRows } from './attempts.ts';
import { actorOf } from './engine/reason-actor.ts';

type AttemptRow = Parameters<typeof attemptEntry>[0] & {
  readonly outcome: string | null;
  readonly cancel_reason: string | null;
  readonly version: number;
};

export type HowEnded = {
  readonly state: 'reached' | 'failed';
  readonly outcome: CallOutcome | undefined;
  readonly failure?: DeliveryFailure | undefined;
  /** Of a failure: whether it uses up a try of the person, whether the number cannot work, and when it may be tried again. */
  readonly verdict?: Verdict;
  /** A reason as it is stored. */
  readonly detail: string;
};

export type Verdict = {
  readonly counts: boolean;
  readonly isFinal: boolean;
  readonly retryAfterMs: number | undefined;
};

const noVerdict: Verdict = { counts: false, isFinal: false, retryAfterMs: undefined };

/** A text that was delivered has no outcome before it is answered. */
export function howEnded(channel: string, delivery: Delivery, verdict: Verdict): HowEnded {
  if (delivery.kind === 'failed')
    return {
      state: 'failed',
      outcome: delivery.outcome,
      failure: delivery.failure,
      verdict,
      detail: delivery.reason,
    };
  return { state: 'reached', outcome: isSpoken(channel) ? 'answered' : undefined, detail: delivery.detail };
}

/** The channel ended it, unless the person answered, or it was stopped. */
export async function storeEnds(
  tx: Tx,
  now: Instant,
  ends: readonly { readonly row: AttemptRow; readonly how: HowEnded }[],
): Promise<void> {
  if (ends.length === 0) return;
  const { snapshot } = await readCallConfiguration(tx);
  const rows = ends.map(({ row, how }) => {
    const user = snapshot.people.get(row.user_id)?.name ?? '';
    const stopped =
      how.outcome === 'cancelled' && row.cancel_reason !== null ? JSON.parse(row.cancel_reason) : undefined;
    const answerer = how.outcome === 'answered' ? `user:${row.user_id}` : 'channel';
    const { state, failure = null, verdict = noVerdict } = how;
    return {
      row,
      user,
      state,
      failure,
      verdict,
      // Who may not see addresses reads and searches it as well.
      stored: hideAddressIn(stopped === undefined ? how.detail : reasonIn('en', stopped), row.address),
      // What the person answered is known already, and says more than that somebody answered.
      outcome: row.outcome ?? how.outcome ?? null,
      endedBy: stopped === undefined ? answerer : actorOf(stopped),
    };
  });
  await tx.each(
    attemptRows.end,
    rows.map(({ row, user, state, failure, verdict, stored, outcome, endedBy }) => ({
      id: row.id,
      state,
      outcome,
      ended_by: endedBy,
      failure,
      detail: stored,
      words: searchableText(user, englishReason(stored)),
      ended_at: now,
      lease_until: null,
      is_final: verdict.isFinal ? 1 : 0,
      counts: verdict.counts ? 1 : 0,
      retry_after_ms: verdict.retryAfterMs ?? null,
      version: row.version + 1,
    })),
  );
  await appendAudits(
    tx,
    rows.map(({ row, stored, ...how }) => ({
      at: now,
      ...attemptEntry(row, { ...how, detail: englishReason(stored) }),
    })),
  );
}
