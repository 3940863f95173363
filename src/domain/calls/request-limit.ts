// Rate limit on people called by request, per caller: high enough for a busy day, low enough to limit a stolen key.
// Pure.

/** The remaining number of people a caller may call, and the time of that number. */
export type Allowance = { readonly left: number; readonly at: number };

/** Token bucket: capacity and refill per minute. Calls caused by alarms do not count. */
const peopleAtOnce = 1_000;
const peopleAMinute = 200;

/** Returns the allowance after calling `people`, or how long the caller has to wait. */
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
