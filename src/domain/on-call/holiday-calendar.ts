// Computes the days that the events of an iCalendar cover: the holidays of a schedule. Pure.

import {
  eventsOfCalendar,
  type Occurrence,
  type OnOddEvent,
  type ReadEvent,
  readUntil,
  type Written,
} from './calendar-events.ts';
import { civilClock, dayMs, isTimeZone, printDate } from './civil-time.ts';
import { occurrencesOf, type RecurrenceRule } from './recurrence-rule.ts';

/** Both years are part of it. `timeZone`: whose dates are meant where the calendar gives a time in UTC. */
export type CalendarRange = { readonly fromYear: number; readonly toYear: number; readonly timeZone: string };

/** Days looked at for one calendar at most, which takes about 50 ms: a hostile one must not hold up the server. */
const mostSteps = 200_000;
/** The cost, in such steps, of asking for the clock of another zone than the schedule's. */
const zoneSteps = 500;

function refuseOdd(problem: Error): never {
  throw problem;
}

/**
 * Returns the dates of all events within the years, in order, each once. Throws an Error that names the unreadable part: an
 * error somebody sees is better than a holiday that is missing silently. Who tells people of odd events may take the rest.
 */
export function datesOfCalendar(text: string, range: CalendarRange, onOdd: OnOddEvent = refuseOdd): readonly string[] {
  const events = eventsOfCalendar(text, onOdd);
  const overrides = Map.groupBy(
    events.filter(({ uid, replaces }) => uid !== '' && replaces !== undefined),
    ({ uid }) => uid,
  );
  const horizon = horizonOf(range);
  const days = new Set<number>();
  for (const event of events) {
    if (event.isCancelled) continue;
    const replaced = event.replaces === undefined ? (overrides.get(event.uid) ?? []) : [];
    for (const day of daysOfEvent(event, replaced, horizon)) days.add(day);
  }
  return [...days].sort((one, other) => one - other).map(printDate);
}

/** The years that are asked for as civil times, and a meter for the work they cause. */
type Horizon = {
  readonly timeZone: string;
  readonly first: number;
  readonly end: number;
  readonly spend: (steps: number) => void;
};

function horizonOf({ fromYear, toYear, timeZone }: CalendarRange): Horizon {
  let left = mostSteps;
  const spend = (steps: number) => {
    left -= steps;
    if (left < 0) throw new Error(`its events repeat too often: they take more than ${mostSteps} steps to work out`);
  };
  return { timeZone, first: Date.UTC(fromYear, 0), end: Date.UTC(toYear + 1, 0), spend };
}

function* daysOfEvent(event: ReadEvent, overrides: readonly ReadEvent[], horizon: Horizon): Generator<number> {
  const toCivil = civilTimes(event, horizon);
  const isRemoved = removals(event, overrides, toCivil, horizon);
  for (const { start, lengthMs } of occurrencesOfEvent(event, toCivil, horizon)) {
    if (isRemoved(start)) continue;
    const end = Math.min(horizon.end, start + Math.max(lengthMs, 1));
    for (let day = Math.max(horizon.first, floorToDay(start)); day < end; day += dayMs) {
      horizon.spend(1);
      yield day;
    }
  }
}

type CivilOccurrence = { readonly start: number; readonly lengthMs: number };

function* occurrencesOfEvent(event: ReadEvent, toCivil: ToCivil, horizon: Horizon): Generator<CivilOccurrence> {
  const lengthMs = lengthOfEvent(event, toCivil);
  if (event.rules.length === 0) yield { start: toCivil(event.start), lengthMs };
  for (const start of repetitions(event, event.rules, toCivil, horizon)) yield { start, lengthMs };
  for (const added of event.added) {
    yield { start: toCivil(added.start), lengthMs: lengthOf(added, toCivil) ?? lengthMs };
  }
}

type ToCivil = (written: Written) => number;

/** Converts times in UTC to the wall clock of the event: that of the zone it names, or else of the schedule. */
function civilTimes({ start, zone }: ReadEvent, { timeZone, spend }: Horizon): ToCivil {
  return ({ at, kind }) => {
    // Only where zones are known well: to look through all years for changes of the clocks would take seconds.
    if (kind !== 'utc' || at < 0 || at >= Date.UTC(2100, 0)) return at;
    // Where an event has whole days, midnight in UTC stands for the date.
    if (start.kind === 'date' && at % dayMs === 0) return at;
    if (zone === '' || zone === timeZone) return civilClock(timeZone).civilOf(at);
    spend(zoneSteps);
    return civilClock(isTimeZone(zone) ? zone : timeZone).civilOf(at);
  };
}

/** Undefined when it has neither an end nor a length; an end before the start makes no length. */
function lengthOf({ start, end, lengthMs }: Occurrence, toCivil: ToCivil): number | undefined {
  return end === undefined ? lengthMs : Math.max(0, toCivil(end) - toCivil(start));
}

function lengthOfEvent(event: ReadEvent, toCivil: ToCivil): number {
  return lengthOf(event, toCivil) ?? (event.start.kind === 'date' ? dayMs : 0);
}

function* repetitions(
  event: ReadEvent,
  rules: readonly RecurrenceRule[],
  toCivil: ToCivil,
  { first, end, spend }: Horizon,
): Generator<number> {
  const { start } = event;
  const from = first - lengthOfEvent(event, toCivil) - dayMs;
  // A rule counts by the clock its start is written in, UTC included; a day is more than any clock is away from another.
  const isUtc = start.kind === 'utc';
  for (const rule of rules) {
    const until = rule.until === undefined ? undefined : readUntil(rule.until);
    const untilAt = until === undefined ? Number.POSITIVE_INFINITY : isUtc ? until.at : toCivil(until);
    const span = { start: start.at, from, to: Math.min(end + dayMs, untilAt) };
    for (const at of occurrencesOf(rule, span, () => spend(1))) yield toCivil({ at, kind: start.kind });
  }
}

/** Whether an occurrence is taken out by EXDATE or EXRULE or replaced by another event. Without times, days are compared. */
function removals(
  event: ReadEvent,
  overrides: readonly ReadEvent[],
  toCivil: ToCivil,
  horizon: Horizon,
): (start: number) => boolean {
  horizon.spend(overrides.length);
  const replaced = overrides.flatMap(({ replaces }) => replaces ?? []);
  const times = new Set<number>(repetitions(event, event.exceptRules, toCivil, horizon));
  const days = new Set<number>();
  for (const removed of [...event.removed, ...replaced]) {
    const at = toCivil(removed);
    if (removed.kind === 'date' || event.start.kind === 'date') days.add(floorToDay(at));
    else times.add(at);
  }
  return (start) => times.has(start) || days.has(floorToDay(start));
}

function floorToDay(civil: number): number {
  return Math.floor(civil / dayMs) * dayMs;
}
