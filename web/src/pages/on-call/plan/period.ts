// The period of the on-call plan: a day, a week or four weeks of the plant's clock, with its days. Pure.

import { daysLater, startOfDay, wallTime } from '../../../data/time/zone-time.ts';

export const planViews = ['day', 'week', 'weeks'] as const;
export type PlanView = (typeof planViews)[number];

export type PlanDay = {
  readonly from: number;
  readonly to: number;
  readonly isWeekend: boolean;
  /** How many hours the day has: 23 or 25 when the clock changes. */
  readonly hours: number;
};

export type PlanPeriod = { readonly from: number; readonly to: number; readonly days: readonly PlanDay[] };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const lengths: Readonly<Record<PlanView, number>> = { day: 1, week: 7, weeks: 28 };

/** Returns the period that contains an instant; weeks begin on Monday. */
export function planPeriod(view: PlanView, at: number, timeZone: string | undefined): PlanPeriod {
  const today = startOfDay(at, timeZone);
  const from = view === 'day' ? today : daysLater(today, -daysSinceMonday(at, timeZone), timeZone);
  const days = Array.from({ length: lengths[view] }, (_, index) => dayOf(daysLater(from, index, timeZone), timeZone));
  return { from, to: days.at(-1)?.to ?? from, days };
}

function dayOf(from: number, timeZone: string | undefined): PlanDay {
  const to = daysLater(from, 1, timeZone);
  return { from, to, isWeekend: daysSinceMonday(from, timeZone) >= 5, hours: Math.round((to - from) / hourMs) };
}

function daysSinceMonday(at: number, timeZone: string | undefined): number {
  return (new Date(wallTime(at, timeZone)).getUTCDay() + 6) % 7;
}

/** Returns an instant in the period so many periods later; negative: earlier. */
export function shifted(view: PlanView, at: number, count: number, timeZone: string | undefined): number {
  return daysLater(startOfDay(at, timeZone), count * lengths[view], timeZone);
}

/** Returns the number of the week by ISO 8601: the first week of a year is the one with its first Thursday. */
export function weekNumber(at: number, timeZone: string | undefined): number {
  const wall = wallTime(at, timeZone);
  const thursday = wall - (wall % dayMs) + (3 - daysSinceMonday(at, timeZone)) * dayMs;
  const yearBegin = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return Math.floor((thursday - yearBegin) / (7 * dayMs)) + 1;
}

/** Returns the day as an address has it: `2026-11-16`. */
export function dateName(at: number, timeZone: string | undefined): string {
  return new Date(wallTime(at, timeZone)).toISOString().slice(0, 10);
}
