// Tags report values: the condition of each alarm decides what that means.

import type { Caller } from '../../domain/access/access.ts';
import { commandOf } from '../../domain/alarms/condition.ts';
import { advance } from '../../domain/alarms/transition.ts';
import { AppError } from '../../errors.ts';
import { listOperation } from '../../store/list-operation.ts';
import { type Instant, type Job, type JobResult, setOperation } from '../../store/store.ts';
import { applyTransitions } from './apply-transitions.ts';
import { redefine } from './report.ts';
import { Locations } from './resolve-location.ts';
import { AlarmUnitOfWork, type Tag } from './unit-of-work.ts';

export type ValueReport = {
  readonly caller: Caller;
  readonly dataServerId: number | undefined;
  readonly path: string;
  readonly value: string;
  /** When the source saw it, if it says so. */
  readonly time: Instant | undefined;
};

/** Answers the alarm's id. */
const reportValue = setOperation<ValueReport, number>('report-value', async (tx, jobs) => {
  const unit = new AlarmUnitOfWork(tx);
  const asked = jobs.map(({ input }) => ({ ...input, stationId: undefined, tagGroupId: undefined }));
  const places = await Locations.load(tx, asked);
  const tags = asked.map((report) => settled(() => [places.of(report).dataServerId, report.path] as const));
  await unit.loadByTag(tags.flatMap((tag) => (tag.kind === 'done' ? [tag.outcome] : [])));
  await unit.resolveTargets();
  const results = jobs.map((job, index) => {
    const tag = tags[index];
    return tag?.kind === 'done' ? settled(() => report(unit, tag.outcome, job)) : (tag ?? neverPlaced);
  });
  await unit.write();
  return results;
});

/** A list of values, each answered for itself. */
export const reportValues = listOperation('report-values', reportValue);

const neverPlaced = { kind: 'failed', error: new Error('A value has no place') } as const;

/** A refusal is the answer to its own value; anything else is a fault of all. */
function settled<T>(decide: () => T): JobResult<T> {
  try {
    return { kind: 'done', outcome: decide() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'failed', error };
  }
}

function report(unit: AlarmUnitOfWork, tag: Tag, { now, input }: Job<ValueReport>): number {
  const { caller, path, value, time } = input;
  const entry = unit.find(tag);
  if (entry === undefined || entry.isRemoved) {
    const message = `names the tag ${path}, which does not exist`;
    throw new AppError('unprocessable', `path ${message}.`, { errors: [{ field: 'path', message }] });
  }
  const { definition, value: before } = entry.alarm;
  const said = commandOf(definition.condition.value, value, before);
  const reported = time === undefined ? said : { ...said, sourceTime: time };
  // What is older than the last value does not replace it.
  if (advance(entry.alarm.life, reported, now).outcome.reason !== 'stale')
    redefine(unit, entry, { value, priority: undefined, tagGroupId: undefined }, {}, now);
  const { due, outcome } = advance(entry.alarm.life, reported, now);
  if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
  applyTransitions(unit, entry, [...due, outcome], { now, actor: caller.actor });
  return entry.alarm.id;
}
