// An alarm that comes and goes, and that nobody takes: how far apart people are called for it, and who is told of its newest occurrence
// while a text about an earlier one is still to be answered. Pure.

import { type CallPolicy, rulesOf } from '../calls/call.ts';
import type { ContactNumber } from '../people/person.ts';
import type { AttemptIndex } from './attempt-index.ts';
import { urgent } from './escalation.ts';
import type { Numbers } from './numbers.ts';
import type { Parts } from './part.ts';
import type { PlacedPart } from './place.ts';
import type { DecisionTime } from './world.ts';

/** The rounds of an alarm of priority 1 begin a minute apart at least; those of others the pause of their priority. */
const leastUrgentMs = 60_000;

export function leastPauseMs(priority: number, policy: Pick<CallPolicy, 'priorities'>): number {
  return priority === urgent ? leastUrgentMs : rulesOf(priority, policy).pauseSeconds * 1000;
}

type Known = {
  readonly parts: Parts;
  readonly numbers: Numbers;
  readonly index: AttemptIndex;
  readonly time: DecisionTime;
  readonly policy: Pick<CallPolicy, 'priorities'>;
};

/**
 * The number that gets a notice of the newest occurrence: its person has time to answer a text about an earlier one, and the shortest
 * pause since the last text is over. The time to answer goes on. Numbers that are told when an alarm is back are told at once.
 */
export function toldAgain(
  { of, part }: Pick<PlacedPart, 'of' | 'part'>,
  { parts, numbers, index, time, policy }: Known,
): ContactNumber | undefined {
  if (part.state !== 'waits' || part.reason.code !== 'awaits-answer') return undefined;
  const told = parts.toldOfFormer(of);
  if (told === undefined || told.number.followUps?.back) return undefined;
  const { priority } = of.cause;
  const isUsable = numbers.calling(of.userId, priority).some(({ id }) => id === told.number.id);
  const last = index.notices(told.number.id).findLast(({ end }) => end !== undefined && end.outcome !== 'cancelled');
  const lastAt = Math.max(told.at, last?.begunAt ?? told.at);
  return isUsable && time.hasPassed(lastAt + leastPauseMs(priority, policy)) ? told.number : undefined;
}
