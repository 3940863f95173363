// How often a source usually sends, learned from the gaps between its reports, and when its silence is unusual. Pure.

/** Gaps by length: bucket i has those of 2^i to 2^(i+1) seconds, the first also shorter ones. */
export type Gaps = {
  readonly counts: readonly number[];
  /** The time spent in the gaps of each bucket. */
  readonly ms: readonly number[];
};

/** The reports of a source since they were last written down. */
export type HeardReports = { readonly firstAt: number; readonly lastAt: number; readonly gaps: Gaps };

export type SourceHistory = { readonly lastAt: number; readonly gaps: Gaps };

export type Rhythm = {
  /** The usual gap; undefined before there is one. */
  readonly usualMs: number | undefined;
  /** The silence after which something is wrong; undefined if the source is not regular, or not known long enough. */
  readonly silentAfterMs: number | undefined;
};

const bucketCount = 22;
const secondMs = 1_000;
const dayMs = 86_400_000;
/** A source is known after a day, and after so many gaps. */
const leastKnownMs = dayMs;
const leastGaps = 12;
/** So much time is remembered; then everything learned counts half. */
const rememberedMs = 28 * dayMs;
/** The share of the time that a regular source spends in gaps of at most this many times its usual one. */
const usualShare = 0.95;
const mostTimesUsual = 3.5;
const shortestSilenceMs = 120_000;

export const noGaps: Gaps = { counts: Array(bucketCount).fill(0), ms: Array(bucketCount).fill(0) };

function bucketOf(gapMs: number): number {
  const power = Math.floor(Math.log2(Math.max(gapMs, secondMs) / secondMs));
  return Math.min(power, bucketCount - 1);
}

function upperEnd(bucket: number): number {
  return secondMs * 2 ** (bucket + 1);
}

/** Counts the gaps of a running server: changed in place, because it is done for every report. */
export class GapTally {
  readonly #counts: number[] = [...noGaps.counts];
  readonly #ms: number[] = [...noGaps.ms];
  readonly firstAt: number;
  #lastAt: number;

  constructor(at: number) {
    this.firstAt = at;
    this.#lastAt = at;
  }

  hear(at: number): void {
    if (at > this.#lastAt) {
      const gap = at - this.#lastAt;
      const bucket = bucketOf(gap);
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
      this.#ms[bucket] = (this.#ms[bucket] ?? 0) + weightOf(gap);
    }
    // Also back in time: after the clock was set back, gaps are measured from there.
    this.#lastAt = at;
  }

  get reports(): HeardReports {
    return { firstAt: this.firstAt, lastAt: this.#lastAt, gaps: { counts: this.#counts, ms: this.#ms } };
  }
}

/** One long outage must not make a source irregular for weeks, so a gap counts for a day at most. */
function weightOf(gapMs: number): number {
  return Math.min(gapMs, dayMs);
}

/**
 * Adds reports to what is known of a source. The gap before them counts only if the server ran all that time: while it was
 * away, everybody was silent.
 */
export function heard(known: SourceHistory | undefined, reports: HeardReports, upSince: number): SourceHistory {
  if (known === undefined) return { lastAt: reports.lastAt, gaps: reports.gaps };
  const gap = reports.firstAt - known.lastAt;
  const isSeen = gap > 0 && known.lastAt >= upSince;
  const between = new GapTally(isSeen ? known.lastAt : reports.firstAt);
  between.hear(reports.firstAt);
  const gaps = sum(sum(known.gaps, reports.gaps), between.reports.gaps);
  // Not the later of both: a clock that was set back must not make a source look present for hours.
  return { lastAt: reports.lastAt, gaps: total(gaps.ms) > rememberedMs ? halved(gaps) : gaps };
}

/**
 * Weighs gaps by the time that was spent in them. A source that sends fifty reports at once every minute has a rhythm of
 * a minute, not of milliseconds; and one that is silent for hours between floods has none, however steady a flood is.
 */
export function rhythmOf({ counts, ms }: Gaps): Rhythm {
  const time = total(ms);
  if (time === 0) return { usualMs: undefined, silentAfterMs: undefined };
  const middle = bucketAt(ms, time / 2);
  const mean = (ms[middle] ?? 0) / Math.max(counts[middle] ?? 0, 1);
  const usualMs = Math.round(mean < dayMs ? mean : 0.75 * upperEnd(middle));
  const quietMs = upperEnd(bucketAt(ms, time * usualShare));
  const isKnown = time >= leastKnownMs && total(counts) >= leastGaps;
  const isRegular = isKnown && quietMs <= mostTimesUsual * usualMs;
  return { usualMs, silentAfterMs: isRegular ? Math.max(shortestSilenceMs, 2 * quietMs) : undefined };
}

/** Returns the bucket in which the running total of the times reaches `share`. */
function bucketAt(ms: readonly number[], share: number): number {
  let sofar = 0;
  const found = ms.findIndex((time) => {
    sofar += time;
    return sofar >= share && time > 0;
  });
  return Math.max(found, 0);
}

function sum(one: Gaps, other: Gaps): Gaps {
  const add = (a: readonly number[], b: readonly number[]) => a.map((value, index) => value + (b[index] ?? 0));
  return { counts: add(one.counts, other.counts), ms: add(one.ms, other.ms) };
}

function halved({ counts, ms }: Gaps): Gaps {
  const half = (values: readonly number[]) => values.map((value) => Math.ceil(value / 2));
  return { counts: half(counts), ms: half(ms) };
}

function total(values: readonly number[]): number {
  return values.reduce((sofar, value) => sofar + value, 0);
}
