// The attempts that began before the present round of an escalation and are still read for it, so that a decision need not read all
// that there was since the alarm was raised: the notices that were sent, the first call to each person, and what was answered since.

import { sql } from 'kysely';
import type { Attempt } from '../../../../domain/escalation/escalation.ts';
import { isOneOfIds, sqlStatement } from '../../../../store/statement.ts';
import { table, target } from '../../../../store/statement-tables.ts';
import type { Instant, Tx } from '../../../../store/store.ts';
import { readEngineTime } from '../engine-time.ts';

/** Their ids. */
export function earlierIn({ earlier }: { readonly earlier: string }): readonly number[] {
  return earlier === '[]' ? [] : (earlier.match(/\d+/g) ?? []).map(Number);
}

/** Returns by id of a cause which of its attempts are still read after a new round has begun. `attempts`: oldest first. */
export function earlierOf(
  causeIds: ReadonlySet<number>,
  attempts: readonly Attempt[],
): ReadonlyMap<number, readonly number[]> {
  const kept = new Map<number, number[]>();
  const called = new Set<string>();
  for (const attempt of causeIds.size === 0 ? [] : attempts.filter(mayMatter)) {
    for (const causeId of new Set(attempt.tries.map((one) => one.causeId))) {
      const person = `${causeId} ${attempt.userId}`;
      if (!causeIds.has(causeId) || (attempt.kind === 'call' && called.has(person))) continue;
      if (attempt.kind === 'call' && attempt.hasLeft) called.add(person);
      const ids = kept.get(causeId);
      if (ids === undefined) kept.set(causeId, [attempt.id]);
      else ids.push(attempt.id);
    }
  }
  return kept;
}

/** A notice that was sent, or failed by itself, is not sent again; whose phone rang for an alarm has no exemption for it left. */
function mayMatter({ kind, end, hasLeft }: Attempt): boolean {
  if (kind === 'bundle') return false;
  if (end === undefined) return true;
  return kind === 'call' ? hasLeft : end.outcome === 'reached' || (end.outcome === 'failed' && end.counts);
}

type Answered = { readonly id: number; readonly created_at: Instant };

/** Attempts that began so long before the present round are read for it in any case. */
export const beforeRoundMs = 1_800_000;

/**
 * Has the attempt read for what it was answered, although it began before the present round, or nobody was called for it: an answer
 * counts in the round in which it is given, also for an alarm that joined while the phone rang.
 */
export async function keepAnswered(tx: Tx, { id, created_at }: Answered, causeIds: readonly number[]): Promise<void> {
  if (causeIds.length === 0) return;
  const begunAt = (await readEngineTime(tx)).ofRecord(created_at);
  await tx.run(addEarlier, { id: String(id), begunAt, causeIds: JSON.stringify(causeIds) });
}

/** The version counts on, so that a round that was decided on before the answer does not begin. */
const addEarlier = sqlStatement<{ id: string; begunAt: number; causeIds: string }, unknown>(
  (args, kind) => sql`update ${target('call_causes')} set version = version + 1,
    earlier = substr(earlier, 1, length(earlier) - 1) || case earlier when '[]' then '' else ',' end || ${args.id} || ']'
    where id in (select id from ${table('call_causes')} where state = 'open'
        and (round_since > ${args.begunAt} or attempts_from is null))
      and ${isOneOfIds('cause_id', args.causeIds, kind)}`,
);
