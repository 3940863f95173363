// Validates a schedule and describes its errors in sentences for the person who wrote it. Pure.

import {
  type CivilClock,
  civilClock,
  dayMs,
  instantOfMoment,
  isTimeZone,
  type Moment,
  readDate,
  readEndTime,
  readMoment,
  readTime,
} from './civil-time.ts';
import { turnLengthOf } from './duty-spans.ts';
import { type Override, type Rotation, type Schedule, type WeeklyDuty, weekdays } from './schedule.ts';

/** `field` is a path such as `weekly[0].from`. */
type ScheduleError = { readonly field: string; readonly message: string };

export function scheduleErrors(schedule: Schedule): readonly ScheduleError[] {
  const { timeZone, holidays, weekly, rotations, overrides } = schedule;
  const clock = civilClock(timeZone);
  return [
    ...errorIf(
      !isTimeZone(timeZone),
      'timeZone',
      `${quoted(timeZone)} is no time zone; write one such as "Europe/Paris".`,
    ),
    ...holidays.dates.flatMap((date, index) => dateErrors(`holidays.dates[${index}]`, date)),
    ...weekly.flatMap((duty, index) => shiftErrors(`weekly[${index}]`, duty)),
    ...rotations.flatMap((rotation, index) => rotationErrors(`rotations[${index}]`, rotation)),
    ...overrides.flatMap((override, index) => overrideErrors(`overrides[${index}]`, override, clock)),
  ];
}

function errorIf(isError: boolean, field: string, message: string): readonly ScheduleError[] {
  return isError ? [{ field, message }] : [];
}

/** Quotes the input, shortened to a readable length. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function dateErrors(field: string, date: string): readonly ScheduleError[] {
  const message = `There is no date ${quoted(date)}; write one such as "2026-12-25".`;
  return errorIf(readDate(date) === undefined, field, message);
}

function timeErrors(field: string, time: string): readonly ScheduleError[] {
  const message = `There is no time ${quoted(time)}; write one from "00:00" to "23:59".`;
  return errorIf(readTime(time) === undefined, field, message);
}

function shiftErrors(field: string, { days, from, to }: Omit<WeeklyDuty, 'teamId'>): readonly ScheduleError[] {
  const known: readonly string[] = [...weekdays, 'holiday'];
  const unknown = days.filter((day) => !known.includes(day));
  return [
    ...errorIf(days.length === 0, `${field}.days`, 'No day is chosen; choose at least one.'),
    ...unknown.map((day) => ({
      field: `${field}.days`,
      message: `${quoted(day)} is no day; the days are ${known.join(', ')}.`,
    })),
    ...timeErrors(`${field}.from`, from),
    ...errorIf(
      readEndTime(to) === undefined,
      `${field}.to`,
      `There is no time ${quoted(to)}; write one from "00:00" to "24:00".`,
    ),
  ];
}

function rotationErrors(field: string, rotation: Rotation): readonly ScheduleError[] {
  const { teamIds, every, handOver, start, hours } = rotation;
  return [
    ...errorIf(teamIds.length === 0, `${field}.teamIds`, 'No team takes part; name at least one.'),
    ...errorIf(
      turnLengthOf(every) === undefined,
      `${field}.every`,
      `${quoted(every)} is no length of a turn; write a number from 1 to 9999 and h, d or w, such as "12h", "3d" or "1w".`,
    ),
    ...timeErrors(`${field}.handOver`, handOver),
    ...dateErrors(`${field}.start`, start),
    ...(hours === undefined ? [] : shiftErrors(field, { ...hours, days: hours.days ?? weekdays })),
  ];
}

function overrideErrors(field: string, override: Override, clock: CivilClock): readonly ScheduleError[] {
  const { from, to } = override;
  const [start, end] = [readMoment(from), readMoment(to)];
  const isBackwards = start !== undefined && end !== undefined && !isAfter(end, start, clock);
  const wording = (text: string) => `There is no date and time ${quoted(text)}; write one such as "2026-11-20T08:00".`;
  return [
    ...errorIf(start === undefined, `${field}.from`, wording(from)),
    ...errorIf(end === undefined, `${field}.to`, wording(to)),
    ...errorIf(isBackwards, `${field}.to`, `It ends at ${quoted(to)}, which is not after its start ${quoted(from)}.`),
    ...holderErrors(field, override),
  ];
}

/** Compares instants, because a clock change may reduce a short period to nothing. */
function isAfter(one: Moment, other: Moment, clock: CivilClock): boolean {
  return one.at - other.at > 3 * dayMs || instantOfMoment(clock, one) > instantOfMoment(clock, other);
}

function holderErrors(field: string, { teamId, userId, lock }: Override): readonly ScheduleError[] {
  const isNamed = teamId !== undefined || userId !== undefined;
  return [
    ...errorIf(!isNamed && !lock, field, 'It names neither a team nor a person, and does not lock the duty.'),
    ...errorIf(isNamed && lock, field, 'It locks the duty, so that nobody is called, and names somebody: choose one.'),
    ...errorIf(
      teamId !== undefined && userId !== undefined && !lock,
      field,
      'It names both a team and a person: choose one.',
    ),
  ];
}
