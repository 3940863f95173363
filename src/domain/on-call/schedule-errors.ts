// Says what in a schedule cannot be read or contradicts itself, in sentences for the person who wrote it. Pure.

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
import { turnOf } from './duty-spans.ts';
import { type Override, type Rotation, type Schedule, type WeeklyDuty, weekdays } from './schedule.ts';

/** `field` names the place, such as `weekly[0].from`. */
export type ScheduleMistake = { readonly field: string; readonly message: string };

export function scheduleMistakes(schedule: Schedule): readonly ScheduleMistake[] {
  const { timeZone, holidays, weekly, rotations, overrides } = schedule;
  const clock = civilClock(timeZone);
  return [
    ...mistakeIf(
      !isTimeZone(timeZone),
      'timeZone',
      `${quoted(timeZone)} is no time zone; write one such as "Europe/Paris".`,
    ),
    ...holidays.dates.flatMap((date, index) => dateMistakes(`holidays.dates[${index}]`, date)),
    ...weekly.flatMap((duty, index) => weeklyMistakes(`weekly[${index}]`, duty)),
    ...rotations.flatMap((rotation, index) => rotationMistakes(`rotations[${index}]`, rotation)),
    ...overrides.flatMap((override, index) => overrideMistakes(`overrides[${index}]`, override, clock)),
  ];
}

function mistakeIf(isMistaken: boolean, field: string, message: string): readonly ScheduleMistake[] {
  return isMistaken ? [{ field, message }] : [];
}

/** What was written, in quotes and short enough to be read. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function dateMistakes(field: string, date: string): readonly ScheduleMistake[] {
  const message = `There is no date ${quoted(date)}; write one such as "2026-12-25".`;
  return mistakeIf(readDate(date) === undefined, field, message);
}

function timeMistakes(field: string, time: string): readonly ScheduleMistake[] {
  const message = `There is no time ${quoted(time)}; write one from "00:00" to "23:59".`;
  return mistakeIf(readTime(time) === undefined, field, message);
}

function weeklyMistakes(field: string, { days, from, to }: WeeklyDuty): readonly ScheduleMistake[] {
  const known: readonly string[] = [...weekdays, 'holiday'];
  const unknown = days.filter((day) => !known.includes(day));
  return [
    ...mistakeIf(days.length === 0, `${field}.days`, 'No day is chosen; choose at least one.'),
    ...unknown.map((day) => ({
      field: `${field}.days`,
      message: `${quoted(day)} is no day; the days are ${known.join(', ')}.`,
    })),
    ...timeMistakes(`${field}.from`, from),
    ...mistakeIf(
      readEndTime(to) === undefined,
      `${field}.to`,
      `There is no time ${quoted(to)}; write one from "00:00" to "24:00".`,
    ),
  ];
}

function rotationMistakes(field: string, rotation: Rotation): readonly ScheduleMistake[] {
  const { teamIds, every, handOver, start } = rotation;
  return [
    ...mistakeIf(teamIds.length === 0, `${field}.teamIds`, 'No team takes part; name at least one.'),
    ...mistakeIf(
      turnOf(every) === undefined,
      `${field}.every`,
      `${quoted(every)} is no length of a turn; write a number from 1 to 9999 and h, d or w, such as "12h", "3d" or "1w".`,
    ),
    ...timeMistakes(`${field}.handOver`, handOver),
    ...dateMistakes(`${field}.start`, start),
  ];
}

function overrideMistakes(field: string, override: Override, clock: CivilClock): readonly ScheduleMistake[] {
  const { from, to } = override;
  const [start, end] = [readMoment(from), readMoment(to)];
  const isBackwards = start !== undefined && end !== undefined && !isAfter(end, start, clock);
  const wording = (text: string) => `There is no date and time ${quoted(text)}; write one such as "2026-11-20T08:00".`;
  return [
    ...mistakeIf(start === undefined, `${field}.from`, wording(from)),
    ...mistakeIf(end === undefined, `${field}.to`, wording(to)),
    ...mistakeIf(isBackwards, `${field}.to`, `It ends at ${quoted(to)}, which is not after its start ${quoted(from)}.`),
    ...holderMistakes(field, override),
  ];
}

/** In instants: clocks that are set may turn a short while into none. */
function isAfter(one: Moment, other: Moment, clock: CivilClock): boolean {
  return one.at - other.at > 3 * dayMs || instantOfMoment(clock, one) > instantOfMoment(clock, other);
}

function holderMistakes(field: string, { teamId, userId, lock }: Override): readonly ScheduleMistake[] {
  const isNamed = teamId !== undefined || userId !== undefined;
  return [
    ...mistakeIf(!isNamed && !lock, field, 'It names neither a team nor a person, and does not lock the duty.'),
    ...mistakeIf(
      isNamed && lock,
      field,
      'It locks the duty, so that nobody is called, and names somebody: choose one.',
    ),
    ...mistakeIf(
      teamId !== undefined && userId !== undefined && !lock,
      field,
      'It names both a team and a person: choose one.',
    ),
  ];
}
