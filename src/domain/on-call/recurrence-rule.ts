// Expands the recurrence rule of an iCalendar event (RFC 5545, RRULE) into days. Pure.
//
// ical.js reads the rule but does not expand it: its iterator returns wrong days for one random rule in six and never returns
// from a rule that no day fits (docs/decisions/0009-duty.md).

import ICAL from 'ical.js';
import { dayMs, hourMs, minuteMs } from './civil-time.ts';

/** The parts of a rule that say which days it takes, by their names in RFC 5545. */
type RuleParts = {
  readonly BYMONTH?: readonly number[] | undefined;
  readonly BYMONTHDAY?: readonly number[] | undefined;
  readonly BYYEARDAY?: readonly number[] | undefined;
  readonly BYSETPOS?: readonly number[] | undefined;
  readonly BYDAY?: readonly RuleWeekday[] | undefined;
};

/** `weekday` from 0 for Sunday; `nth` of 0 takes every one, -1 the last of the month or year. */
type RuleWeekday = { readonly weekday: number; readonly nth: number };

export type RecurrenceRule = {
  readonly frequency: string;
  readonly interval: number;
  readonly count: number | undefined;
  /** As `2027-12-25` or `2027-12-25T09:00:00`, with a `Z` for UTC. */
  readonly until: string | undefined;
  /** From 0 for Sunday. */
  readonly weekStart: number;
  readonly parts: RuleParts;
};

const weekdayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The parts that are understood. A check of its own, because ical.js passes over unknown parts and reads `5x` as 5. */
const understood = (() => {
  const numbers = '[+-]?[1-9][0-9]{0,2}(?:,[+-]?[1-9][0-9]{0,2})*';
  const weekday = `(?:[+-]?[1-9][0-9]?)?(?:${weekdayNames.join('|')})`;
  const part = [
    'FREQ=[A-Z]+',
    '(?:COUNT|INTERVAL)=[1-9][0-9]{0,8}',
    'UNTIL=[0-9]{8}(?:T[0-9]{6}Z?)?',
    `WKST=(?:${weekdayNames.join('|')})`,
    `(?:BYMONTH|BYMONTHDAY|BYYEARDAY|BYSETPOS)=${numbers}`,
    `BYDAY=${weekday}(?:,${weekday})*`,
  ].join('|');
  return new RegExp(`^(?:${part})(?:;(?:${part}))*$`);
})();

/** Parts that RFC 5545 forbids with a frequency, or that make no difference to days. */
const unfitParts: Readonly<Record<string, readonly (keyof RuleParts)[]>> = {
  YEARLY: [],
  MONTHLY: ['BYYEARDAY'],
  WEEKLY: ['BYYEARDAY', 'BYMONTHDAY'],
  DAILY: ['BYYEARDAY', 'BYSETPOS'],
  HOURLY: ['BYYEARDAY', 'BYSETPOS'],
  MINUTELY: ['BYYEARDAY', 'BYSETPOS'],
  SECONDLY: ['BYYEARDAY', 'BYSETPOS'],
};

/** Reads what follows `RRULE:`; undefined when any part of it is not understood. */
export function readRule(text: string): RecurrenceRule | undefined {
  if (!understood.test(text)) return undefined;
  try {
    return ruleOf(ICAL.Recur.fromString(text));
  } catch {
    return undefined;
  }
}

function ruleOf({ freq, interval, count, until, wkst, parts }: ICAL.Recur): RecurrenceRule | undefined {
  const BYDAY = parts.BYDAY?.map((day) => ({
    weekday: weekdayNames.indexOf(day.slice(-2)),
    nth: Number(day.slice(0, -2)),
  }));
  const countsWeekdays = BYDAY?.some(({ nth }) => nth !== 0) ?? false;
  if (countsWeekdays && freq !== 'YEARLY' && freq !== 'MONTHLY') return undefined;
  if (unfitParts[freq]?.some((name) => name in parts) ?? true) return undefined;
  return {
    frequency: freq,
    interval,
    count: count ?? undefined,
    until: until?.toString(),
    weekStart: wkst - 1,
    parts: { ...parts, BYDAY },
  };
}

