// The state of calling now, from which a forecast begins: calls under way, turns, recent attempts, locks and lines.

import { type CallTarget, repeatedPriorities, targetName } from '../../../domain/calls/call.ts';
import { type OpenCauses, peopleInReach } from '../../../domain/calls/decision-context.ts';
import type { ForecastConfiguration, ForecastRequest, ForecastState } from '../../../domain/calls/forecast.ts';
import { idsIn, statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import type { CallConfiguration } from '../../configuration/call-configuration.ts';
import { readRecordClock } from '../../system/reference-time.ts';
import { selectRecentAttempts } from '../attempts.ts';
import { lockEnds } from '../inputs/locked-numbers.ts';
import { readTolls } from '../inputs/toll-use.ts';
import { type CallUrgency, findCalls, selectLastInTurn, selectUrgency } from '../queries.ts';

/** Calls under way that a forecast takes into account; in a flood, the oldest. */
const mostCalls = 200;
const mostAlarms = 10_000;

export type OpenCall = { readonly id: number; readonly request: ForecastRequest };

type PendingCause = { readonly alarm_id: number | null; readonly due_at: Instant };

export type StateOfNow = {
  readonly state: Omit<ForecastState, 'others'>;
  /** The calls under way, by the name of their target. */
  readonly open: ReadonlyMap<string, OpenCall>;
  /** By the name of their target: delayed causes, which have no call yet. */
  readonly pending: ReadonlyMap<string, readonly PendingCause[]>;
};

export async function readStateOfNow(
  tx: ReadTx,
  now: Instant,
  targets: readonly CallTarget[],
  configuration: Pick<CallConfiguration, 'snapshot' | 'policy' | 'providers'>,
): Promise<StateOfNow> {
  const open = await openCalls(tx, configuration);
  const pending = await tx.all(selectPending, { limit: mostAlarms });
  const { snapshot, policy } = configuration;
  const inReach = [...open.map(({ request }) => request.target), ...targets].flatMap((target) => [
    ...peopleInReach(target, snapshot, policy),
  ]);
  const clock = await readRecordClock(tx);
  const recent = await tx.all(selectRecentAttempts, {
    userIds: JSON.stringify([...new Set(inReach)]),
    since: clock.windowStart(now, policy.cap?.windowMs ?? 0),
  });
  const inTurn = [...snapshot.groups.values()].filter(({ callMode }) => callMode === 'turn').map(({ id }) => id);
  const turns = await tx.all(selectLastInTurn, { groupIds: JSON.stringify(inTurn) });
  const byPerson = Map.groupBy(
    recent.filter(({ is_notice }) => is_notice === 0),
    ({ user_id }) => user_id,
  );
  return {
    state: {
      now,
      lastInTurn: new Map(turns.map(({ group_id, user_id }) => [group_id, user_id])),
      recentAttempts: new Map(
        [...byPerson].map(([id, rows]) => [id, rows.map(({ created_at }) => clock.timeNow(created_at))]),
      ),
      locks: await lockEnds(tx, now),
      tolls: await readTolls(tx, now, configuration),
    },
    open: new Map(open.map((call) => [targetName(call.request.target), call])),
    pending: Map.groupBy(pending, ({ target_kind, target_id }) => `${target_kind} ${target_id}`),
  };
}

async function openCalls(tx: ReadTx, { policy }: ForecastConfiguration): Promise<readonly OpenCall[]> {
  const ids = (await tx.all(selectOpen, { limit: mostCalls })).map(({ id }) => id);
  if (ids.length === 0) return [];
  const callIds = JSON.stringify(ids);
  const urgency = await tx.all(selectUrgency, {
    callIds,
    untilAcknowledged: JSON.stringify(repeatedPriorities(policy)),
  });
  const attempts = Map.groupBy(await tx.all(selectUnderWay, { callIds }), ({ call_id }) => call_id);
  const alarms = Map.groupBy(await tx.all(selectAlarmsOf, { callIds, limit: mostAlarms }), ({ call_id }) => call_id);
  return (await findCalls(tx, ids)).flatMap(({ id, call }) => {
    const causes = causesOf(urgency.find(({ call_id }) => call_id === id));
    const underWay = (attempts.get(id) ?? []).map((row) => ({
      cycleId: row.cycle_id,
      userId: row.user_id,
      number: { channel: row.channel, address: row.address },
      startedAt: row.started_at ?? undefined,
      isPickedUp: row.answered_at !== null,
    }));
    const alarmIds = (alarms.get(id) ?? []).flatMap(({ alarm_id }) => alarm_id ?? []);
    const request = { target: call.target, joins: [], causes, alarmIds, underWay: { id, call, attempts: underWay } };
    return causes.areAny ? [{ id, request }] : [];
  });
}

function causesOf(row: CallUrgency | undefined): OpenCauses {
  return {
    areAny: row !== undefined && row.priority !== null,
    isAsking: row?.is_asking === 1,
    mostUrgent: row?.priority ?? Number.MAX_SAFE_INTEGER,
    isUntilAcknowledged: row?.is_until_acknowledged === 1,
  };
}

/** Without notices to numbers, which use no line and hold nobody up. */
const selectOpen = statement((db, args: { limit: number }) =>
  db
    .selectFrom('calls')
    .select('id')
    .where('ended_at', 'is', null)
    .where('target_kind', '<>', 'number')
    .orderBy('id')
    .limit(args.limit),
);

const selectPending = statement((db, args: { limit: number }) =>
  db
    .selectFrom('call_causes')
    .select(['target_kind', 'target_id', 'alarm_id', 'due_at'])
    .where('call_id', 'is', null)
    .where('ended_at', 'is', null)
    .orderBy('due_at')
    .limit(args.limit),
);

const selectAlarmsOf = statement((db, args: { callIds: string; limit: number }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['call_id', 'alarm_id'])
    .distinct()
    .where('call_id', 'in', idsIn(args.callIds, kind))
    .where('ended_at', 'is', null)
    .where('alarm_id', 'is not', null)
    .limit(args.limit),
);

const selectUnderWay = statement((db, args: { callIds: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select(['call_id', 'cycle_id', 'user_id', 'channel', 'address', 'started_at', 'answered_at'])
    .where('call_id', 'in', idsIn(args.callIds, kind))
    .where('state', 'in', ['due', 'started'])
    .orderBy('id'),
);
