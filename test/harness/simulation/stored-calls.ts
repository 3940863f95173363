// The rows of causes and attempts as a simulation reads them: with statements and a mapping of its own, so that a mistake in those
// of the engine shows.

import type { CallTarget } from '../../../src/domain/calls/call.ts';
import type { Attempt, AttemptEnd, Escalation, LevelKey } from '../../../src/domain/escalation/escalation.ts';
import { idsIn } from '../../../src/store/statement.ts';
import type { Query } from '../../../src/store/store.ts';
import { testStatement } from '../stores/test-statement.ts';
import type { StoreClock } from './store-clock.ts';

const causeColumns = [
  ...(['id', 'cause_id', 'kind', 'list', 'target_kind', 'target_id', 'alarm_id', 'history_id', 'priority'] as const),
  ...(['ended_at', 'state', 'round', 'round_since', 'acted_priority', 'entered', 'picked', 'paused_until'] as const),
  ...(['rounds_in_vain', 'trouble', 'reason', 'version', 'due_at'] as const),
] as const;

const attemptColumns = [
  ...([
    'id',
    'kind',
    'user_id',
    'number_id',
    'channel',
    'address',
    'provider_id',
    'tries',
    'state',
    'outcome',
  ] as const),
  ...(['created_at', 'started_at', 'accepted_at', 'rang_at', 'answered_at', 'ended_at', 'announced_causes'] as const),
  ...(['is_urgent', 'is_exempt', 'is_final', 'counts', 'retry_after_ms', 'answers', 'took_all_at', 'reason'] as const),
  ...(['cancel_reason', 'failure', 'version'] as const),
] as const;

type Wanted = { readonly ids: string };

const selectCauses = testStatement((db, args: Wanted, kind) =>
  db.selectFrom('call_causes').select(causeColumns).where('id', 'in', idsIn(args.ids, kind)).orderBy('id'),
);

const selectAttempts = testStatement((db, args: Wanted, kind) =>
  db.selectFrom('call_attempts').select(attemptColumns).where('id', 'in', idsIn(args.ids, kind)).orderBy('id'),
);

export type CauseRow = NonNullable<(typeof selectCauses)['types']>['row'];
export type AttemptRow = NonNullable<(typeof selectAttempts)['types']>['row'];

type Asked = { readonly ids: readonly number[] };

export const readCauseRows: Query<Asked, readonly CauseRow[]> = {
  name: 'test-read-cause-rows',
  run: (tx, { ids }) => tx.all(selectCauses, { ids: JSON.stringify(ids) }),
};

export const readAttemptRows: Query<Asked, readonly AttemptRow[]> = {
  name: 'test-read-attempt-rows',
  run: (tx, { ids }) => tx.all(selectAttempts, { ids: JSON.stringify(ids) }),
};

const selectHealth = testStatement((db) => db.selectFrom('provider_health').select(['provider_id', 'state']));

/** The ids of providers that are known not to work. */
export const readDownProviders: Query<Record<string, never>, ReadonlySet<number>> = {
  name: 'test-read-down-providers',
  run: async (tx) =>
    new Set(
      (await tx.all(selectHealth, {})).flatMap(({ provider_id, state }) => (state === 'down' ? provider_id : [])),
    ),
};

const selectNextDue = testStatement((db) =>
  db.selectFrom('alarms').select('next_due').where('next_due', 'is not', null).orderBy('next_due').limit(1),
);

/** When the next delay, mask or acknowledgement of an alarm ends. */
export const readNextDueAlarm: Query<Record<string, never>, number | undefined> = {
  name: 'test-next-due-alarm',
  run: async (tx) => (await tx.one(selectNextDue, {}))?.next_due ?? undefined,
};

export function targetIn({ target_kind, target_id }: CauseRow): CallTarget {
  return { kind: target_kind as CallTarget['kind'], id: target_id };
}

export function escalationIn(row: CauseRow, dueAt: number): Escalation {
  return {
    id: row.id,
    causeId: row.cause_id ?? row.id,
    target: targetIn(row),
    dueAt,
    actedPriority: row.acted_priority ?? undefined,
    round: row.round,
    roundSince: row.round_since ?? 0,
    entered: JSON.parse(row.entered),
    picked: JSON.parse(row.picked),
    pausedUntil: row.paused_until ?? undefined,
    roundsInVain: row.rounds_in_vain,
    state: row.state as Escalation['state'],
    trouble: row.trouble === null ? undefined : JSON.parse(row.trouble),
    reason: row.reason === null ? undefined : JSON.parse(row.reason),
  };
}

export function attemptIn(row: AttemptRow, clock: StoreClock): Attempt {
  const tries = JSON.parse(row.tries) as readonly (readonly [number, number, LevelKey])[];
  const answers = JSON.parse(row.answers) as readonly (readonly [
    number,
    Attempt['answers'][number]['answer'],
    number,
  ])[];
  return {
    id: row.id,
    kind: row.kind as Attempt['kind'],
    userId: row.user_id,
    numberId: row.number_id ?? 0,
    channel: row.channel,
    address: row.address,
    providerId: row.provider_id ?? undefined,
    tries: tries.map(([causeId, escalationId, level]) => ({ causeId, escalationId, level })),
    announced: row.announced_causes === null ? undefined : JSON.parse(row.announced_causes),
    begunAt: clock.ofRecord(row.created_at),
    isDue: row.state === 'due',
    hasLeft: hasLeft(row),
    isUrgent: row.is_urgent === 1,
    isExempt: row.is_exempt === 1,
    end: endIn(row, clock),
    answers: answers.map(([causeId, answer, at]) => ({ causeId, answer, at: clock.ofRecord(at) })),
    tookAllAt: row.took_all_at === null ? undefined : clock.ofRecord(row.took_all_at),
  };
}

function hasLeft({ channel, rang_at, answered_at, accepted_at, state }: AttemptRow): boolean {
  return (channel === 'voice' ? (rang_at ?? answered_at) : accepted_at) !== null || state === 'reached';
}

function endIn(row: AttemptRow, clock: StoreClock): AttemptEnd | undefined {
  if (row.ended_at === null) return undefined;
  const at = clock.ofRecord(row.ended_at);
  const isCancelled = row.state === 'cancelled' || row.outcome === 'cancelled';
  return {
    at,
    outcome: isCancelled ? 'cancelled' : row.state === 'reached' ? 'reached' : 'failed',
    isFinal: row.is_final === 1,
    counts: row.counts === 1,
    notBefore: row.retry_after_ms === null ? undefined : at + row.retry_after_ms,
  };
}
