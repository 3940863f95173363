// Decides how our clock follows a reference clock that was set, so that no timer waits longer or fires earlier. Pure.

/** A difference up to this is drift and is slewed away gradually; a larger one is a step. */
const stepMs = 2_000;
/**
 * A reference that took longer than this to read is ignored: half of that time would be taken for drift, or more for a
 * step.
 */
const longestReadMs = 500;
/** The largest correction of one slew. */
const slewMs = 50;
/** The share of elapsed time by which the lead shrinks: a pause of five minutes is 1.5 s off. */
const slowdown = 0.005;

type Ahead = { readonly aheadMs: number; readonly since: number };

/** Returns by how much all nodes are ahead of the reference when it shows `reference`. */
export function aheadAt({ aheadMs, since }: Ahead, reference: number): number {
  return Math.max(0, Math.round(aheadMs - Math.max(0, reference - since) * slowdown));
}

/** What the reference shows: the nodes are ahead of it after it was set back. */
export function referenceAt(now: number, ahead: Ahead): number {
  return now - aheadAt(ahead, now - ahead.aheadMs);
}

type ClockDecision =
  /** Reading the reference took too long to know when it showed that time. */
  | { readonly kind: 'unsure' }
  | { readonly kind: 'slew'; readonly byMs: number }
  /** The reference was set ahead by `setMs`: due times are moved by `byMs`, then the clock as well. */
  | { readonly kind: 'forward'; readonly setMs: number; readonly byMs: number; readonly aheadMs: number }
  /** The reference was set back: the clocks of all nodes continue as if it had not been. */
  | { readonly kind: 'back'; readonly setMs: number; readonly byMs: 0; readonly aheadMs: number };

/** Decides for a clock that shows `now` while the reference, which took `readMs` to read, shows `reference`. */
export function clockDecision(now: number, reference: number, ahead: Ahead, readMs: number): ClockDecision {
  if (readMs > longestReadMs) return { kind: 'unsure' };
  const current = aheadAt(ahead, reference);
  const apart = reference + current - now;
  if (Math.abs(apart) <= stepMs) return { kind: 'slew', byMs: Math.max(-slewMs, Math.min(slewMs, apart)) };
  if (apart < 0) return { kind: 'back', setMs: -apart, byMs: 0, aheadMs: current - apart };
  // The existing lead is used up first; that part is no step for any node.
  const used = Math.min(current, apart);
  return { kind: 'forward', setMs: apart, byMs: apart - used, aheadMs: current - used };
}

/** The clock was set ahead by `byMs`; it showed `at` then. */
export type ForwardStep = { readonly at: number; readonly byMs: number };

/** Steps beyond the longest window that is counted over records are forgotten. */
const rememberedMs = 86_400_000;
const mostRemembered = 20;

/** Returns the steps to remember, the newest first. */
export function withForwardStep(steps: readonly ForwardStep[], step: ForwardStep): readonly ForwardStep[] {
  return [step, ...steps.filter(({ at }) => at > step.at - step.byMs - rememberedMs)].slice(0, mostRemembered);
}

/** Returns the time of a record as the clock would show it had it never been set ahead since: windows keep their length. */
export function timeNow(recorded: number, steps: readonly ForwardStep[]): number {
  return steps.toReversed().reduce((time, { at, byMs }) => (time <= at - byMs ? time + byMs : time), recorded);
}

/** Returns the recorded time at which a window of this length began. */
export function windowStart(now: number, lengthMs: number, steps: readonly ForwardStep[]): number {
  return steps.reduce((start, { at, byMs }) => (start < at ? start - byMs : start), now - lengthMs);
}
