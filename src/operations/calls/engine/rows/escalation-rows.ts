// The rows of causes with their escalations: columns, statements, and the mapping to what the engine decides on.

import { sql } from 'kysely';
import type { CallTarget } from '../../../../domain/calls/call.ts';
import type { Cause, Escalation, EscalationState } from '../../../../domain/escalation/escalation.ts';
import type { Reason } from '../../../../domain/escalation/reason.ts';
import { appendEvents } from '../../../../store/event-log.ts';
import { insertRows, updateRows } from '../../../../store/row-batch.ts';
import { isOneOfIds, statement } from '../../../../store/statement.ts';
import type { Instant, Tx } from '../../../../store/store.ts';
import { causesEnded } from '../call-events.ts';
import type { EngineTime } from '../engine-time.ts';

const id = { id: 'int' } as const;

/** The columns of a new cause. */
export const causeColumns = {
  ...id,
  cause_id: 'int',
  kind: 'text',
  list: 'text',
  target_kind: 'text',
  target_id: 'int',
  station_id: 'int',
  alarm_id: 'int',
  history_id: 'int',
  message_id: 'int',
  priority: 'int',
  is_transitory: 'int',
  text: 'text',
  short_text: 'text',
  created_at: 'int',
  due_at: 'int',
  origin: 'text',
  state: 'text',
  reason: 'text',
} as const;

const escalationColumns = {
  call_id: 'int',
  state: 'text',
  round: 'int',
  round_since: 'int',
  acted_priority: 'int',
  entered: 'text',
  picked: 'text',
  paused_until: 'int',
  rounds_in_vain: 'int',
  trouble: 'text',
  reason: 'text',
  version: 'int',
  attempts_from: 'int',
  earlier: 'text',
} as const;

export const causeRows = {
  insert: insertRows('call_causes', causeColumns),
  update: updateRows('call_causes', id, escalationColumns),
  end: updateRows(
    'call_causes',
    { cause_id: 'int' },
    {
      state: 'text',
      ended_at: 'int',
      ended_by: 'text',
      end_reason: 'text',
    },
  ),
};

export const decisionColumns = [
  'id',
  'cause_id',
  'kind',
  'list',
  'target_kind',
  'target_id',
  'station_id',
  'alarm_id',
  'history_id',
  'priority',
  'created_at',
  'due_at',
  'call_id',
  'ended_at',
  'end_reason',
  'state',
  'round',
  'round_since',
  'acted_priority',
  'entered',
  'picked',
  'paused_until',
  'rounds_in_vain',
  'trouble',
  'reason',
  'version',
  'attempts_from',
  'earlier',
  'retry_at',
  'raised_again_at',
] as const;

export type EscalationRow = NonNullable<(typeof selectEscalations)['types']>['row'];

/** All escalations of the causes of which one is open. Rows that a fault set aside wait. */
export const selectOpenEscalations = statement((db, args: { now: Instant }) =>
  db
    .selectFrom('call_causes')
    .select(decisionColumns)
    .where('cause_id', 'in', (eb) =>
      eb
        .selectFrom('call_causes')
        .select('cause_id')
        .where('state', '=', sql.lit('open'))
        .where(({ or, eb: of }) => or([of('retry_at', 'is', null), of('retry_at', '<=', args.now)])),
    ),
);

export const selectEscalationsOfCauses = statement((db, args: { causeIds: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(decisionColumns)
    .where(isOneOfIds('cause_id', args.causeIds, kind))
    .orderBy('cause_id')
    .orderBy('id'),
);

export const selectEscalations = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(decisionColumns)
    .where(isOneOfIds('id', args.ids, kind))
    .orderBy('id'),
);

/** One of each target. */
export const selectExhausted = statement((db) =>
  db
    .selectFrom('call_causes')
    .select(decisionColumns)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('call_causes')
        .select(({ fn }) => fn.min('id').as('id'))
        .where('state', '=', sql.lit('exhausted'))
        .groupBy(['target_kind', 'target_id']),
    )
    .orderBy('id'),
);

/** Whether the cause asks to be taken; a message, a return to normal or a notice can only be heard. */
export function asks({ kind, list }: Pick<EscalationRow, 'kind' | 'list'>): boolean {
  return kind === 'alarm' && list === 'alarm';
}

export function targetOf({ target_kind, target_id }: Pick<EscalationRow, 'target_kind' | 'target_id'>): CallTarget {
  return { kind: target_kind as CallTarget['kind'], id: target_id };
}

