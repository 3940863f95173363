// Who is not called for an alarm, each with one reason. Pure.

import type { CallHistory, Explanation, PersonNotCalled } from '@tocsin/client';
import type { Names } from '../../data/names.ts';

type Explained = {
  readonly calls: Explanation['calls'];
  /** The attempts made so far. */
  readonly made: readonly Pick<CallHistory, 'userId'>[];
};

/** What keeps a person from being called wherever they belong comes before what is so in one group. */
const weights: Readonly<Record<PersonNotCalled['code'], number>> = {
  'person-missing': 0,
  'without-number': 0,
  replaced: 1,
  'off-duty': 1,
  'team-missing': 1,
  'not-on-duty': 2,
  'relief-not-due': 3,
};

/** Whom the alarm calls, for one of its groups at least, or has called. */
export function calledIn({ calls, made }: Explained): ReadonlySet<number> {
  const ahead = calls.flatMap(({ steps }) => steps.flatMap(({ userId }) => userId ?? []));
  return new Set([...ahead, ...made.map(({ userId }) => userId)]);
}

/** Who of the groups is called for none of them and why, once: "Chidi: not on duty". */
export function notCalledOf(explained: Explained, names: Names): readonly string[] {
  const called = calledIn(explained);
  const others = explained.calls.flatMap(({ notCalled }) => notCalled).filter(({ userId }) => !called.has(userId));
  const reasons = new Map<number, PersonNotCalled>();
  for (const one of others.toSorted((a, b) => weights[b.code] - weights[a.code])) reasons.set(one.userId, one);
  return [...reasons.values()].map(({ userId, reason }) => `${names.byId(userId)}: ${reason}`);
}
