// Value reports of tags; the condition of each alarm decides their effect.

import type { Caller } from '../../../domain/access/access.ts';
import { commandOf } from '../../../domain/alarms/condition.ts';
import { advance } from '../../../domain/alarms/transition.ts';
import { AppError } from '../../../errors.ts';
import { listOperation } from '../../../store/list-operation.ts';
import { type Instant, type Job, setOperation } from '../../../store/store.ts';
import { beginUnitOfWork } from '../../unit-of-work.ts';
import { redefine } from '../redefine.ts';
import type { AlarmUnitOfWork, Tag } from '../unit-of-work.ts';
import { resultOf, writeUnitOfWork } from './report.ts';
import { Locations } from './resolve-location.ts';

export type ValueReport = {
  readonly caller: Caller;
  readonly dataServerId: number | undefined;
  readonly path: string;
  readonly value: string;
  /** The source's own timestamp, if it sent one. */
  readonly time: Instant | undefined;
};

/** Returns the alarm's id. */
const reportValue = setOperation<ValueReport, number>('report-value', async (tx, jobs) => {
  const now = Math.max(...jobs.map((job) => job.now));
  const unit = beginUnitOfWork(tx, now);
  const requested = jobs.map(({ input }) => ({ ...input, stationId: undefined, tagGroupId: undefined }));
  const locations = await Locations.load(tx, requested);
  const tags = requested.map((report) => resultOf(() => [locations.of(report).dataServerId, report.path] as const));
  await unit.alarms.loadByTag(tags.flatMap((tag) => (tag.kind === 'done' ? [tag.outcome] : [])));
  await unit.alarms.gather();
  const results = jobs.map((job, index) => {
    const tag = tags[index];
    return tag?.kind === 'done' ? resultOf(() => report(unit.alarms, tag.outcome, job)) : (tag ?? withoutLocation);
  });
  await writeUnitOfWork(tx, now, unit);
  return results;
});

/** Reports a list of values, each with its own result. */
export const reportValues = listOperation('report-values', reportValue);

const withoutLocation = { kind: 'failed', error: new Error('A value has no location') } as const;

function report(unit: AlarmUnitOfWork, tag: Tag, { now, input }: Job<ValueReport>): number {
  const { caller, path, value, time } = input;
  const entry = unit.find(tag);
  if (entry === undefined || entry.isRemoved) {
    const message = `names the tag ${path}, which does not exist`;
    throw new AppError('unprocessable', `path ${message}.`, { errors: [{ field: 'path', message }] });
  }
  const by = { actor: caller.actor };
  const { definition, value: before } = entry.alarm;
  const command = commandOf(definition.condition.value, value, before);
  const reported = time === undefined ? command : { ...command, sourceTime: time };
  // A value older than the last one does not replace it.
  if (advance(entry.alarm.life, reported, now).outcome.reason !== 'stale') redefine(unit, entry, { value }, now, by);
  const { due, outcome } = advance(entry.alarm.life, reported, now);
  if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
  unit.apply(entry, [...due, outcome], now, by);
  return entry.alarm.id;
}
