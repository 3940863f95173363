// Who stands where: the people of each escalation with their part, for views of calls, for readiness, and for requests that ask
// whether somebody would be called. The same rules as decide, without its effects. Pure.

import { groupAlike, triesOf } from './alike.ts';
import { AttemptIndex } from './attempt-index.ts';
import { standIns } from './decide.ts';
import type { Attempt, Cause, Escalation, LevelKey } from './escalation.ts';
import { Numbers } from './numbers.ts';
import { type Part, Parts } from './part.ts';
import { Places } from './place.ts';
import type { DecisionTime, World } from './world.ts';

export type Standing = {
  readonly escalationId: number;
  readonly causeId: number;
  readonly level: LevelKey;
  readonly userId: number;
  readonly part: Part;
};

export function standings(
  world: World,
  causes: readonly Cause[],
  escalations: readonly Escalation[],
  attempts: readonly Attempt[],
  time: DecisionTime,
): readonly Standing[] {
  const groups = groupAlike(causes, escalations, attempts);
  const index = new AttemptIndex(attempts, standIns(groups));
  const numbers = new Numbers(world, time, index);
  const parts = new Parts(index, numbers, time, world.policy);
  const places = new Places(world, time, { index, numbers, parts }, escalations);
  return groups
    .flatMap((alike) => places.place(alike))
    .flatMap((placed) => placed.parts)
    .flatMap(({ alike, place, level, of: { userId }, part }) =>
      triesOf(alike, place, level).map((one) => ({ ...one, userId, part })),
    );
}
