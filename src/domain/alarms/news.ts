// Decides which changes of an alarm's definition and value consoles are told of, and when. Pure.

import type { AlarmLife } from './alarm.ts';
import type { AlarmDefinition } from './definition.ts';

/** The kind of the events that tell of changes of definitions and values. They are no part of the timeline of the alarm. */
export const newsKind = 'alarm.updated';

/** The least time between two pieces of gathered news of one alarm: four a second. */
const newsEveryMs = 250;

/** The fields of an alarm by which consoles filter. */
export type FilteredBy = {
  readonly stationId: number;
  readonly tagGroupId: number | undefined;
  readonly priority: number;
};

type Told = FilteredBy & {
  readonly dataServerId: number;
  readonly name: string;
  readonly value: string;
  readonly definition: AlarmDefinition;
  readonly life: Pick<AlarmLife, 'state' | 'mask'>;
};

/**
 * `at-once`: a console that filters must learn that the alarm is no longer, or only now, one of its own. `gathered`: only
 * the newest state counts, so what changes often is told seldom.
 */
export type News = 'none' | 'gathered' | 'at-once';

export function newsOf(before: Told, after: Told): News {
  if (isFilteredOtherwise(before, after)) return 'at-once';
  const hasOtherTexts =
    before.definition !== after.definition || before.name !== after.name || before.dataServerId !== after.dataServerId;
  // No console shows the values of alarms at rest, and most values are of those.
  const isShown = after.life.state !== 0 || after.life.mask !== undefined;
  return hasOtherTexts || (isShown && before.value !== after.value) ? 'gathered' : 'none';
}

export function isFilteredOtherwise(before: FilteredBy, after: FilteredBy): boolean {
  return (
    before.stationId !== after.stationId || before.tagGroupId !== after.tagGroupId || before.priority !== after.priority
  );
}

/** Returns when gathered news may be told; `toldAt` is when the last was, which a clock step may put into the future. */
export function newsDueAt(toldAt: number | undefined, now: number): number {
  return toldAt === undefined || toldAt > now ? now : Math.max(now, toldAt + newsEveryMs);
}
