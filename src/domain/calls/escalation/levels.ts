// Decides when a level of a call is over: the people on duty, their relief members, or a relief group. Pure.

import { type Cycle, countsInLevel, isOpen } from '../call.ts';
import { holdsWay } from '../contact-cycle.ts';
import { rulesFor } from '../decision-context.ts';
import type { CallDraft } from './call-draft.ts';

export function cyclesOfLevel({ call }: CallDraft): readonly Cycle[] {
  return call.cycles.filter((cycle) => cycle.level === call.level && countsInLevel(cycle));
}

/** Whether the next level is called now: everybody has heard, declined or failed, or the time to take it has passed. */
export function isLevelOver(draft: CallDraft, level: readonly Cycle[]): boolean {
  const { context, now } = draft;
  return hasTimePassed(draft) || !level.some((cycle) => isOpen(cycle) && holdsWay(cycle, context, now));
}

export function hasTimePassed({ call: { takeBy }, now }: CallDraft): boolean {
  return takeBy !== undefined && takeBy <= now;
}

/** Returns when the time to take the alarm ends that the present level has; undefined: never. */
export function timeToTakeEnd({ call, context }: CallDraft): number | undefined {
  const { causes, snapshot } = context;
  if (!causes.isAsking || call.levelSince === undefined) return undefined;
  const ofGroup = snapshot.groups.get(call.groupId ?? 0)?.timeToTakeSeconds;
  const seconds = ofGroup ?? rulesFor(context).timeToTakeSeconds;
  return seconds === 0 ? undefined : call.levelSince + seconds * 1000;
}
