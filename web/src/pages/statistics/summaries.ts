// What the figures of the statistics say in words: means, shares, and what most of something have in common. Pure.

import type { AlarmHistory, AlarmIntervention } from '@tocsin/client';
import { fewestForMean } from '../../data/time/mean.ts';

/** Reads a duration of the interface, such as `125:03:09`. */
export function durationMs(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

/** Returns how many alarms people took, and how soon on average; no mean of too few. */
export function reactionOf(people: readonly AlarmIntervention[]): {
  readonly taken: number;
  readonly meanMs: number | undefined;
} {
  const taken = people.reduce((sum, { interventionNumber }) => sum + interventionNumber, 0);
  const allMs = people.reduce(
    (sum, { interventionNumber, reactionMeanTime }) => sum + interventionNumber * durationMs(reactionMeanTime),
    0,
  );
  return { taken, meanMs: taken < fewestForMean ? undefined : allMs / taken };
}

/** Returns for each number the percentage that it and all before it are of the whole. */
export function sharesSoFar(numbers: readonly number[], whole: number): readonly number[] {
  let sum = 0;
  return numbers.map((number) => {
    sum += number;
    return whole === 0 ? 0 : Math.round((sum / whole) * 100);
  });
}

/** Returns by how many per cent it is more (or, negative, less) than before; undefined if there was nothing before. */
export function changePercent(now: number, before: number): number | undefined {
  return before === 0 ? undefined : Math.round(((now - before) / before) * 100);
}

type Most<T> = { readonly value: T; readonly count: number };

/** Returns the most frequent value. */
export function mostFrequent<T>(values: readonly T[]): Most<T> | undefined {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let most: Most<T> | undefined;
  for (const [value, count] of counts) if (count > (most?.count ?? 0)) most = { value, count };
  return most;
}

export type Origin =
  | { readonly kind: 'alarm'; readonly name: string; readonly count: number }
  | { readonly kind: 'station'; readonly stationId: number; readonly count: number };

/** Returns what more than half of the alarms came from: one alarm, else one station if there are several. */
export function originOf(entries: readonly AlarmHistory[], stations: number): Origin | undefined {
  const isMost = (most: Most<unknown> | undefined): boolean => (most?.count ?? 0) * 2 > entries.length;
  const alarm = mostFrequent(entries.map(({ tagId }) => tagId));
  if (alarm !== undefined && isMost(alarm)) {
    const entry = entries.find(({ tagId }) => tagId === alarm.value);
    return { kind: 'alarm', name: entry?.message || entry?.tagName || '', count: alarm.count };
  }
  const station = mostFrequent(entries.map(({ stationId = 0 }) => stationId));
  return stations > 1 && station !== undefined && isMost(station)
    ? { kind: 'station', stationId: station.value, count: station.count }
    : undefined;
}

type Attempt = { readonly userId: number; readonly channel: string; readonly startTime: string };
export type Common = { readonly userId?: number; readonly channel?: string; readonly isAtNight?: true };

const nightFrom = 22;
const nightUntil = 6;

/** Returns what all attempts have in common: the person, the channel, and whether it was at night. */
export function commonOf(attempts: readonly Attempt[]): Common {
  const [first] = attempts;
  if (first === undefined) return {};
  // Times of the interface are those of the plant.
  const isNight = ({ startTime }: Attempt): boolean => {
    const hour = Number(startTime.slice(11, 13));
    return hour >= nightFrom || hour < nightUntil;
  };
  return {
    ...(attempts.every(({ userId }) => userId === first.userId) ? { userId: first.userId } : {}),
    ...(first.channel !== '' && attempts.every(({ channel }) => channel === first.channel)
      ? { channel: first.channel }
      : {}),
    ...(attempts.every(isNight) ? { isAtNight: true as const } : {}),
  };
}
