// Value reports of tags; the condition of each alarm decides their effect.

import type { Caller } from '../../../domain/access/access.ts';
import { commandOf } from '../../../domain/alarms/condition.ts';
import { advance } from '../../../domain/alarms/transition.ts';
import { AppError } from '../../../errors.ts';
import { listOperation } from '../../../store/list-operation.ts';
import { type Instant, type Job, type JobResult, setOperation, type Tx } from '../../../store/store.ts';
import { beginUnitOfWork, type UnitOfWork } from '../../unit-of-work.ts';
import { redefine } from '../redefine.ts';
import type { AlarmUnitOfWork, Tag } from '../unit-of-work.ts';
import { type AlarmReported, printed, refuseUnwanted, resultOf, writeUnitOfWork } from './report.ts';
import type { AlarmReport } from './report-message.ts';
import { type LeftOut, Locations, type RequestedLocation } from './resolve-location.ts';

export type ValueReport = Pick<AlarmReport, 'isStrict' | 'unchangedSince'> & {
  readonly caller: Caller;
  readonly dataServerId: number | undefined;
  readonly path: string;
  readonly value: string;
  /** The source's own timestamp, if it sent one. */
  readonly time: Instant | undefined;
};

const reportValue = setOperation<ValueReport, AlarmReported>('report-value', async (tx, jobs) => {
  const now = Math.max(...jobs.map((job) => job.now));
  const unit = beginUnitOfWork(tx, now);
  const results = await decideValues(tx, unit, jobs);
  await writeUnitOfWork(tx, now, unit);
  return results;
});

/** Applies the values to the alarms of a unit of work, which is not written yet. */
export async function decideValues(
  tx: Tx,
  { alarms }: UnitOfWork,
  jobs: readonly Job<ValueReport>[],
): Promise<readonly JobResult<AlarmReported>[]> {
  const locations = await Locations.load(tx, jobs.map(requestedBy));
  const located = jobs.map((job) => ({ job, ...locations.of(requestedBy(job)) }));
  const tagOf = ({ job, location }: (typeof located)[number]): Tag => [location.dataServerId, job.input.path];
  await alarms.loadByTag(located.map(tagOf));
  await alarms.gather();
  return located.map((one) => resultOf(() => report(alarms, tagOf(one), one.job, one.leftOut)));
}

/** Reports a list of values, each with its own result. */
export const reportValues = listOperation('report-values', reportValue);

function requestedBy({ input: { caller, dataServerId } }: Job<ValueReport>): RequestedLocation {
  return { caller, dataServerId, stationId: undefined, tagGroupId: undefined };
}

function report(
  unit: AlarmUnitOfWork,
  tag: Tag,
  { now, input }: Job<ValueReport>,
  leftOut: readonly LeftOut[],
): AlarmReported {
  const { caller, path, value, time } = input;
  const entry = unit.find(tag);
  if (entry === undefined || entry.isRemoved) {
    const message = `names the tag ${path}, which does not exist`;
    throw new AppError('unprocessable', `path ${message}.`, { errors: [{ field: 'path', message }] });
  }
  refuseUnwanted(input, leftOut, entry.alarm);
  const by = { actor: caller.actor };
  const { definition, value: before } = entry.alarm;
  const command = commandOf(definition.condition.value, value, before);
  const reported = time === undefined ? command : { ...command, sourceTime: time };
  // A value older than the last one does not replace it.
  if (advance(entry.alarm.life, reported, now).outcome.reason !== 'stale') redefine(unit, entry, { value }, now, by);
  const { due, outcome } = advance(entry.alarm.life, reported, now);
  if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
  unit.apply(entry, [...due, outcome], now, by);
  return { id: entry.alarm.id, warnings: leftOut.map(printed), dataServerId: entry.alarm.dataServerId };
}
