// The audit of calling, apart from the engine: every untaken alarm that asks for a call is being called for, and every cause was
// decided on within a minute. What is missing is added again, and said by an alarm.

import { sql } from 'kysely';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Operation, Query } from '../../store/store.ts';
import { raiseSystemAlarm, writeUnitOfWork } from '../alarms/intake/report.ts';
import { beginUnitOfWork, type UnitOfWork } from '../unit-of-work.ts';

/** What is overdue for this long was missed by the engine. */
const overdueMs = 60_000;
/** Older alarms are left to people. */
const recentMs = 3_600_000;
const mostGaps = 200;

export type CallGap =
  /** The cause is due, and was not decided on. */
  | { readonly kind: 'cause-waits'; readonly id: number }
  /** The alarm has actions that call, but its occurrence has no cause. */
  | { readonly kind: 'alarm-without-cause'; readonly id: number };

const selectWaitingCauses = statement((db, args: { before: Instant; limit: number }) =>
  db
    .selectFrom('call_causes')
    .select('id')
    .where('state', '=', sql.lit('open'))
    .where('round', '=', 0)
    .where('due_at', '<', args.before)
    .where((eb) => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<', args.before)]))
    .limit(args.limit),
);

/**
 * Only active alarms: one that is back to normal may have been masked when it was raised. Only the actions of the alarm
 * itself: causes of scenarios are written in the same transaction as these.
 */
const selectSilentAlarms = sqlStatement<{ since: Instant; limit: number }, { id: number }>(
  (args) => sql`select id from ${table('alarms')} where state = 3 and mask_until is null and raised_at > ${args.since}
    and exists (select 1 from ${table('alarm_actions')} where alarm_id = alarms.id and list = 'alarm')
    and not exists (select 1 from ${table('call_causes')} where call_causes.alarm_id = alarms.id
      and history_id = alarms.occurrence_id) limit ${args.limit}`,
);

export const findCallGaps: Query<{ now: Instant }, readonly CallGap[]> = {
  name: 'find-call-gaps',
  async run(tx, { now }) {
    const waiting = await tx.all(selectWaitingCauses, { before: now - overdueMs, limit: mostGaps });
    const silent = await tx.all(selectSilentAlarms, { since: now - recentMs, limit: mostGaps });
    return [
      ...waiting.map(({ id }) => ({ kind: 'cause-waits', id }) as const),
      ...silent.map(({ id }) => ({ kind: 'alarm-without-cause', id }) as const),
    ];
  },
};

/** Finds the gaps again inside the transaction, repairs what can be, or one of them, and returns them. */
export const repairCallGaps: Operation<{ readonly only?: CallGap }, readonly CallGap[]> = {
  name: 'mend-call-gaps',
  async run(tx, now, { only }) {
    const found = await findCallGaps.run(tx, { now });
    const suspects = found.filter(({ kind, id }) => only === undefined || (kind === only.kind && id === only.id));
    const unit = beginUnitOfWork(tx, now);
    const silent = suspects.flatMap(({ kind, id }) => (kind === 'alarm-without-cause' ? [id] : []));
    const called = await callForAlarms(unit, now, silent);
    await writeUnitOfWork(tx, now, unit);
    // An alarm whose actions only make it visible calls nobody, so it is no gap.
    const gaps = suspects.filter(({ kind, id }) => kind !== 'alarm-without-cause' || called.has(id));
    if (gaps.length === 0) return gaps;
    await raiseSystemAlarm(tx, now, {
      path: 'auditor',
      priority: 2,
      message: { code: 'auditor', parameters: { count: gaps.length, kinds: countsByKind(gaps) } },
      isCalled: true,
      isRepeated: true,
    });
    return gaps;
  },
};

/** Adds the causes that a raise of these alarms would add; returns the ids of the alarms that have targets. */
async function callForAlarms(
  { alarms, causes }: UnitOfWork,
  now: Instant,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  await alarms.load(ids);
  await alarms.gather();
  for (const id of ids) {
    const entry = alarms.get(id);
    if (entry !== undefined) causes.want(entry, 'alarm', now);
  }
  return causes.alarmIds;
}

function countsByKind(gaps: readonly CallGap[]) {
  const counts = Map.groupBy(gaps, ({ kind }) => kind);
  return [...counts].map(([kind, found]) => ({ kind, count: found.length }));
}
