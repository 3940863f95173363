// The calls under way for alarms, as an alarm shows them: what is done for this alarm, whatever else the calls are for.

import { sql } from 'kysely';
import type { CallStates } from '../../../domain/escalation/view/call-states.ts';
import { statusOf } from '../../../domain/escalation/view/person-state.ts';
import { isOneOfIds, sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Query } from '../../../store/store.ts';
import { targetOf } from '../engine/rows/escalation-rows.ts';
import { readCallsNow } from './calls-now.ts';
import type { WordedReason } from './say-reason.ts';
import { type CallReader, CallShower } from './shown-call.ts';

type RunningCall = WordedReason & {
  readonly id: number;
  readonly alarmId: number;
  readonly targetKind: string;
  readonly targetId: number;
  readonly phase: string;
  readonly round: number;
  readonly nextAt: Instant | undefined;
  readonly people: readonly (WordedReason & {
    readonly userId: number;
    readonly status: number;
    readonly isRelief: boolean;
  })[];
};

type RunningRow = {
  id: number;
  alarm_id: number;
  call_id: number;
  target_kind: string;
  target_id: number;
  round: number;
  reason: string | null;
};

const selectRunning = sqlStatement<{ alarmIds: string }, RunningRow>(
  (args, kind) => sql`select id, alarm_id, call_id, target_kind, target_id, round, reason from ${table('call_causes')}
    where ${isOneOfIds('alarm_id', args.alarmIds, kind)} and kind = 'alarm' and ended_at is null and call_id is not null
      and state <> 'done' order by call_id, id`,
);

/** Returns those of the alarms for which calls are under way. */
export const findCalledAlarms: Query<{ readonly alarmIds: readonly number[] }, readonly number[]> = {
  name: 'find-called-alarms',
  isQuick: true,
  async run(tx, { alarmIds }) {
    const rows = await tx.all(selectRunning, { alarmIds: JSON.stringify(alarmIds) });
    return [...new Set(rows.map(({ alarm_id }) => alarm_id))];
  },
};

type RunningCallsInput = {
  readonly now: Instant;
  readonly reader: CallReader;
  readonly alarmIds: readonly number[];
};

/** Ids of groups and people whom the reader does not see are 0. */
export const listRunningCalls: Query<RunningCallsInput, readonly RunningCall[]> = {
  name: 'list-running-calls',
  isComputation: true,
  async run(tx, { now, reader, alarmIds }) {
    const { calling, states } = await readCallsNow(tx, now);
    const shower = new CallShower(reader, calling.configuration, now);
    const rows = await tx.all(selectRunning, { alarmIds: JSON.stringify(alarmIds) });
    const ofAlarms = Map.groupBy(rows, ({ alarm_id, call_id }) => `${alarm_id} ${call_id}`);
    return [...ofAlarms.values()].flatMap((own) => runningCall(own, states, shower));
  },
};

function runningCall(own: readonly RunningRow[], states: CallStates, shower: CallShower): readonly RunningCall[] {
  const [row] = own;
  if (row === undefined) return [];
  const { target } = shower.target(targetOf(row));
  const about = { id: row.call_id, alarmId: row.alarm_id, targetKind: target.kind, targetId: target.id };
  const state = states.of(own.map(({ id }) => id));
  // Called in vain, and not decided on any more.
  const rest = { phase: 'ended', round: row.round, nextAt: undefined, people: [] };
  if (state === undefined) return [{ ...about, ...rest, ...shower.wording.wordedStored(row.reason ?? '') }];
  const { phase, round, next, reason } = state;
  const people = state.people.map((person) => ({ ...shower.person(person), status: statusOf(person) }));
  return [{ ...about, phase, round, nextAt: next?.at, ...shower.wording.worded(reason), people }];
}
