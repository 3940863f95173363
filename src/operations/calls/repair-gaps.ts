// Mends what the auditor found: whatever should be called for gets a future step again, and everyone is told of it.

import type { ActionList } from '../../domain/alarms/alarm.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/report.ts';
import { AlarmUnitOfWork } from '../alarms/unit-of-work.ts';
import { type CallGap, findCallGaps } from './find-gaps.ts';
import { CallUnitOfWork } from './unit-of-work.ts';

/** Finds the gaps once more, now with nobody in between, and mends them. Answers what they were. */
export const repairCallGaps: Operation<Record<string, never>, readonly CallGap[]> = {
  name: 'mend-call-gaps',
  async run(tx, now) {
    const suspects = await findCallGaps.run(tx, { now });
    for (const { kind, id } of suspects) if (kind === 'cause-without-call') await tx.run(takeUpAgain, { id });
    await mendCalls(tx, now, suspects);
    const silent = suspects.flatMap(({ kind, id }) => (kind === 'alarm-without-cause' ? [id] : []));
    const called = await callForAlarms(tx, now, silent);
    // Actions that only let somebody see an alarm call nobody.
    const gaps = suspects.filter(({ kind, id }) => kind !== 'alarm-without-cause' || called.has(id));
    if (gaps.length === 0) return gaps;
    await raiseSystemAlarm(tx, now, {
      path: 'auditor',
      priority: 2,
      message: `The auditor found ${gaps.length === 1 ? 'a call' : `${gaps.length} calls`} that nobody was seeing to, and has mended it: ${inWords(gaps)}.`,
      isCalled: true,
      isRepeated: true,
    });
    return gaps;
  },
};

async function mendCalls(tx: Tx, now: Instant, gaps: readonly CallGap[]): Promise<void> {
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

/** As when they were raised; answers those for which there is somebody to call. */
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

function inWords(gaps: readonly CallGap[]): string {
  const counts = Map.groupBy(gaps, ({ kind }) => kind);
  return [...counts].map(([kind, those]) => `${kind} ${those.length}`).join(', ');
}

const takeUpAgain = statement((db, args: { id: number }) =>
  db.updateTable('call_causes').set({ call_id: null }).where('id', '=', args.id),
);