export function causeOf(row: EscalationRow): Cause {
  return {
    id: row.cause_id ?? row.id,
    priority: row.priority,
    asks: asks(row),
    ended: row.ended_at === null ? undefined : reasonOf(row.end_reason),
    alarmId: row.alarm_id ?? undefined,
  };
}

export function escalationOf(row: EscalationRow, time: EngineTime): Escalation {
  return {
    id: row.id,
    causeId: row.cause_id ?? row.id,
    target: targetOf(row),
    dueAt: time.ofWait(row.due_at),
    actedPriority: row.acted_priority ?? undefined,
    round: row.round,
    roundSince: row.round_since ?? 0,
    entered: JSON.parse(row.entered),
    picked: JSON.parse(row.picked),
    pausedUntil: row.paused_until ?? undefined,
    roundsInVain: row.rounds_in_vain,
    state: row.state as EscalationState,
    trouble: row.trouble === null ? undefined : JSON.parse(row.trouble),
    reason: row.reason === null ? undefined : JSON.parse(row.reason),
  };
}

/** The changing columns of an escalation; its version counts on. */
export function escalationRow(
  escalation: Escalation,
  before: Pick<EscalationRow, 'version' | 'attempts_from' | 'earlier'> & { readonly call_id: number },
) {
  return {
    id: escalation.id,
    call_id: before.call_id,
    state: escalation.state,
    round: escalation.round,
    round_since: escalation.roundSince,
    acted_priority: escalation.actedPriority ?? null,
    entered: JSON.stringify(escalation.entered),
    picked: JSON.stringify(escalation.picked),
    paused_until: escalation.pausedUntil ?? null,
    rounds_in_vain: escalation.roundsInVain,
    trouble: escalation.trouble === undefined ? null : JSON.stringify(escalation.trouble),
    reason: escalation.reason === undefined ? null : JSON.stringify(escalation.reason),
    version: before.version + 1,
    attempts_from: before.attempts_from,
    earlier: before.earlier,
  };
}

/** Rows of earlier versions hold a sentence. */
export function reasonOf(stored: string | null): Reason {
  return stored?.startsWith('{') ? (JSON.parse(stored) as Reason) : { code: 'sent' };
}

type NewCause = Omit<
  { readonly [C in keyof typeof causeColumns]: (typeof causeColumns)[C] extends 'int' ? number | null : string | null },
  'id' | 'cause_id' | 'state' | 'reason'
> & {
  /** The stored cause that the row is a further escalation of; without it, a cause of its own. */
  readonly of?: number;
  /** Rows with the same name are escalations of one cause. */
  readonly together?: string;
};

/** Why calling begins, if not because of a raise. */
function beginningOf({ kind, origin }: Pick<NewCause, 'kind' | 'origin'>): Reason | undefined {
  if (origin === 'ack-expired') return { code: 'ack-expired' };
  return kind === 'message' || kind === 'test' ? { code: 'requested' } : undefined;
}

/** Inserts causes that are due to be called for. */
export async function insertCauses(tx: Tx, causes: readonly NewCause[]): Promise<void> {
  if (causes.length === 0) return;
  const ids = await tx.nextIds('call_causes', causes.length);
  const firsts = new Map<string, number>();
  await tx.each(
    causeRows.insert,
    causes.map(({ of, together = '', ...cause }, index) => {
      const id = ids[index] ?? 0;
      const first = of ?? firsts.get(together) ?? id;
      if (together !== '') firsts.set(together, first);
      const reason = beginningOf(cause);
      return {
        ...cause,
        id,
        cause_id: first,
        state: 'open',
        reason: reason === undefined ? null : JSON.stringify(reason),
      };
    }),
  );
}

type CauseEnd = {
  readonly causeId: number;
  readonly at: Instant;
  readonly by: 'heard' | 'alarm' | 'raised-again' | 'cancelled' | 'sent' | 'call';
  readonly reason: Reason;
};

/** Ends causes with all their escalations. */
export async function endCauses(tx: Tx, ends: readonly CauseEnd[]): Promise<void> {
  const [first] = ends;
  if (first === undefined) return;
  await tx.each(
    causeRows.end,
    ends.map(({ causeId, at, by, reason }) => ({
      cause_id: causeId,
      state: 'done',
      ended_at: at,
      ended_by: by,
      end_reason: JSON.stringify(reason),
    })),
  );
  const causes = ends.map(({ causeId }) => causeId);
  await appendEvents(tx, [{ kind: causesEnded, actor: 'system', at: first.at, data: { causes } }]);
}
