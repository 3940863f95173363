// Repairs the gaps the call auditor found: gives each a next step again and raises a system alarm.

import type { ActionList } from '../../domain/alarms/alarm.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/report.ts';
import { AlarmUnitOfWork } from '../alarms/unit-of-work.ts';
import { type CallGap, findCallGaps } from './find-gaps.ts';
import { CallUnitOfWork } from './unit-of-work.ts';

/** Finds the gaps again inside the transaction, repairs them and returns them. */
export const repairCallGaps: Operation<Record<string, never>, readonly CallGap[]> = {
  name: 'mend-call-gaps',
  async run(tx, now) {
    const suspects = await findCallGaps.run(tx, { now });
    for (const { kind, id } of suspects) if (kind === 'cause-without-call') await tx.run(detachCause, { id });
    await repairCalls(tx, now, suspects);
    const silent = suspects.flatMap(({ kind, id }) => (kind === 'alarm-without-cause' ? [id] : []));
    const called = await callForAlarms(tx, now, silent);
    // An alarm whose actions only make it visible calls nobody, so it is no gap.
    const gaps = suspects.filter(({ kind, id }) => kind !== 'alarm-without-cause' || called.has(id));
    if (gaps.length === 0) return gaps;
    await raiseSystemAlarm(tx, now, {
      path: 'auditor',
      priority: 2,
      message: `The auditor found ${gaps.length === 1 ? 'a call' : `${gaps.length} calls`} that nobody was seeing to, and has mended it: ${countsByKind(gaps)}.`,
      isCalled: true,
      isRepeated: true,
    });
    return gaps;
  },
};

async function repairCalls(tx: Tx, now: Instant, gaps: readonly CallGap[]): Promise<void> {
  const calls = new CallUnitOfWork(tx, now);
  await calls.load(
    gaps.flatMap((gap) => (gap.kind === 'attempt-lost' ? [gap.callId] : gap.kind === 'call-stands' ? [gap.id] : [])),
  );
  for (const gap of gaps) {
    if (gap.kind === 'attempt-lost') calls.apply(gap.callId, { kind: 'attempt-lost', cycleId: gap.id });
    if (gap.kind === 'call-stands') calls.apply(gap.id, { kind: 'time' });
  }
  await calls.write();
}

/** Adds the causes that a raise of these alarms would add; returns the ids of the alarms that have targets. */
async function callForAlarms(tx: Tx, now: Instant, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const unit = new AlarmUnitOfWork(tx);
  await unit.load(ids);
  await unit.resolveTargets();
  const list: ActionList = 'alarm';
  for (const id of ids) {
    const entry = unit.get(id);
    if (entry !== undefined) unit.calls.want(unit, entry, list, now);
  }
  await unit.write();
  return unit.calls.alarmIds;
}

function countsByKind(gaps: readonly CallGap[]): string {
  const counts = Map.groupBy(gaps, ({ kind }) => kind);
  return [...counts].map(([kind, found]) => `${kind} ${found.length}`).join(', ');
}

const detachCause = statement((db, args: { id: number }) =>
  db.updateTable('call_causes').set({ call_id: null }).where('id', '=', args.id),
);
