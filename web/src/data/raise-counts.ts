// How many alarms were raised in each ten seconds: what the rate in the banner is counted from. Pure.

const stepMs = 10_000;

/** By the beginning of the ten seconds. */
export type RaiseCounts = ReadonlyMap<number, number>;

export function stepAt(at: number): number {
  return Math.floor(at / stepMs) * stepMs;
}

export function countsBetween(counts: RaiseCounts, from: number, to: number): number {
  let sum = 0;
  for (const [at, count] of counts) if (at >= from && at < to) sum += count;
  return sum;
}

type Span = { readonly from: number; readonly to: number; readonly count: number };

/** Spreads counts of longer spans evenly over their steps; what remains goes to the later ones. */
export function spread(spans: readonly Span[]): RaiseCounts {
  const counts = new Map<number, number>();
  for (const { from, to, count } of spans) {
    const steps = Math.max(1, Math.round((to - from) / stepMs));
    for (let step = 0; step < steps; step++) {
      const share = Math.floor((count * (step + 1)) / steps) - Math.floor((count * step) / steps);
      const at = stepAt(from) + step * stepMs;
      if (share > 0) counts.set(at, (counts.get(at) ?? 0) + share);
    }
  }
  return counts;
}
