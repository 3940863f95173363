// The causes each attempt announced, stored with the attempt, and the causes that end when the person has heard them.

import {
  type Announced,
  announcedByBoth,
  announcedItem,
  type OpenAnnounced,
  openAnnounced,
} from '../../domain/calls/announced.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { causeRows } from './call-rows.ts';
import { type OpenCause, type OpenCausesOf, openCausesOf } from './queries.ts';

/** An answer applies to all causes the message counted; causes beyond this number stay open. */
const mostAnswered = 20_000;

export const noOpenCauses: OpenCausesOf = { causes: [], total: 0, newest: 0 };

/** Returns the `announced` column of an attempt; `before` is its value if the attempt was started before. */
export function announcedJson(open: OpenCausesOf = noOpenCauses, before: string | null = null): string {
  const { causes, total, newest } = open;
  const announced: Announced = { items: causes.map(announcedItem), upTo: total > causes.length ? newest : 0 };
  return JSON.stringify(before === null ? announced : announcedByBoth(JSON.parse(before), announced));
}

type AnnouncingAttempt = { readonly call_id: number; readonly announced: string | null };

/** Returns by attempt the announced causes that are still open, and whether the call has causes not announced. */
export async function openAnnouncedOf<A extends AnnouncingAttempt>(
  tx: Tx,
  attempts: readonly A[],
): Promise<ReadonlyMap<A, OpenAnnounced<OpenCause>>> {
  const callIds = attempts.map(({ call_id }) => call_id);
  const open = callIds.length === 0 ? new Map() : await openCausesOf(tx, callIds, mostAnswered);
  return new Map(
    attempts.map((attempt) => {
      const { causes }: OpenCausesOf = open.get(attempt.call_id) ?? noOpenCauses;
      return [attempt, openAnnounced(announcedIn(attempt), causes)];
    }),
  );
}

export function announcedIn({ announced }: AnnouncingAttempt): Announced {
  return announced === null ? { items: [], upTo: 0 } : JSON.parse(announced);
}

/** Returns the open causes of the call, up to the number that an answer applies to. */
export async function openCausesOfCall(tx: Tx, callId: number): Promise<readonly OpenCause[]> {
  return ((await openCausesOf(tx, [callId], mostAnswered)).get(callId) ?? noOpenCauses).causes;
}

/**
 * Alarms stay open until somebody takes them, and causes of a group stay open for its other members; a drill is over for
 * all when one has confirmed it.
 */
export function endsWhenHeard({ kind, list, target_kind }: OpenCause): boolean {
  return list !== 'alarm' && (target_kind === 'user' || kind === 'test');
}

/** Ends the causes that a notice to a number has named: it is sent once. */
export async function endSent(tx: Tx, now: Instant, named: readonly OpenCause[]): Promise<void> {
  await tx.each(
    causeRows.end,
    named
      .filter(({ target_kind }) => target_kind === 'number')
      .map(({ id }) => ({ id, ended_at: now, ended_by: 'sent', end_reason: 'sent' })),
  );
}

/** Ends those of the causes that end when a person has heard them. */
export async function endHeard(tx: Tx, now: Instant, heard: readonly OpenCause[]): Promise<void> {
  await tx.each(
    causeRows.end,
    heard.filter(endsWhenHeard).map(({ id }) => ({ id, ended_at: now, ended_by: 'heard', end_reason: 'heard' })),
  );
}
