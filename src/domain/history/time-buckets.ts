// Divides time into buckets of one hour and of 8, 64 and 512 hours, so that any period is a few whole buckets and two
// edges. Pure.

export const hourMs = 3_600_000;
const growth = 8;

/** Level 0 is one hour; each level is eight times the one below. The highest is three weeks. */
export const bucketLevels = [0, 1, 2, 3] as const;
const highest = bucketLevels.length - 1;

type Bucket = { readonly level: number; readonly step: number };

/** Returns the buckets an instant falls into, one of each level. */
export function bucketsOf(at: number): readonly Bucket[] {
  const hour = Math.floor(at / hourMs);
  return bucketLevels.map((level) => ({ level, step: Math.floor(hour / growth ** level) }));
}

/** Buckets of one level, from `first` inclusive to `end` exclusive. */
type BucketRange = { readonly level: number; readonly first: number; readonly end: number };

type Cover = {
  /** Whole buckets inside the period; together with the edges they cover the period without overlap. */
  readonly whole: readonly BucketRange[];
  /**
   * The remainders at either end, each shorter than an hour; or a single one of less than two hours. `to` is exclusive.
   */
  readonly edges: readonly { readonly from: number; readonly to: number; readonly hours: BucketRange }[];
};

/** Covers the period from `from` inclusive to `to` exclusive. */
export function coverOf(from: number, to: number): Cover {
  if (from >= to) return { whole: [], edges: [] };
  const first = Math.ceil(from / hourMs);
  const end = Math.floor(to / hourMs);
  if (first >= end) return { whole: [], edges: [edge(from, to)] };
  return {
    whole: wholeBuckets(first, end),
    edges: [
      ...(from < first * hourMs ? [edge(from, first * hourMs)] : []),
      ...(end * hourMs < to ? [edge(end * hourMs, to)] : []),
    ],
  };
}

function edge(from: number, to: number): Cover['edges'][number] {
  return { from, to, hours: { level: 0, first: Math.floor(from / hourMs), end: Math.ceil(to / hourMs) } };
}

/** Works inwards from both ends: hours that do not fill a bucket of the next level stay on this level. */
function wholeBuckets(firstHour: number, endHour: number): readonly BucketRange[] {
  const ranges: BucketRange[] = [];
  let [first, end] = [firstHour, endHour];
  for (let level = 0; level < highest && first < end; level++) {
    const aligned = Math.min(end, Math.ceil(first / growth) * growth);
    const alignedEnd = Math.max(aligned, Math.floor(end / growth) * growth);
    ranges.push({ level, first, end: aligned }, { level, first: alignedEnd, end });
    [first, end] = [Math.ceil(aligned / growth), Math.floor(alignedEnd / growth)];
  }
  return [...ranges, { level: highest, first, end }].filter((range) => range.first < range.end);
}