/** `to` is the last time that counts. All are civil times of the clock that the start of the event is written in. */
export type RuleSpan = { readonly start: number; readonly from: number; readonly to: number };

/**
 * The times from `from` to `to` at which an event with the rule begins, in order. `onStep` is called for every day that is
 * looked at; it throws to bound the work.
 */
export function* occurrencesOf(rule: RecurrenceRule, span: RuleSpan, onStep: () => void): Generator<number> {
  const { start, from, to } = span;
  // A count begins with the start, also where that is long before `from`.
  const walked = { start, from: rule.count === undefined ? Math.max(start, from) : start, to };
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  for (const time of timesOf(rule, walked, onStep)) {
    if (time < start) continue;
    if (time > to || left-- <= 0) return;
    if (time >= from) yield time;
  }
}

function timesOf(rule: RecurrenceRule, span: RuleSpan, onStep: () => void): Generator<number> {
  const stepMs = steps[rule.frequency];
  const period = periods[rule.frequency];
  if (stepMs !== undefined) return timesByStep(rule, span, stepMs * rule.interval, onStep);
  if (period !== undefined) return timesByPeriod(rule, span, period(rule.weekStart), onStep);
  throw new Error(`no frequency ${rule.frequency}`);
}

const steps: Readonly<Record<string, number>> = {
  SECONDLY: 1_000,
  MINUTELY: minuteMs,
  HOURLY: hourMs,
  DAILY: dayMs,
};

/** Steps of one length, without those on days that do not fit. */
function* timesByStep({ parts }: RecurrenceRule, { start, from, to }: RuleSpan, stepMs: number, onStep: () => void) {
  let month = monthOf(start);
  for (let time = start + Math.ceil((from - start) / stepMs) * stepMs; time <= to; time += stepMs) {
    onStep();
    if (time >= month.end) month = monthOf(time);
    if (fits(parts, time, month, 'month')) yield time;
  }
}

/** Weeks, months or years, numbered so that an interval can be counted in them. */
type Period = { readonly indexOf: (time: number) => number; readonly beginOf: (index: number) => number };

/** 1970 began on a Thursday. */
const thursday = 4;

const periods: Readonly<Record<string, (weekStart: number) => Period>> = {
  WEEKLY: (weekStart) => ({
    indexOf: (time) => Math.floor((Math.floor(time / dayMs) + thursday - weekStart) / 7),
    beginOf: (index) => (index * 7 - thursday + weekStart) * dayMs,
  }),
  MONTHLY: () => ({ indexOf: monthIndex, beginOf: beginOfMonth }),
  YEARLY: () => ({
    indexOf: (time) => Math.floor(monthIndex(time) / 12),
    beginOf: (index) => beginOfMonth(index * 12),
  }),
};

