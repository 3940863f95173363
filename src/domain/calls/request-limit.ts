// How many people a caller may have called by request: as much as a busy day needs, not what a stolen key would like. Pure.

/** What a caller has left: people, and since when that is so. */
export type Allowance = { readonly left: number; readonly at: number };

/** So many at once, and so many a minute after that. Alarms that call people are not counted. */
const peopleAtOnce = 1_000;
const peopleAMinute = 200;

/** The allowance after calling `people`, or how long to wait until they may be called. */
export function afterCalling(
  before: Allowance | undefined,
  people: number,
  now: number,
): { readonly kind: 'allowed'; readonly allowance: Allowance } | { readonly kind: 'wait'; readonly ms: number } {
  const grown =
    before === undefined ? peopleAtOnce : before.left + (Math.max(0, now - before.at) / 60_000) * peopleAMinute;
  const left = Math.min(peopleAtOnce, grown) - people;
  if (left >= 0) return { kind: 'allowed', allowance: { left, at: now } };
  return { kind: 'wait', ms: Math.ceil((-left / peopleAMinute) * 60_000) };
}
