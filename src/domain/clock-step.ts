// What to do when the time was set: nothing waits longer or fires earlier for it. Pure.

/** Less than this apart is drift, and is made up for little by little. */
const stepMs = 2_000;
/** Asked for longer than this, a reference says nothing: half of that would be taken for drift, and more for a step. */
const longestAskingMs = 500;
/** At most so much is made up for at once. */
const slewMs = 50;
/** Of the time by which all are ahead, so much is given back as it passes: a pause of five minutes is a second and a half off. */
const slowdown = 0.005;

type Ahead = { readonly aheadMs: number; readonly since: number };

/** How far ahead of the reference everybody is when it shows `reference`. */
export function aheadAt({ aheadMs, since }: Ahead, reference: number): number {
  return Math.max(0, Math.round(aheadMs - Math.max(0, reference - since) * slowdown));
}

type ClockDecision =
  /** It took too long to ask: when in that time the reference showed it, nobody knows. */
  | { readonly kind: 'unsure' }
  | { readonly kind: 'slew'; readonly byMs: number }
  /** The reference was set ahead, by `setMs`: what is due moves along by `byMs`, then so does the clock. */
  | { readonly kind: 'forward'; readonly setMs: number; readonly byMs: number; readonly aheadMs: number }
  /** The reference was set back: the clock goes on as if it had not, and everybody with it. */
  | { readonly kind: 'back'; readonly setMs: number; readonly byMs: 0; readonly aheadMs: number };

/** What the clock should do that shows `now` while the reference shows `reference`, which it took `askedMs` to learn. */
export function clockDecision(now: number, reference: number, ahead: Ahead, askedMs: number): ClockDecision {
  if (askedMs > longestAskingMs) return { kind: 'unsure' };
  const current = aheadAt(ahead, reference);
  const apart = reference + current - now;
  if (Math.abs(apart) <= stepMs) return { kind: 'slew', byMs: Math.max(-slewMs, Math.min(slewMs, apart)) };
  if (apart < 0) return { kind: 'back', setMs: -apart, byMs: 0, aheadMs: current - apart };
  // First what they were ahead is used up: that much is no step for anybody.
  const used = Math.min(current, apart);
  return { kind: 'forward', setMs: apart, byMs: apart - used, aheadMs: current - used };
}