/** Months since January 1970. */
function monthIndex(time: number): number {
  const date = new Date(time);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

function beginOfMonth(index: number): number {
  return Date.UTC(1970, index);
}

/** A month and its year, worked out once for all its days. */
type Month = {
  /** From 1 for January. */
  readonly number: number;
  readonly begin: number;
  readonly end: number;
  readonly yearBegin: number;
  readonly yearEnd: number;
};

function monthOf(time: number): Month {
  const index = monthIndex(time);
  const year = Math.floor(index / 12) * 12;
  return {
    number: index - year + 1,
    begin: beginOfMonth(index),
    end: beginOfMonth(index + 1),
    yearBegin: beginOfMonth(year),
    yearEnd: beginOfMonth(year + 12),
  };
}

/** In each period the days that the rule chooses, at the time of day of the start. */
function* timesByPeriod(rule: RecurrenceRule, { start, from, to }: RuleSpan, period: Period, onStep: () => void) {
  const parts = completedParts(rule, start);
  const unit = rule.frequency === 'YEARLY' && parts.BYMONTH === undefined ? 'year' : 'month';
  const timeOfDay = start - Math.floor(start / dayMs) * dayMs;
  const begin = period.indexOf(start);
  const skipped = Math.ceil((period.indexOf(from) - begin) / rule.interval);
  for (let index = begin + skipped * rule.interval; period.beginOf(index) <= to; index += rule.interval) {
    const days = fittingDays(parts, period.beginOf(index), period.beginOf(index + 1), unit, onStep);
    for (const day of chosen(days, parts.BYSETPOS)) yield day + timeOfDay;
  }
}

/** The parts of a rule that leaves the day to the start of the event. */
function completedParts({ frequency, parts }: RecurrenceRule, start: number): RuleParts {
  const date = new Date(start);
  if (parts.BYDAY !== undefined || parts.BYMONTHDAY !== undefined || parts.BYYEARDAY !== undefined) return parts;
  if (frequency === 'WEEKLY') return { ...parts, BYDAY: [{ weekday: date.getUTCDay(), nth: 0 }] };
  const BYMONTHDAY = [date.getUTCDate()];
  return frequency === 'MONTHLY'
    ? { ...parts, BYMONTHDAY }
    : { BYMONTH: [date.getUTCMonth() + 1], ...parts, BYMONTHDAY };
}

function fittingDays(
  parts: RuleParts,
  begin: number,
  end: number,
  unit: 'month' | 'year',
  onStep: () => void,
): readonly number[] {
  const days: number[] = [];
  let month = monthOf(begin);
  for (let day = begin; day < end; ) {
    onStep();
    if (day >= month.end) month = monthOf(day);
    if (fits(parts, day, month, unit)) days.push(day);
    const isNamed = parts.BYMONTH?.includes(month.number) ?? true;
    day = isNamed ? day + dayMs : month.end;
  }
  return days;
}

/** The days of a period at the positions, from 1 for the first and -1 for the last. */
function chosen(days: readonly number[], positions: RuleParts['BYSETPOS']): readonly number[] {
  if (positions === undefined) return days;
  return days.filter((_, index) => positions.includes(index + 1) || positions.includes(index - days.length));
}

/** Whether the day of a time fits every part. The fifth Monday is one of the month, or of the year where no month is named. */
function fits(parts: RuleParts, time: number, month: Month, unit: 'month' | 'year'): boolean {
  const [begin, end] = unit === 'month' ? [month.begin, month.end] : [month.yearBegin, month.yearEnd];
  const weekday = (((Math.floor(time / dayMs) + thursday) % 7) + 7) % 7;
  const isNth = (nth: number) =>
    nth === 0 || nth === Math.ceil(ordinal(time, begin) / 7) || nth === -Math.ceil(ordinalFromEnd(time, end) / 7);
  return (
    (parts.BYMONTH?.includes(month.number) ?? true) &&
    isAmong(parts.BYMONTHDAY, time, month.begin, month.end) &&
    isAmong(parts.BYYEARDAY, time, month.yearBegin, month.yearEnd) &&
    (parts.BYDAY?.some((day) => day.weekday === weekday && isNth(day.nth)) ?? true)
  );
}

/** Whether a list names the day, counted from the beginning of its month or year or, below zero, from the end. */
function isAmong(list: readonly number[] | undefined, time: number, begin: number, end: number): boolean {
  return list === undefined || list.includes(ordinal(time, begin)) || list.includes(-ordinalFromEnd(time, end));
}

/** From 1 for the first day. */
function ordinal(time: number, begin: number): number {
  return Math.floor((time - begin) / dayMs) + 1;
}

/** From 1 for the last day. */
function ordinalFromEnd(time: number, end: number): number {
  return Math.ceil((end - time) / dayMs);
}
