// Escalation by hand: calls the relief groups of the open calls of an alarm now.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { statement } from '../../store/statement.ts';
import type { Operation } from '../../store/store.ts';
import { writeUnitOfWork } from '../alarms/intake/report.ts';
import { appendAudit } from '../audit/append.ts';
import { beginUnitOfWork } from '../unit-of-work.ts';
import { selectOpenCausesOf } from './queries.ts';

type Escalate = { readonly caller: Caller; readonly id: number; readonly by: string };

export const escalateAlarm: Operation<Escalate, void> = {
  name: 'escalate-alarm',
  async run(tx, now, { caller, id, by }) {
    const alarm = await tx.one(selectStation, { id });
    if (alarm === undefined || !seesStation(caller, alarm.station_id))
      throw new AppError('not-found', `There is no alarm ${id}.`);
    const causes = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify([id]) });
    const callIds = [...new Set(causes.flatMap(({ call_id }) => call_id ?? []))];
    if (callIds.length === 0) throw new AppError('already-done', 'Nobody is being called for the alarm.');
    const unit = beginUnitOfWork(tx, now);
    const { calls } = unit;
    await calls.load(callIds);
    const before = callIds.map((callId) => calls.call(callId));
    for (const callId of callIds) calls.apply(callId, { kind: 'escalated', by });
    if (callIds.every((callId, index) => calls.call(callId) === before[index]))
      throw new AppError('unprocessable', 'There is no relief group that has not been called yet.');
    await writeUnitOfWork(tx, now, unit);
    const { name, station_id: stationId } = alarm;
    const after = { name, callIds };
    await appendAudit(tx, now, { kind: 'call.escalated', origin: caller, stationId, subject: `alarm:${id}`, after });
  },
};

const selectStation = statement((db, args: { id: number }) =>
  db.selectFrom('alarms').select(['station_id', 'name']).where('id', '=', args.id),
);
