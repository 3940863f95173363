// Where the chart has its lines and labels. Pure.

import { scaleLinear } from 'd3-scale';
import { startOfDay, wallTime } from '../../data/time/zone-time.ts';
import { type Clock, dayText, shortTimeText, weekdayText } from '../../words/times.ts';
import { type Bar, type BarLength, manageable } from './series.ts';

/** The places of a chart of some width. */
export type Scales = { readonly x: (index: number) => number; readonly y: (alarms: number) => number };

export const chartHeight = 196;

export type Mark = { readonly index: number; readonly text: string };

const narrowestLabelPx = 44;

/** Whether a bar begins something that the axis names: some hours, a day, a week or a month. */
function begins({ from }: Bar, length: BarLength, { timeZone }: Clock): boolean {
  const wall = new Date(wallTime(from, timeZone));
  if (length === '10m') return wall.getUTCMinutes() === 0 && wall.getUTCHours() % 3 === 0;
  if (length === '1h') return startOfDay(from, timeZone) === from;
  if (length === '1d') return wall.getUTCDay() === 1;
  return wall.getUTCDate() <= 7;
}

function nameOf({ from }: Bar, length: BarLength, clock: Clock): string {
  if (length === '10m') {
    const isMidnight = startOfDay(from, clock.timeZone) === from;
    return isMidnight ? weekdayText(clock, from) : shortTimeText(clock, from);
  }
  return length === '1h' ? weekdayText(clock, from) : dayText(clock, from);
}

/** Returns the names along the time; some are left out where they would touch. */
export function timeMarks(bars: readonly Bar[], length: BarLength, clock: Clock, width: number): readonly Mark[] {
  const starts = bars.flatMap((bar, index) => (begins(bar, length, clock) ? [{ index, bar }] : []));
  const most = Math.max(1, Math.floor(width / narrowestLabelPx));
  const every = Math.ceil(starts.length / most);
  const marks = starts.filter((_, index) => index % every === 0);
  return marks.map(({ index, bar }) => ({ index, text: nameOf(bar, length, clock) }));
}

/** A single alarm must not fill the chart. */
const lowestTop = 4;

/** The height of the chart: the highest bar, and the manageable number unless that is far above all bars. */
export function heightsOf(highest: number, length: BarLength) {
  const limit = manageable(length);
  const isLimitShown = length === '10m' || length === '1h' || limit <= highest * 3;
  const top = Math.max(lowestTop, highest, isLimitShown ? limit : 0);
  if (length === '1h') {
    const step = 6 * Math.ceil(top / 24);
    const steps = Math.max(2, Math.ceil(top / step));
    return { limit: isLimitShown ? limit : undefined, top: step * steps, ticks: multiples(step, steps) };
  }
  const scale = scaleLinear([0, top], [0, 1]).nice(4);
  const ticks = scale.ticks(4).filter(Number.isInteger);
  return { limit: isLimitShown ? limit : undefined, top: scale.domain()[1] ?? top, ticks };
}

function multiples(step: number, count: number): readonly number[] {
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Returns the bars that a time touches: from one index to another, both of them included. */
export function barsIn(bars: readonly Bar[], from: number, to: number): readonly [number, number] | undefined {
  const first = bars.findIndex((bar) => bar.to > from);
  const last = bars.findLastIndex((bar) => bar.from < to);
  return first === -1 || last < first ? undefined : [first, last];
}

/** About what a text of the chart takes. */
const letterPx = 6.2;

export type Placed<T> = { readonly item: T; readonly x: number; readonly isLeft: boolean };

/**
 * Places texts beside frames, the largest first: at the right, else at the left; one that would touch another is left out.
 */
export function placeTexts<T extends { readonly left: number; readonly right: number; readonly text: string }>(
  items: readonly T[],
  width: number,
): readonly Placed<T>[] {
  const taken = items.map(({ left, right }): readonly [number, number] => [left, right]);
  const placed: Placed<T>[] = [];
  for (const item of items) {
    const length = item.text.length * letterPx;
    const others = taken.filter(([left]) => left !== item.left);
    const isFree = (from: number, to: number): boolean =>
      from >= 0 && to <= width && others.every(([left, right]) => right < from || left > to);
    const right: readonly [number, number] = [item.right + 6, item.right + 6 + length];
    const left: readonly [number, number] = [item.left - 6 - length, item.left - 6];
    const place = [right, left].find(([from, to]) => isFree(from, to));
    if (place === undefined) continue;
    taken.push(place);
    placed.push({ item, x: place === right ? right[0] : left[1], isLeft: place === left });
  }
  return placed;
}
