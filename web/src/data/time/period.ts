// The period of History and Statistics: one with a name, which ends now or with last week, or one from an instant to another.

import { daysLater, instantAt, startOfDay, wallTime } from './zone-time.ts';

export const periodNames = ['24h', '7d', 'week', '30d'] as const;
export type PeriodName = (typeof periodNames)[number];

/** How an address names it; instants are ISO texts. */
export type PeriodSearch = {
  readonly period?: PeriodName | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** From an instant, and before another. */
export type Period = { readonly from: number; readonly to: number };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Takes what can be understood of an address; a period from an instant to another has both, in order. */
export function readPeriodSearch(search: Readonly<Record<string, unknown>>): PeriodSearch {
  const from = instantText(search.from);
  const to = instantText(search.to);
  if (from !== undefined && to !== undefined && from < to) return { from, to };
  const period = periodNames.find((name) => name === search.period);
  return period === undefined ? {} : { period };
}

function instantText(value: unknown): string | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

export function searchOf({ from, to }: Period): PeriodSearch {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** Returns the period; those that end now end with this minute, so that what is asked stays the same within it. */
export function periodOf(
  { period, from, to }: PeriodSearch,
  usual: PeriodName,
  now: number,
  timeZone: string | undefined,
): Period {
  if (from !== undefined && to !== undefined) return { from: Date.parse(from), to: Date.parse(to) };
  return namedPeriod(period ?? usual, now, timeZone);
}

function namedPeriod(name: PeriodName, now: number, timeZone: string | undefined): Period {
  const end = Math.floor(now / minuteMs + 1) * minuteMs;
  const today = startOfDay(now, timeZone);
  switch (name) {
    case '24h':
      return { from: end - dayMs, to: end };
    case '7d':
      return { from: end - 7 * dayMs, to: end };
    case '30d':
      return { from: daysLater(today, -29, timeZone), to: end };
    case 'week': {
      const sinceMonday = (new Date(wallTime(now, timeZone)).getUTCDay() + 6) % 7;
      const to = daysLater(today, -sinceMonday, timeZone);
      return { from: daysLater(to, -7, timeZone), to };
    }
  }
}

/** A night is from 22:00 to 06:00 of the plant's clock. */
const night = { fromHour: 22, toHour: 6 } as const;

/** The last nights that have begun, the newest first; the one under way ends with its morning as well. */
export function lastNights(now: number, count: number, timeZone: string | undefined): readonly Period[] {
  const nightOf = (days: number): Period => {
    const evening = wallTime(daysLater(startOfDay(now, timeZone), -days, timeZone), timeZone);
    return {
      from: instantAt(evening + night.fromHour * hourMs, timeZone),
      to: instantAt(evening + dayMs + night.toHour * hourMs, timeZone),
    };
  };
  return Array.from({ length: count + 1 }, (_, days) => nightOf(days))
    .filter(({ from }) => from <= now)
    .slice(0, count);
}

/** Returns the period of the same length that ended when this one began; whole days stay whole days. */
export function periodBefore({ from, to }: Period, timeZone: string | undefined): Period {
  const isWholeDays = [from, to].every((at) => startOfDay(at, timeZone) === at);
  const days = Math.round((to - from) / dayMs);
  return { from: isWholeDays ? daysLater(from, -days, timeZone) : from - (to - from), to: from };
}
