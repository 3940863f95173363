// The rows of calls, cycles and causes: their columns, and the mapping between rows and domain values.

import {
  type Call,
  type CallPhase,
  type CallTarget,
  type Cycle,
  type CycleHold,
  type CyclePause,
  type CyclePhase,
  callDue,
  cycleStatus,
  type RoundEnd,
} from '../../domain/calls/call.ts';
import {
  entityColumns,
  flag,
  int,
  oneOf,
  optionalInt,
  optionalText,
  type RowOf,
  text,
} from '../../store/entity-columns.ts';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import type { Instant } from '../../store/store.ts';

const id = { id: 'int' } as const;

/** Columns of a call that never change. */
const callIdentity = {
  targetKind: oneOf<CallTarget['kind']>()(text('target_kind')),
  targetId: int('target_id'),
  startedAt: int('started_at'),
} as const;

const callFields = {
  phase: oneOf<CallPhase>()(text('phase')),
  round: int('round'),
  level: int('level'),
  groupId: optionalInt('group_id'),
  due: optionalInt('due_at'),
  roundEnd: oneOf<RoundEnd>()(optionalText('round_end')),
  failedAt: optionalInt('failed_at'),
  vainRounds: int('vain_rounds'),
  levelSince: optionalInt('level_since'),
  takeBy: optionalInt('take_by'),
  reason: text('reason'),
} as const;

/** Columns that the domain has in another form. */
const callDerived = {
  /** JSON list of the ids of the groups that the round has called. */
  visited: text('visited'),
  nextDue: optionalInt('next_due'),
  endedAt: optionalInt('ended_at'),
  /** The actor whose action ended the call, such as `user:3`. */
  endedBy: optionalText('ended_by'),
} as const;

const identity = entityColumns(callIdentity);
const call = entityColumns(callFields);
const derived = entityColumns(callDerived);

const callState = { ...call.types, ...derived.types } as const;

export const callRows = {
  insert: insertRows('calls', { ...id, ...identity.types, ...callState }),
  update: updateRows('calls', id, callState),
  setNextDue: updateRows('calls', id, { next_due: 'int' }),
};

/** Columns of a cycle that never change. */
const cycleIdentity = {
  id: int('id'),
  userId: int('user_id'),
  groupId: optionalInt('group_id'),
  level: int('level'),
  isRelief: flag('is_relief'),
  isNotice: flag('is_notice'),
} as const;

const cycleFields = {
  phase: oneOf<CyclePhase>()(text('phase')),
  numberId: optionalInt('number_id'),
  tries: int('tries'),
  unanswered: int('unanswered'),
  laters: int('laters'),
  attempts: int('attempts'),
  wasReached: flag('was_reached'),
  lastAttemptAt: optionalInt('last_attempt_at'),
  isOwed: flag('is_owed'),
  isExtra: flag('is_extra'),
  heldSince: optionalInt('held_since'),
  due: optionalInt('due_at'),
  hold: oneOf<CycleHold>()(optionalText('hold')),
  pause: oneOf<CyclePause>()(optionalText('pause')),
  reason: text('reason'),
} as const;

const cycle = entityColumns({ ...cycleIdentity, ...cycleFields });
const cycleState = { ...entityColumns(cycleFields).types, status: 'int' } as const;

export const cycleRows = {
  insert: insertRows('call_cycles', { ...cycle.types, status: 'int', call_id: 'int', round: 'int' }),
  update: updateRows('call_cycles', id, cycleState),
};

/** The columns of a new cause. */
export const causeColumns = {
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
} as const;

export const causeRows = {
  insert: insertRows('call_causes', causeColumns),
  attach: updateRows('call_causes', id, { call_id: 'int' }),
  end: updateRows('call_causes', id, { ended_at: 'int', ended_by: 'text', end_reason: 'text' }),
};

export type CallRow = { id: number } & RowOf<typeof callIdentity & typeof callFields & typeof callDerived>;
export type CycleRow = RowOf<typeof cycleIdentity & typeof cycleFields> & {
  call_id: number;
  round: number;
  /** The status of the person's call as the interface shows it. */
  status: number;
};

/** Named in every statement: with `select *` a column added by a newer node would end the plans this node has prepared. */
export const callColumns = ['id', ...columnNames(identity), ...columnNames(call), ...columnNames(derived)] as const;
export const cycleColumns = [...columnNames(cycle), 'call_id', 'round', 'status'] as const;

function columnNames<C extends string>({ types }: { readonly types: Readonly<Record<C, unknown>> }): readonly C[] {
  return Object.keys(types) as C[];
}

export function callOf(row: CallRow, cycles: readonly CycleRow[]): Call {
  return {
    ...call.fromRow(row),
    target: { kind: row.target_kind, id: row.target_id },
    visited: JSON.parse(row.visited),
    cycles: cycles.map(cycle.fromRow),
  };
}

export function callRow(id: number, state: Call, startedAt: Instant, now: Instant, endedBy: string): CallRow {
  const { target, visited, phase } = state;
  const isOver = phase === 'ended';
  return {
    id,
    ...identity.toRow({ targetKind: target.kind, targetId: target.id, startedAt }),
    ...call.toRow(state),
    ...derived.toRow({
      visited: JSON.stringify(visited),
      nextDue: isOver ? undefined : callDue(state),
      endedAt: isOver ? now : undefined,
      endedBy: isOver ? endedBy : undefined,
    }),
  };
}

/** `id` is that of the stored row; the cycle may have a placeholder. */
export function cycleRow(id: number, state: Cycle, of: Pick<CycleRow, 'call_id' | 'round'>): CycleRow {
  return { ...cycle.toRow(state), id, status: cycleStatus(state), ...of };
}
