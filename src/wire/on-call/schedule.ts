// The JSON of schedules. It checks the format only; domain/on-call/ validates the meaning.

import { type Static, Type } from 'typebox';
import { type DutyDay, maxOverrides, type Rotation, weekdays } from '../../domain/on-call/schedule.ts';
import { scheduleErrors } from '../../domain/on-call/schedule-errors.ts';
import type { PeopleEntries, PeopleFields, Stored } from '../../domain/people/entities.ts';
import { AppError } from '../../errors.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, lastChange, maxListed } from '../entry.ts';
import { knownTimeZone, timeZoneText } from '../locale.ts';
import { idOf, uint } from '../paging.ts';
import { day, hours, listedOverride, overrideSchema, printOverride, readOverride } from './override.ts';

const time = (description: string) => Type.String({ pattern: `^${hours}$`, description, examples: ['18:00'] });
const endTime = Type.String({
  pattern: `^(?:${hours}|24:00)$`,
  description: 'When it ends. If not after `from`, it is on the next day. `24:00` is the end of the day.',
  examples: ['08:00'],
});
const date = (description: string) => Type.String({ pattern: `^${day}$`, description, examples: ['2026-11-02'] });
const dutyDay = Type.Enum([...weekdays, 'holiday'] as const satisfies readonly DutyDay[], {
  title: 'DutyDay',
  description: 'A day of the week, or every holiday.',
});
const dutyDays = (description: string) =>
  Type.Array(dutyDay, {
    minItems: 1,
    maxItems: 8,
    uniqueItems: true,
    description,
  });

const weekly = Type.Object(
  {
    teamId: idOf('team that has the duty'),
    days: dutyDays('The days. On a holiday only `holiday` applies, not the weekday.'),
    from: time('When the duty begins.'),
    to: endTime,
  },
  { title: 'WeeklyDuty', description: 'A duty that a team has every week.' },
);
const turns = {
  teamIds: Type.Array(uint({ examples: [1] }), {
    minItems: 1,
    maxItems: maxListed,
    description: 'The teams in turn; a team may appear more than once.',
  }),
  every: Type.String({
    pattern: '^[1-9][0-9]{0,3}[hdw]$',
    description: 'How long a turn is, in hours, days or weeks.',
    examples: ['1w'],
  }),
  handOver: time('When the duty is handed over.'),
  start: date('The day of the first turn.'),
};
const rotationDays = 'The days on which the team of the turn has the duty, as in weekly entries.';
const rotationFrom = 'When the duty begins on these days; a shift that contains a hand-over is shared.';

const rotation = Type.Object(
  {
    ...turns,
    days: Type.Union([dutyDays(rotationDays), Type.Null()], {
      description: `${rotationDays} Null: all, with holidays.`,
    }),
    from: Type.Union([time(rotationFrom), Type.Null()], { description: `${rotationFrom} Null: the whole day.` }),
    to: Type.Union([endTime, Type.Null()], { description: 'When it ends. Null: the whole day.' }),
  },
  { title: 'Rotation', description: 'Teams that have the duty in turn.' },
);
const rotationBody = Type.Object(
  {
    ...turns,
    days: Type.Optional(dutyDays(`${rotationDays} Not given: all, with holidays.`)),
    from: Type.Optional(time(`${rotationFrom} Not given: 00:00.`)),
    to: Type.Optional(endTime),
  },
  { title: 'RotationBody', description: 'Teams that have the duty in turn, all the time or in some hours only.' },
);
/** Limits that keep evaluating a schedule fast: each entry may claim the duty many times a day. */
const maxEntries = { weekly: 100, rotations: 20 };
const name = entryName('Pumps programme');

const dates = { description: 'The holidays.' };
const icalUrl = 'A calendar whose events are holidays.';
const entries = {
  weekly: { description: 'What recurs every week.' },
  rotations: { description: 'Teams in turn.' },
  overrides: { description: 'Exceptions.' },
};

