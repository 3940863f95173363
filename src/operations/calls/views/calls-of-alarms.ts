// Lists the open calls of alarms, as an alarm shows them.

import type { Caller } from '../../../domain/access/access.ts';
import { withNames } from '../../../domain/people/references.ts';
import { foreignId, visibilityOf } from '../../../domain/people/visibility.ts';
import { idsIn, statement } from '../../../store/statement.ts';
import type { Instant, Query } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';

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
    .where('call_causes.kind', '=', 'alarm')
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

type RunningCallsInput = { readonly caller: Pick<Caller, 'stationIds'>; readonly alarmIds: readonly number[] };

/** Ids of groups and people whom the caller does not see are 0. */
export const listRunningCalls: Query<RunningCallsInput, readonly RunningCall[]> = {
  name: 'list-running-calls',
  async run(tx, { caller, alarmIds }) {
    const calls = await tx.all(selectCalls, { alarmIds: JSON.stringify(alarmIds) });
    if (calls.length === 0) return [];
    const { snapshot } = await readCallConfiguration(tx);
    const visibility = visibilityOf(caller, snapshot);
    const show = (sentence: string): string => withNames(sentence, snapshot, visibility);
    const seesTarget = (kind: string, id: number): boolean =>
      kind === 'group' ? visibility.seesGroup(id) : visibility.seesPerson(id);
    const callIds = JSON.stringify([...new Set(calls.map(({ id }) => id))]);
    const people = Map.groupBy(await tx.all(selectPeople, { callIds }), ({ call_id }) => call_id);
    return calls.map(({ id, alarm_id, target_kind, target_id, phase, round, reason, next_due }) => ({
      id,
      alarmId: alarm_id ?? 0,
      targetKind: target_kind,
      targetId: seesTarget(target_kind, target_id) ? target_id : foreignId,
      phase,
      round,
      reason: show(reason),
      nextDue: next_due ?? undefined,
      people: (people.get(id) ?? []).map((row) => ({
        userId: visibility.seesPerson(row.user_id) ? row.user_id : foreignId,
        status: row.status,
        reason: show(row.reason),
        isRelief: row.is_relief === 1,
      })),
    }));
  },
};
