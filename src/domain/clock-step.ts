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

/** The first time of the nodes' clocks at which the reference shows `reference`, if neither is set before. */
export function timeWhenReferenceShows(reference: number, ahead: Ahead): number {
  if (ahead.aheadMs === 0) return reference;
  return firstSince(reference, { ...ahead, at: reference }, reference + ahead.aheadMs);
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

/** How far the clocks of the nodes were ahead of the reference, from the time `at` of theirs until the next step. */
export type AheadFrom = Ahead & { readonly at: number };

/** Returns what to remember of how far they were ahead, the newest first. */
export function withAhead(known: readonly AheadFrom[], ahead: AheadFrom): readonly AheadFrom[] {
  const isOver = known.findIndex(({ at }) => at <= ahead.at - rememberedMs);
  // The last one that began before the time to remember lasted into it.
  const kept = isOver < 0 ? known : known.slice(0, isOver + 1);
  return [ahead, ...kept].slice(0, mostRemembered);
}

/** Records from `from` to before `to`; undefined: to now. */
export type RecordSpan = { readonly from: number; readonly to: number | undefined };

/** Returns the records that were made when the reference showed `reference` or later, as their times were recorded; oldest first. */
export function recordsSince(reference: number, known: readonly AheadFrom[]): readonly RecordSpan[] {
  const inOrder = known.toReversed();
  const spans: { from: number; to: number | undefined }[] = [];
  for (const [index, ahead] of [{ at: reference, aheadMs: 0, since: 0 }, ...inOrder].entries()) {
    const to = inOrder[index]?.at;
    const from = firstSince(reference, ahead, to ?? reference + ahead.aheadMs);
    if (to !== undefined && from >= to) continue;
    const last = spans.at(-1);
    if (last?.to === from) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

/** The first time of the nodes' clocks, up to `most`, at which the reference shows `reference`; while they are ahead, that follows theirs. */
function firstSince(reference: number, ahead: AheadFrom, most: number): number {
  let [from, to] = [ahead.at, Math.max(ahead.at, most)];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (referenceAt(middle, ahead) >= reference) to = middle;
    else from = middle + 1;
  }
  return from;
}
