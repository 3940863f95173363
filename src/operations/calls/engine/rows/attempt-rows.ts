// The rows of attempts as the engine reads them, and the mapping to what it decides on.

import { sql } from 'kysely';
import { isSpoken } from '../../../../domain/calls/delivery.ts';
import type { AnswerTo, Attempt, AttemptEnd, LevelKey, TryFor } from '../../../../domain/escalation/escalation.ts';
import { isOneOfIds, statement } from '../../../../store/statement.ts';
import type { Instant } from '../../../../store/store.ts';
import type { EngineTime } from '../engine-time.ts';

const decisionColumns = [
  'id',
  'kind',
  'user_id',
  'number_id',
  'channel',
  'address',
  'provider_id',
  'tries',
  'announced_causes',
  'created_at',
  'accepted_at',
  'rang_at',
  'answered_at',
  'state',
  'outcome',
  'ended_at',
  'is_urgent',
  'is_exempt',
  'is_final',
  'counts',
  'retry_after_ms',
  'answers',
  'took_all_at',
  'cancel_reason',
  'version',
] as const;

/** Those that began since `since`. */
export const selectAttemptsSince = statement((db, args: { since: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select(decisionColumns)
    .where((eb) => eb.or([eb('number_id', 'is not', null), eb('cause', '=', 'ringIn')]))
    .where('created_at', '>=', args.since),
);

export const selectAttemptsAmong = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select(decisionColumns)
    .where(isOneOfIds('id', args.ids, kind))
    .orderBy('id'),
);

export const selectLiveAttempts = statement((db) =>
  db
    .selectFrom('call_attempts')
    .select(decisionColumns)
    .where('number_id', 'is not', null)
    .where('state', 'in', [sql.lit('due'), sql.lit('started')]),
);

export type AttemptRow = NonNullable<(typeof selectLiveAttempts)['types']>['row'];

/** Whether it left: it rang, or was sent. */
function hasLeft({ channel, rang_at, answered_at, accepted_at, state }: AttemptRow): boolean {
  if (rang_at !== null || answered_at !== null || state === 'reached') return true;
  return !isSpoken(channel) && accepted_at !== null;
}

type StoredTry = readonly [causeId: number, escalationId: number, level: LevelKey];

export function triesOf({ tries }: { readonly tries: string }): readonly TryFor[] {
  return (JSON.parse(tries) as readonly StoredTry[]).map(([causeId, escalationId, level]) => ({
    causeId,
    escalationId,
    level,
  }));
}

export function storedTries(tries: readonly TryFor[]): string {
  return JSON.stringify(tries.map(({ causeId, escalationId, level }) => [causeId, escalationId, level]));
}

type StoredAnswer = readonly [causeId: number, answer: AnswerTo['answer'], at: Instant];

export function answersOf({ answers }: { readonly answers: string }): readonly StoredAnswer[] {
  return JSON.parse(answers) as readonly StoredAnswer[];
}

export function attemptOf(row: AttemptRow, time: EngineTime): Attempt {
  return {
    id: row.id,
    kind: row.kind as Attempt['kind'],
    userId: row.user_id,
    numberId: row.number_id ?? 0,
    channel: row.channel,
    address: row.address,
    providerId: row.provider_id ?? undefined,
    tries: triesOf(row),
    announced: row.announced_causes === null ? undefined : JSON.parse(row.announced_causes),
    begunAt: time.ofRecord(row.created_at),
    isDue: row.state === 'due',
    hasLeft: hasLeft(row),
    isUrgent: row.is_urgent === 1,
    isExempt: row.is_exempt === 1,
    end: endOf(row, time),
    answers: answersOf(row).map(([causeId, answer, at]) => ({ causeId, answer, at: time.ofRecord(at) })),
    tookAllAt: row.took_all_at === null ? undefined : time.ofRecord(row.took_all_at),
  };
}

function endOf(row: AttemptRow, time: EngineTime): AttemptEnd | undefined {
  // A person who rings in is reached from the beginning.
  if (row.ended_at === null && row.state !== 'reached') return undefined;
  const at = time.ofRecord(row.ended_at ?? row.created_at);
  const isCancelled = row.outcome === 'cancelled' || row.state === 'cancelled';
  return {
    at,
    outcome: isCancelled ? 'cancelled' : row.state === 'reached' ? 'reached' : 'failed',
    isFinal: row.is_final === 1,
    counts: row.counts === 1,
    notBefore: row.retry_after_ms === null ? undefined : at + row.retry_after_ms,
  };
}
