// Value reports of tags; the condition of each alarm decides their effect.

import { type Caller, systemCaller } from '../../../domain/access/access.ts';
import { commandOf } from '../../../domain/alarms/condition.ts';
import { advance } from '../../../domain/alarms/transition.ts';
import { AppError } from '../../../errors.ts';
import { listOperation } from '../../../store/list-operation.ts';
import { type Instant, type Job, type JobResult, setOperation, type Tx } from '../../../store/store.ts';
import { beginUnitOfWork } from '../../unit-of-work.ts';
import type { AlarmRecord } from '../record.ts';
import { redefine } from '../redefine.ts';
import type { AlarmUnitOfWork, Tag } from '../unit-of-work.ts';
import { moveReported } from './moving-tags.ts';
import {
  type AlarmReported,
  lastChangeFor,
  printed,
  refuseUnwanted,
  resultOf,
  warnOfChatter,
  writeUnitOfWork,
} from './report.ts';
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
  const located = await locateValues(tx, unit.alarms, jobs);
  const results = located.map((value) => decideValue(unit.alarms, value));
  await writeUnitOfWork(tx, now, unit);
  return results;
});

type LocatedValue = {
  readonly job: Job<ValueReport>;
  readonly tag: Tag;
  readonly leftOut: readonly LeftOut[];
};

/** Loads the alarms of the tags into a unit of work. */
export async function locateValues(
  tx: Tx,
  alarms: AlarmUnitOfWork,
  jobs: readonly Job<ValueReport>[],
): Promise<readonly LocatedValue[]> {
  const locations = await Locations.load(tx, jobs.map(requestedBy));
  const located = jobs.map((job): LocatedValue => {
    const { location, leftOut, pathPrefix } = locations.of(requestedBy(job));
    return { job, tag: [location.dataServerId, `${pathPrefix}${job.input.path}`], leftOut };
  });
  const tags = located.map(({ tag }) => tag);
  await alarms.loadByTag(tags);
  const moving = tags.filter(([server]) => locations.receiving.has(server));
  if (moving.length > 0) await moveReported(tx, alarms, moving, Math.max(...jobs.map(({ now }) => now)));
  await alarms.gather();
  return located;
}

/** Applies a value to the alarm of its tag, which is not written yet. */
export function decideValue(alarms: AlarmUnitOfWork, value: LocatedValue): JobResult<AlarmReported> {
  return resultOf(() => report(alarms, value));
}

/** Reports a list of values, each with its own result. */
export const reportValues = { ...listOperation('report-values', reportValue), isIntake: true } as const;

function requestedBy({ input: { caller, dataServerId } }: Job<ValueReport>): RequestedLocation {
  return { caller, dataServerId, stationId: undefined, tagGroupId: undefined };
}

function report(unit: AlarmUnitOfWork, { tag, job: { now, input }, leftOut }: LocatedValue): AlarmReported {
  const { caller, path, value, time } = input;
  const entry = unit.find(tag);
  if (entry === undefined || entry.isRemoved) {
    const message = `names the tag ${path}, which does not exist`;
    throw new AppError('unprocessable', `path ${message}.`, { errors: [{ field: 'path', message }] });
  }
  refuseUnwanted(
    isFirstValue(entry.alarm, input) ? { ...input, unchangedSince: undefined } : input,
    leftOut,
    entry.alarm,
  );
  const by = { actor: caller.actor };
  const { definition, value: before } = entry.alarm;
  const command = commandOf(definition.condition.value, value, before);
  const reported = time === undefined ? command : { ...command, sourceTime: time };
  // A value older than the last one does not replace it.
  if (advance(entry.alarm.life, reported, now, unit.lead).outcome.reason !== 'stale')
    redefine(unit, entry, { value }, now, by);
  const { due, outcome } = advance(entry.alarm.life, reported, now, unit.lead);
  if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
  unit.apply(entry, due, now, systemCaller);
  unit.apply(entry, [outcome], now, by);
  const { id, dataServerId } = entry.alarm;
  const warnings = leftOut.map(printed);
  if (outcome.reason === 'chattering') warnings.push(warnOfChatter(unit, caller.actor, entry.alarm));
  return { id, warnings, dataServerId, ...lastChangeFor(input, entry) };
}

/** Whether the tag was defined after the value was first sent, and nothing has been reported of it since. */
function isFirstValue({ createdAt, value, life }: AlarmRecord, { unchangedSince }: ValueReport): boolean {
  return unchangedSince !== undefined && createdAt > unchangedSince && value === '' && life.raisedAt === undefined;
}
