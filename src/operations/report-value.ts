// A tag reports a value: the condition of its alarm decides what that means.

import type { Caller } from '../domain/access.ts';
import type { AlarmCommand } from '../domain/alarm.ts';
import { advance } from '../domain/alarm-transition.ts';
import { meets } from '../domain/condition.ts';
import { AppError } from '../errors.ts';
import { findAlarmByPath, type StoredAlarm } from '../store/alarms.ts';
import type { Instant, Operation } from '../store/store.ts';
import { applyTransitions } from './alarm-changes.ts';
import { placeOf, redefine } from './report-alarm.ts';

export type ValueReport = {
  readonly caller: Caller;
  readonly dataServerId: number | undefined;
  readonly path: string;
  readonly value: string;
  /** When the source saw it, if it says so. */
  readonly time: Instant | undefined;
};

/** Answers the alarm's id. */
export const reportValue: Operation<ValueReport, number> = {
  name: 'report-value',
  async run(tx, now, { caller, dataServerId, path, value, time }) {
    const place = await placeOf(tx, { caller, stationId: undefined, dataServerId, tagGroupId: undefined });
    const known = await findAlarmByPath(tx, place.dataServerId, path);
    if (known === undefined) {
      const message = `names the tag ${path}, which does not exist`;
      throw new AppError('unprocessable', `path ${message}.`, { errors: [{ field: 'path', message }] });
    }
    const { due, outcome } = advance(known.life, commandOf(known, value, time), now);
    if (outcome.kind === 'refused') throw new Error(`A report was refused: ${outcome.reason}`);
    const isStale = outcome.reason === 'stale';
    const alarm = isStale
      ? known
      : await redefine(tx, now, known, { value, change: {}, priority: undefined, tagGroupId: undefined });
    await applyTransitions(tx, alarm, [...due, outcome], { now, actor: caller.actor });
    return known.id;
  },
};

/** Without a condition a value says nothing about the alarm. */
function commandOf({ definition }: StoredAlarm, value: string, time: Instant | undefined): AlarmCommand {
  const condition = definition.condition.value;
  if (condition === '') return { kind: 'define' };
  const isRaised = meets(condition, value);
  return time === undefined ? { kind: 'report', isRaised } : { kind: 'report', isRaised, sourceTime: time };
}
