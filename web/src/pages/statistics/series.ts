// The bars of the chart: how long each is, what was raised in it, and the highest one. Pure.

import type { Period } from '../../data/time/period.ts';

/** What the server counts by. */
export type Every = '10m' | '1h' | '1d';
/** What a bar stands for; days are put together to weeks when there are too many of them to be seen. */
export type BarLength = Every | '1w';

export type Span = { readonly start: number; readonly alarms: number; readonly byPriority: readonly number[] };
export type Bar = Period & Pick<Span, 'alarms' | 'byPriority'>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const mostBars = 400;

/** Six alarms an hour are what one person can deal with, after EEMUA 191. */
const manageableAnHour = 6;
const hoursOf: Readonly<Record<BarLength, number>> = { '10m': 1 / 6, '1h': 1, '1d': 24, '1w': 168 };

export function manageable(length: BarLength): number {
  return manageableAnHour * hoursOf[length];
}

export function everyOf({ from, to }: Period): Every {
  if (to - from <= 2 * dayMs) return '10m';
  return to - from <= 16 * dayMs ? '1h' : '1d';
}

/** The server counts at most 1,500 spans at a time. */
const pieceMs: Readonly<Record<Every, number>> = { '10m': 10 * dayMs, '1h': 60 * dayMs, '1d': 1400 * dayMs };

export function piecesOf({ from, to }: Period, every: Every): readonly Period[] {
  const pieces: Period[] = [];
  for (let at = from; at < to; at += pieceMs[every]) pieces.push({ from: at, to: Math.min(to, at + pieceMs[every]) });
  return pieces;
}

/** Puts the spans of pieces together; a span that was cut in two is one again. */
export function joined(pieces: readonly (readonly Span[])[]): readonly Span[] {
  const spans: Span[] = [];
  for (const span of pieces.flat()) {
    const last = spans.at(-1);
    if (last?.start === span.start) spans[spans.length - 1] = sumOf([last, span]);
    else spans.push(span);
  }
  return spans;
}

function sumOf<T extends Pick<Span, 'alarms' | 'byPriority'>>(spans: readonly [T, ...T[]]): T {
  return {
    ...spans[0],
    alarms: total(spans),
    byPriority: priorityTotals(spans),
  };
}

export type Bars = { readonly bars: readonly Bar[]; readonly length: BarLength };

/** Returns the bars of a period; the first and the last one may be cut by it. */
export function barsOf(spans: readonly Span[], every: Every, { from, to }: Period): Bars {
  const bars = spans.map(
    ({ start, ...counts }, index): Bar => ({
      ...counts,
      from: Math.max(from, start),
      to: Math.min(to, spans[index + 1]?.start ?? to),
    }),
  );
  if (bars.length <= mostBars) return { bars, length: every };
  return { bars: weeksOf(bars), length: '1w' as const };
}

function weeksOf(days: readonly Bar[]): readonly Bar[] {
  const weeks: Bar[] = [];
  for (let index = 0; index < days.length; index += 7) {
    const [first, ...rest] = days.slice(index, index + 7);
    if (first !== undefined) weeks.push({ ...sumOf([first, ...rest]), to: rest.at(-1)?.to ?? first.to });
  }
  return weeks;
}

export function total(spans: readonly Pick<Span, 'alarms'>[]): number {
  return spans.reduce((sum, { alarms }) => sum + alarms, 0);
}

export function priorityTotals(spans: readonly Pick<Span, 'byPriority'>[]): readonly number[] {
  return [0, 1, 2, 3].map((index) => spans.reduce((sum, { byPriority }) => sum + (byPriority[index] ?? 0), 0));
}

export function highest<T extends Pick<Span, 'alarms'>>(spans: readonly T[]): T | undefined {
  return spans.reduce<T | undefined>((most, span) => (span.alarms > (most?.alarms ?? 0) ? span : most), undefined);
}
