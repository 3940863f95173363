// Counts a series of alarms again from the entries of the history, by the local time that each was raised at.

import type { Row } from '../site/site-caller.ts';

export const everyNames = ['10m', '1h', '1d'] as const;
export type Every = (typeof everyNames)[number];

/** The characters of a printed time that name a span: hours that come twice differ in their offset. */
const lengths = { '10m': 15, '1h': 13, '1d': 10 } as const;

function spanOf(time: string, every: Every): string {
  return time.slice(0, lengths[every]) + (every === '1d' ? '' : time.slice(23));
}

type Counted = { readonly time: string; readonly priority: number };

/** How a series is requested. */
export type SeriesAsked = { readonly every: Every; readonly isByPriority: boolean };

/** For each span with alarms: their number, and, if wanted, those of priority 1, 2, 3, and above. */
type Counts = ReadonlyMap<string, readonly number[]>;

export function recountSeries(entries: readonly Counted[], { every, isByPriority }: SeriesAsked): Counts {
  const spans = Map.groupBy(entries, ({ time }) => spanOf(time, every));
  return new Map(
    [...spans].map(([span, raised]) => {
      const of = (priority: number) => raised.filter((one) => Math.min(one.priority, 4) === priority).length;
      return [span, [raised.length, ...(isByPriority ? [1, 2, 3, 4].map(of) : [])]];
    }),
  );
}

/** The same of a response. */
export function seriesOf(items: readonly Row[], { every }: SeriesAsked): Counts {
  const counted = items.filter(({ number }) => number !== 0);
  return new Map(
    counted.map(({ time, number, byPriority = [] }) => {
      return [spanOf(String(time), every), [Number(number), ...(byPriority as readonly number[])]];
    }),
  );
}