export const scheduleSchema = Type.Object(
  {
    id: idOf('schedule'),
    name,
    timeZone: timeZoneText('Whose clock the times are of.'),
    holidays: Type.Object(
      {
        dates: Type.Array(date('A holiday.'), dates),
        icalUrl: Type.Union([Type.String(), Type.Null()], { description: `${icalUrl} Null: none.` }),
        icalDates: Type.Array(Type.String(), {
          description:
            'The days last read from that calendar, which count beside `dates`; after a change of the address those of the former one, until the new one was read. A change ignores them.',
          examples: [[]],
        }),
      },
      { title: 'Holidays', description: 'The days on which `holiday` entries apply.' },
    ),
    weekly: Type.Array(weekly, entries.weekly),
    rotations: Type.Array(rotation, entries.rotations),
    overrides: Type.Array(overrideSchema, entries.overrides),
    lastChange,
  },
  { title: 'Schedule', description: 'Who has the duty when.' },
);

export const scheduleExample = {
  name: 'Pumps programme',
  timeZone: 'Europe/Paris',
  weekly: [{ teamId: 1, days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '18:00', to: '08:00' }],
};

export const scheduleBody = Type.Object(
  {
    name,
    timeZone: Type.Optional(timeZoneText("Whose clock the times are of; not given: the server's.")),
    holidays: Type.Optional(
      Type.Object(
        {
          dates: Type.Optional(Type.Array(date('A holiday.'), { maxItems: maxListed, ...dates })),
          icalUrl: Type.Optional(
            Type.String({
              maxLength: 1_024,
              pattern: '^https?://[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$',
              description: icalUrl,
            }),
          ),
        },
        { title: 'HolidaysBody', description: 'The days on which `holiday` entries apply.' },
      ),
    ),
    weekly: Type.Optional(Type.Array(weekly, { maxItems: maxEntries.weekly, ...entries.weekly })),
    rotations: Type.Optional(Type.Array(rotationBody, { maxItems: maxEntries.rotations, ...entries.rotations })),
    overrides: Type.Optional(
      Type.Array(listedOverride, {
        maxItems: maxOverrides,
        description: `${entries.overrides.description} A PUT looks at them only with \`If-Match\`; not given: they stay as they are.`,
      }),
    ),
  },
  {
    title: 'ScheduleBody',
    description:
      'Overrides win over rotations, rotations over weekly entries, and within a list later entries over earlier ones.',
    examples: [scheduleExample],
  },
);

type Body = Static<typeof scheduleBody>;

export function readSchedule(body: Body, serverZone: string): PeopleFields['schedule'] {
  const { name, timeZone, holidays = {}, weekly = [], rotations = [], overrides } = body;
  const schedule = {
    name,
    timeZone: timeZone === undefined ? serverZone : knownTimeZone('timeZone', timeZone),
    holidays: { dates: holidays.dates ?? [], icalUrl: holidays.icalUrl, icalDates: [] },
    weekly,
    rotations: rotations.map(readRotation),
    overrides: overrides?.map(readOverride),
  };
  const errors = scheduleErrors({ id: 0, ...schedule, overrides: schedule.overrides ?? [] });
  const [first] = errors;
  if (first === undefined) return schedule;
  throw new AppError('unprocessable', `${first.field}: ${first.message}`, { errors: errors.slice(0, 20) });
}

function readRotation({ days, from, to, ...turns }: Static<typeof rotationBody>): Rotation {
  const isAllTheTime = days === undefined && from === undefined && to === undefined;
  return isAllTheTime ? turns : { ...turns, hours: { days, from: from ?? '00:00', to: to ?? '24:00' } };
}

function printRotation({ teamIds, every, handOver, start, hours }: Rotation): Static<typeof rotation> {
  const days = hours?.days === undefined ? null : [...hours.days];
  return { teamIds: [...teamIds], every, handOver, start, days, from: hours?.from ?? null, to: hours?.to ?? null };
}

export function printSchedule(schedule: Stored<PeopleEntries['schedule']>): Static<typeof scheduleSchema> {
  const { id, name, timeZone, holidays, weekly, rotations, overrides } = schedule;
  return {
    id,
    name,
    timeZone,
    holidays: { dates: [...holidays.dates], icalUrl: holidays.icalUrl ?? null, icalDates: [...holidays.icalDates] },
    weekly: weekly.map(({ teamId, days, from, to }) => ({ teamId, days: [...days], from, to })),
    rotations: rotations.map(printRotation),
    overrides: overrides.map(printOverride),
    lastChange: printUtcLocal(schedule.lastChange),
  };
}
