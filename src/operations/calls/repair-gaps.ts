// Repairs the gaps the call auditor found: gives each a next step again and raises a system alarm.

import { statement } from '../../store/statement.ts';
import type { Instant, Operation } from '../../store/store.ts';
import { raiseSystemAlarm, writeUnitOfWork } from '../alarms/intake/report.ts';
import { beginUnitOfWork, type UnitOfWork } from '../unit-of-work.ts';
import { type CallGap, findCallGaps } from './find-gaps.ts';

/** Finds the gaps again inside the transaction, repairs them, or one of them, and returns them. */
export const repairCallGaps: Operation<{ readonly only?: CallGap }, readonly CallGap[]> = {
  name: 'mend-call-gaps',
  async run(tx, now, { only }) {
    const found = await findCallGaps.run(tx, { now });
    const suspects = found.filter(({ kind, id }) => only === undefined || (kind === only.kind && id === only.id));
    for (const { kind, id } of suspects) if (kind === 'cause-without-call') await tx.run(detachCause, { id });
    const unit = beginUnitOfWork(tx, now);
    await repairCalls(unit, suspects);
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

async function repairCalls({ calls }: UnitOfWork, gaps: readonly CallGap[]): Promise<void> {
  await calls.load(
    gaps.flatMap((gap) => (gap.kind === 'attempt-lost' ? [gap.callId] : gap.kind === 'call-stands' ? [gap.id] : [])),
  );
  for (const gap of gaps) {
    if (gap.kind === 'attempt-lost') calls.apply(gap.callId, { kind: 'attempt-lost', cycleId: gap.id });
    if (gap.kind === 'call-stands') calls.apply(gap.id, { kind: 'time' });
  }
}

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

const detachCause = statement((db, args: { id: number }) =>
  db.updateTable('call_causes').set({ call_id: null }).where('id', '=', args.id),
);
