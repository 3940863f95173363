// How long what was decided on a cause stands, and on what it depends: until then, and while none of that changes, deciding on it again
// changes nothing. Pure.

import type { Alike } from '../alike.ts';
import type { Placed, PlacedPart } from '../place.ts';
import type { Depends } from '../world.ts';
import { both, type PersonScopes } from './person-scopes.ts';

/** Of causes that are alike. */
export type Outlook = Depends & {
  readonly causeIds: readonly number[];
  /** Those who are called for them, or get notices of them. */
  readonly userIds: ReadonlySet<number>;
  /** The levels that call their people in turn: whom they call depends on the other causes that do. */
  readonly turns: readonly string[];
  readonly parts: readonly PlacedPart[];
};

type Decided = {
  readonly alike: Alike;
  readonly followed: readonly { readonly placed: Placed; readonly followUp: { readonly userId: number } | undefined }[];
  readonly called: readonly PlacedPart[];
};

/** `depends`: what was decided for these causes alone, and for everybody. */
export function outlookOf({ alike, followed, called }: Decided, depends: Depends, scopes: PersonScopes): Outlook {
  const userIds = new Set([
    ...called.map(({ of }) => of.userId),
    ...followed.flatMap(({ followUp }) => followUp?.userId ?? []),
  ]);
  const picked = followed.flatMap(({ placed }) => placed.escalation.picked.map(({ key }) => key));
  // A call that is wanted, and was not begun, waits for a line.
  const isWanting = called.some(({ part }) => part.state === 'wants');
  const together = [...userIds].reduce((all, userId) => both(all, scopes.dependsOf(userId)), depends);
  return {
    causeIds: alike.causes.map(({ id }) => id),
    until: together.until,
    untilCivil: together.untilCivil,
    onWays: together.onWays || isWanting,
    userIds,
    turns: [...new Set(picked.filter((key) => key.startsWith('duty')))],
    parts: called,
  };
}

/** Whether everybody must be able to see it: no channel reaches the person, or no line was free for longer than a level waits. */
export function isShownToAll({ part }: Pick<PlacedPart, 'part'>): boolean {
  if (part.state === 'out-of-reach') return true;
  return part.state === 'blocked' && !part.holds && part.reason.code === 'no-free-line';
}
