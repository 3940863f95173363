// Who stands where: the people of each escalation with their part, for views of calls, for readiness, and for requests that ask
// whether somebody would be called. Pure.

import { triesAt } from './alike.ts';
import type { Decision } from './decision.ts';
import type { LevelKey } from './escalation.ts';
import type { Part } from './part.ts';

export type Standing = {
  readonly escalationId: number;
  readonly causeId: number;
  readonly level: LevelKey;
  readonly userId: number;
  readonly part: Part;
};

export function standingsOf({ parts }: Pick<Decision, 'parts'>): readonly Standing[] {
  return parts.flatMap(({ alike, place, level, of: { userId }, part }) =>
    triesAt(alike, place, level).map((one) => ({ ...one, userId, part })),
  );
}
