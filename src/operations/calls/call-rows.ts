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
import { insertRows, updateRows } from '../../store/row-batch.ts';
import type { Instant } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';

const id = { id: 'int' } as const;

const callState = {
  phase: 'text',
  round: 'int',
  level: 'int',
  group_id: 'int',
  visited: 'text',
  due_at: 'int',
  next_due: 'int',
  round_end: 'text',
  failed_at: 'int',
  reason: 'text',
  ended_at: 'int',
} as const;

export const callRows = {
  insert: insertRows('calls', { ...id, target_kind: 'text', target_id: 'int', started_at: 'int', ...callState }),
  update: updateRows('calls', id, callState),
};

const cycleState = {
  phase: 'text',
  number_id: 'int',
  tries: 'int',
  unanswered: 'int',
  attempts: 'int',
  was_reached: 'int',
  due_at: 'int',
  hold: 'text',
  pause: 'text',
  reason: 'text',
  status: 'int',
} as const;

export const cycleRows = {
  insert: insertRows('call_cycles', {
    ...id,
    call_id: 'int',
    round: 'int',
    user_id: 'int',
    group_id: 'int',
    level: 'int',
    is_relief: 'int',
    ...cycleState,
  }),
  update: updateRows('call_cycles', id, cycleState),
};

export const causeRows = {
  insert: insertRows('call_causes', {
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
  }),
  attach: updateRows('call_causes', id, { call_id: 'int' }),
  end: updateRows('call_causes', id, { ended_at: 'int', ended_by: 'text', end_reason: 'text' }),
};

export type CallRow = Omit<Tables['calls'], 'id'> & { id: number };
type CycleRow = Omit<Tables['call_cycles'], 'id'> & { id: number };

export function callOf(row: CallRow, cycles: readonly CycleRow[]): Call {
  return {
    target: { kind: row.target_kind as CallTarget['kind'], id: row.target_id },
    phase: row.phase as CallPhase,
    round: row.round,
    level: row.level,
    groupId: row.group_id ?? undefined,
    visited: JSON.parse(row.visited),
    due: row.due_at ?? undefined,
    cycles: cycles.map(cycleOf),
    roundEnd: (row.round_end ?? undefined) as RoundEnd | undefined,
    failedAt: row.failed_at ?? undefined,
    reason: row.reason,
  };
}

function cycleOf(row: CycleRow): Cycle {
  return {
    id: row.id,
    userId: row.user_id,
    groupId: row.group_id ?? undefined,
    level: row.level,
    isRelief: row.is_relief === 1,
    phase: row.phase as CyclePhase,
    numberId: row.number_id ?? undefined,
    tries: row.tries,
    unanswered: row.unanswered,
    attempts: row.attempts,
    wasReached: row.was_reached === 1,
    due: row.due_at ?? undefined,
    hold: (row.hold ?? undefined) as CycleHold | undefined,
    pause: (row.pause ?? undefined) as CyclePause | undefined,
    reason: row.reason,
  };
}

export function callRow(id: number, call: Call, now: Instant) {
  return {
    id,
    phase: call.phase,
    round: call.round,
    level: call.level,
    group_id: call.groupId ?? null,
    visited: JSON.stringify(call.visited),
    due_at: call.due ?? null,
    next_due: call.phase === 'ended' ? null : (callDue(call) ?? null),
    round_end: call.roundEnd ?? null,
    failed_at: call.failedAt ?? null,
    reason: call.reason,
    ended_at: call.phase === 'ended' ? now : null,
  };
}

export function cycleRow(id: number, cycle: Cycle) {
  return {
    id,
    phase: cycle.phase,
    number_id: cycle.numberId ?? null,
    tries: cycle.tries,
    unanswered: cycle.unanswered,
    attempts: cycle.attempts,
    was_reached: cycle.wasReached ? 1 : 0,
    due_at: cycle.due ?? null,
    hold: cycle.hold ?? null,
    pause: cycle.pause ?? null,
    reason: cycle.reason,
    status: cycleStatus(cycle),
  };
}
