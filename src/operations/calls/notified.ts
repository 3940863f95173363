// What attempts told people of, as it is kept with them, and what of that is over once they have heard it.

import {
  heardByPerson,
  type StillTold,
  stillTold,
  type Told,
  toldByEither,
  toldName,
} from '../../domain/calls/notified.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { causeRows, type OpenCausesOf, openCausesOf } from './queries.ts';

/** Whoever was told how many there are is left in peace for all of them, however many. */
const mostAnswered = 20_000;

export const nothingToTell: OpenCausesOf = { causes: [], total: 0, newest: 0 };

/** What an attempt tells of, to be kept with it; of one that was begun before, only what it told of then as well. */
export function toldBy(toTell: OpenCausesOf = nothingToTell, before: string | null = null): string {
  const { causes, total, newest } = toTell;
  const told: Told = { names: causes.map(toldName), upTo: total > causes.length ? newest : 0 };
  return JSON.stringify(before === null ? told : toldByEither(JSON.parse(before), told));
}

type TellingAttempt = { readonly call_id: number; readonly told: string | null };
export type OpenCause = OpenCausesOf['causes'][number];

/** What each attempt told of that is still open, and whether its call is for more than it told of. */
export async function whatWasTold<A extends TellingAttempt>(
  tx: Tx,
  attempts: readonly A[],
): Promise<ReadonlyMap<A, StillTold<OpenCause>>> {
  const callIds = attempts.map(({ call_id }) => call_id);
  const open = callIds.length === 0 ? new Map() : await openCausesOf(tx, callIds, mostAnswered);
  return new Map(
    attempts.map((attempt) => {
      const { causes }: OpenCausesOf = open.get(attempt.call_id) ?? nothingToTell;
      return [attempt, stillTold(toldIn(attempt), causes)];
    }),
  );
}

export function toldIn({ told }: TellingAttempt): Told {
  return told === null ? { names: [], upTo: 0 } : JSON.parse(told);
}

/** What of a call is still open, of the things with these names. */
export async function openNamed(tx: Tx, callId: number, names: readonly string[]): Promise<readonly OpenCause[]> {
  const { causes } = (await openCausesOf(tx, [callId], mostAnswered)).get(callId) ?? nothingToTell;
  return causes.filter((cause) => names.includes(toldName(cause)));
}

/** What is no alarm is over for the one person it was for. Others of a group are still to hear of it. */
export async function endHeard(tx: Tx, now: Instant, heard: readonly OpenCause[]): Promise<void> {
  await tx.each(
    causeRows.end,
    heard
      .filter(({ list, target_kind }) => list !== 'alarm' && target_kind === 'user')
      .map(({ id }) => ({ id, ended_at: now, end_reason: heardByPerson })),
  );
}
