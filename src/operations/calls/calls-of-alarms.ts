// Lists the open calls of alarms, as an alarm shows them.

import { idsIn, statement } from '../../store/statement.ts';
import type { Instant, Query } from '../../store/store.ts';

type RunningCall = {
  readonly id: number;
  readonly alarmId: number;
  readonly targetKind: string;
  readonly targetId: number;
  readonly phase: string;
  readonly round: number;
  readonly reason: string;
  readonly nextDue: Instant | undefined;
  readonly people: readonly {
    readonly userId: number;
    readonly status: number;
    readonly reason: string;
    readonly isRelief: boolean;
  }[];
};

const selectCalls = statement((db, args: { alarmIds: string }, kind) =>
  db
    .selectFrom('call_causes')
    .innerJoin('calls', 'calls.id', 'call_causes.call_id')
    .select(['alarm_id', 'calls.id', 'calls.target_kind', 'calls.target_id', 'phase', 'round', 'reason', 'next_due'])
    .distinct()
    .where('alarm_id', 'in', idsIn(args.alarmIds, kind))
    .where('call_causes.ended_at', 'is', null)
    .where('calls.ended_at', 'is', null)
    .orderBy('calls.id'),
);

const selectPeople = statement((db, args: { callIds: string }, kind) =>
  db
    .selectFrom('call_cycles')
    .innerJoin('calls', (join) =>
      join.onRef('calls.id', '=', 'call_cycles.call_id').onRef('calls.round', '=', 'call_cycles.round'),
    )
    .select(['call_id', 'user_id', 'status', 'call_cycles.reason', 'is_relief'])
    .where('call_id', 'in', idsIn(args.callIds, kind))
    .orderBy('call_cycles.id'),
);

export const listRunningCalls: Query<{ alarmIds: readonly number[] }, readonly RunningCall[]> = {
  name: 'list-running-calls',
  async run(tx, { alarmIds }) {
    const calls = await tx.all(selectCalls, { alarmIds: JSON.stringify(alarmIds) });
    const callIds = JSON.stringify([...new Set(calls.map(({ id }) => id))]);
    const people = Map.groupBy(await tx.all(selectPeople, { callIds }), ({ call_id }) => call_id);
    return calls.map(({ id, alarm_id, target_kind, target_id, phase, round, reason, next_due }) => ({
      id,
      alarmId: alarm_id ?? 0,
      targetKind: target_kind,
      targetId: target_id,
      phase,
      round,
      reason,
      nextDue: next_due ?? undefined,
      people: (people.get(id) ?? []).map((row) => ({
        userId: row.user_id,
        status: row.status,
        reason: row.reason,
        isRelief: row.is_relief === 1,
      })),
    }));
  },
};
