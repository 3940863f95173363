// Escalation by hand: the relief groups of an alarm are called now, while the levels that are being called go on.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import { decide } from '../../domain/escalation/decide.ts';
import { escalate } from '../../domain/escalation/escalate.ts';
import type { Escalation } from '../../domain/escalation/escalation.ts';
import { AppError } from '../../errors.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';
import { noteNotCalled } from './engine/begin-attempts.ts';
import { readHeldBack } from './engine/held-back.ts';
import { notCalledOf, stepsOf } from './engine/plan.ts';
import { type Calling, readCalling } from './engine/read-calling.ts';
import type { CallIds } from './engine/rows/call-ids.ts';
import { causeRows, escalationRow } from './engine/rows/escalation-rows.ts';
import { appendSteps } from './engine/steps.ts';

type Escalate = { readonly caller: Caller; readonly id: number; readonly by: string };

export const escalateAlarm: Operation<Escalate, void> = {
  name: 'escalate-alarm',
  async run(tx, now, { caller, id, by }) {
    const alarm = await tx.one(selectStation, { id });
    if (alarm === undefined || !seesStation(caller, alarm.station_id))
      throw new AppError('not-found', `There is no alarm ${id}.`);
    const causes = (await tx.all(selectOpenCauses, { id })).map((row) => row.cause_id ?? row.id);
    const calling = await readCalling(tx, now, causes);
    const { world, escalations, escalationRows, decisionTime } = calling;
    const isOwn = (escalationId: number): boolean => {
      const row = escalationRows.get(escalationId);
      return row?.alarm_id === id && row.kind === 'alarm' && row.ended_at === null && row.round > 0;
    };
    const called = escalations.filter((one) => isOwn(one.id) && one.target.kind !== 'last-resort');
    if (called.length === 0) throw new AppError('already-done', 'Nobody is being called for the alarm.');
    const escalated = called.flatMap((one) => escalate(one, world, decisionTime, by) ?? []);
    if (escalated.length === 0)
      throw new AppError('unprocessable', 'There is no relief group that has not been called yet.');
    await tx.each(
      causeRows.update,
      escalated.map((one) => {
        const { version = 0, call_id, attempts_from = null, earlier = '[]' } = escalationRows.get(one.id) ?? {};
        return escalationRow(one, { version, call_id: call_id ?? one.id, attempts_from, earlier });
      }),
    );
    const callIds = new Map(escalated.map(({ id }) => [id, escalationRows.get(id)?.call_id ?? id]));
    await noteLevels(tx, now, calling, escalated, callIds);
    const { name, station_id: stationId } = alarm;
    const after = { name, callIds: [...new Set(callIds.values())] };
    await appendAudit(tx, now, { kind: 'call.escalated', origin: caller, stationId, subject: `alarm:${id}`, after });
  },
};

/** The timeline shows the level that was entered, and the call history who of it has no number that can be called. */
async function noteLevels(
  tx: Tx,
  now: Instant,
  calling: Calling,
  escalated: readonly Escalation[],
  callIds: CallIds,
): Promise<void> {
  const { world, causes, attempts, decisionTime, escalationRows } = calling;
  const before = new Map(calling.escalations.map((one) => [one.id, one]));
  const after = new Map([...before, ...escalated.map((one) => [one.id, one] as const)]);
  const { parts } = decide(world, causes, [...after.values()], attempts, decisionTime);
  const heldBack = await readHeldBack(tx, now, parts);
  const notCalled = notCalledOf(calling, { changed: escalated, parts }, { before, heldBack }, now);
  await noteNotCalled(tx, { notCalled, now }, callIds);
  const steps = stepsOf(escalated, before);
  await appendSteps(tx, now, { changed: [], begin: [], steps }, { rows: escalationRows, callIds });
}

const selectOpenCauses = statement((db, args: { id: number }) =>
  db.selectFrom('call_causes').select(['id', 'cause_id']).where('alarm_id', '=', args.id).where('ended_at', 'is', null),
);

const selectStation = statement((db, args: { id: number }) =>
  db.selectFrom('alarms').select(['station_id', 'name']).where('id', '=', args.id),
);
