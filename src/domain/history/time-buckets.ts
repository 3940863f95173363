// Cuts time into hours, and those into steps eight times as long, so that any period is few whole steps and two edges. Pure.

export const hourMs = 3_600_000;
const growth = 8;

/** 0: an hour; each level is eight times the one below. The highest is three weeks. */
export const bucketLevels = [0, 1, 2, 3] as const;
const highest = bucketLevels.length - 1;

export type Step = { readonly level: number; readonly step: number };

/** The steps an instant falls into, one of each level. */
export function stepsOf(at: number): readonly Step[] {
  const hour = Math.floor(at / hourMs);
  return bucketLevels.map((level) => ({ level, step: Math.floor(hour / growth ** level) }));
}

/** Steps of one level, `first` among them, `end` not. */
export type StepRange = { readonly level: number; readonly first: number; readonly end: number };

export type Cover = {
  /** Whole steps inside the period; together with the edges they are the period, without overlap. */
  readonly whole: readonly StepRange[];
  /** What is left at either end: less than an hour each, or one of less than two. `to` is not part of it. */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly hours: StepRange }[];
};

/** The period from `from` to `to`, without `to`. */
export function coverOf(from: number, to: number): Cover {
  if (from >= to) return { whole: [], edges: [] };
  const first = Math.ceil(from / hourMs);
  const end = Math.floor(to / hourMs);
  if (first >= end) return { whole: [], edges: [edge(from, to)] };
  return {
    whole: wholeSteps(first, end),
    edges: [
      ...(from < first * hourMs ? [edge(from, first * hourMs)] : []),
      ...(end * hourMs < to ? [edge(end * hourMs, to)] : []),
    ],
  };
}

function edge(from: number, to: number): Cover['edges'][number] {
  return { from, to, hours: { level: 0, first: Math.floor(from / hourMs), end: Math.ceil(to / hourMs) } };
}

/** Climbs from both ends: what does not fill a step of the next level stays on this one. */
function wholeSteps(firstHour: number, endHour: number): readonly StepRange[] {
  const ranges: StepRange[] = [];
  let [first, end] = [firstHour, endHour];
  for (let level = 0; level < highest && first < end; level++) {
    const aligned = Math.min(end, Math.ceil(first / growth) * growth);
    const alignedEnd = Math.max(aligned, Math.floor(end / growth) * growth);
    ranges.push({ level, first, end: aligned }, { level, first: alignedEnd, end });
    [first, end] = [Math.ceil(aligned / growth), Math.floor(alignedEnd / growth)];
  }
  return [...ranges, { level: highest, first, end }].filter((range) => range.first < range.end);
}
