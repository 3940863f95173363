// The days a yearly event of an iCalendar comes back on (RFC 5545, RRULE), as far as holidays need it. Pure.

import { dayMs, readDate } from './civil-time.ts';

/** Both years are part of it. */
export type YearRange = { readonly fromYear: number; readonly toYear: number };

type Rule = {
  /** The day of a year; undefined where that year has none. */
  readonly dayIn: (year: number) => number | undefined;
  readonly step: number;
  readonly count: number | undefined;
  readonly until: number;
};

const ruleDays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * The days an event that begins on `start` begins on again, as civil times, within the years and, for what goes on over New
 * Year, the one before. Any other rule gives `start` alone: a day off on a wrong date is worse than one that is missing.
 */
export function* yearlyDays(start: number, ruleText: string, { fromYear, toYear }: YearRange): Generator<number> {
  const rule = readRule(start, ruleText);
  if (rule === undefined) {
    yield start;
    return;
  }
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  for (let year = firstYear(start, rule, fromYear - 1); year <= toYear && left > 0; year += rule.step) {
    const day = rule.dayIn(year);
    if (day === undefined || day < start) continue;
    if (day > rule.until) return;
    left--;
    if (year >= fromYear - 1) yield day;
  }
}

/** Without a count the years before those asked for need not be walked through. */
function firstYear(start: number, { step, count }: Rule, wanted: number): number {
  const year = new Date(start).getUTCFullYear();
  return count !== undefined || year >= wanted ? year : year + Math.ceil((wanted - year) / step) * step;
}

function readRule(start: number, text: string): Rule | undefined {
  const parts = new Map(text.toUpperCase().split(';', 20).map(nameAndValue));
  if (parts.get('FREQ') !== 'YEARLY') return undefined;
  if (['BYYEARDAY', 'BYWEEKNO', 'BYSETPOS'].some((name) => parts.has(name))) return undefined;
  const dayIn = parts.has('BYDAY') ? weekdayRule(parts) : sameDate(start);
  if (dayIn === undefined) return undefined;
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(parts.get('UNTIL') ?? '') ?? [];
  return {
    dayIn,
    step: numberIn(parts.get('INTERVAL')) || 1,
    count: numberIn(parts.get('COUNT')),
    until: readDate(`${year}-${month}-${day}`) ?? Number.POSITIVE_INFINITY,
  };
}

function nameAndValue(part: string): readonly [string, string] {
  const [name = '', value = ''] = part.split('=', 2);
  return [name.trim(), value.trim()];
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** 29 February comes in leap years only, and only those are counted. */
function sameDate(start: number): Rule['dayIn'] {
  const date = new Date(start);
  const [month, day] = [date.getUTCMonth(), date.getUTCDate()];
  return (year) => {
    const found = Date.UTC(year, month, day);
    return new Date(found).getUTCDate() === day ? found : undefined;
  };
}

/** `BYMONTH=11;BYDAY=4TH`: the fourth Thursday of November; `-1MO`: the last Monday. */
function weekdayRule(parts: ReadonlyMap<string, string>): Rule['dayIn'] | undefined {
  const [, sign, nth, name = ''] = /^([+-]?)([1-5])(SU|MO|TU|WE|TH|FR|SA)$/.exec(parts.get('BYDAY') ?? '') ?? [];
  const month = numberIn(parts.get('BYMONTH'));
  const isMonth = month !== undefined && month >= 1 && month <= 12;
  if (nth === undefined || !isMonth || parts.has('BYMONTHDAY')) return undefined;
  const weekday = ruleDays.indexOf(name);
  const weeks = Number(nth) - 1;
  return (year) => {
    const [first, last] = [Date.UTC(year, month - 1, 1), Date.UTC(year, month, 0)];
    const found =
      sign === '-'
        ? last - (((new Date(last).getUTCDay() - weekday + 7) % 7) + 7 * weeks) * dayMs
        : first + (((weekday - new Date(first).getUTCDay() + 7) % 7) + 7 * weeks) * dayMs;
    return found < first || found > last ? undefined : found;
  };
}
