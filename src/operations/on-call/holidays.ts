// Stores the holidays read from a schedule's calendar; while it cannot be read a system alarm says so.

import { sql } from 'kysely';
import { systemCaller } from '../../domain/access/access.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { appendEvent } from '../../store/event-log.ts';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Operation, Query, ReadTx } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { appendAudit } from '../audit/append.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { definitionOf, loadSchedules } from '../people/schedule-rows.ts';
import { updateDefinition } from '../people/schedules.ts';
import { incrementPeopleVersion } from '../people/version.ts';

const pathPrefix = 'holidays/';

type CalendarResult = {
  readonly id: number;
  readonly url: string;
  readonly dates: readonly string[];
  /** Why events were left out of them. */
  readonly leftOut: readonly string[];
  /** Why the calendar could not be read; the dates read before stay valid. */
  readonly problem: string | undefined;
};

export const noteHolidays: Operation<CalendarResult, void> = {
  name: 'note-holidays',
  async run(tx, now, { id, url, dates, leftOut, problem }) {
    const [schedule] = await loadSchedules(tx, [id]);
    // Meanwhile the schedule may have been removed, or have another calendar.
    if (schedule === undefined || schedule.holidays.icalUrl !== url) return;
    const path = `${pathPrefix}${id}`;
    const calendar = { scheduleId: id, schedule: schedule.name };
    const stationId = await stationUsing(tx, id);
    if (problem !== undefined) {
      const message = { code: 'holidays-unread', parameters: { ...calendar, problem } } as const;
      return raiseSystemAlarm(tx, now, { path, stationId, message });
    }
    const [first] = leftOut;
    if (first === undefined) await endOpenSystemAlarm(tx, now, path, 'end-calls');
    else {
      const parameters = { ...calendar, count: leftOut.length, first };
      await raiseSystemAlarm(tx, now, { path, stationId, message: { code: 'holidays-left-out', parameters } });
    }
    if (JSON.stringify(schedule.holidays.icalDates) === JSON.stringify(dates)) return;
    const holidays = { ...schedule.holidays, icalDates: dates };
    await tx.run(updateDefinition, { id, definition: definitionOf({ ...schedule, holidays }) });
    await incrementPeopleVersion(tx, 'schedule', id);
    await appendEvent(tx, now, { kind: 'schedule.holidays-read', actor: 'system', subjectId: id, data: { dates } });
    await appendAudit(tx, now, {
      kind: 'schedule.holidays-read',
      origin: systemCaller,
      subject: `schedule:${id}`,
      before: { name: schedule.name, icalDates: schedule.holidays.icalDates },
      after: { name: schedule.name, icalDates: dates },
    });
  },
};

/** Returns the schedules about whose calendar an alarm is open. */
export const listUnreadCalendars: Query<Record<string, never>, readonly number[]> = {
  name: 'list-unread-calendars',
  isQuick: true,
  run: async (tx) =>
    (await tx.all(selectOpen, {})).map(({ path }) => Number(path.slice(`system/${pathPrefix}`.length))),
};

/** Ends the alarm about the calendar of a schedule that has none any more, or is removed. */
export const endUnreadCalendar: Operation<{ readonly id: number }, void> = {
  name: 'end-unread-calendar',
  run: (tx, now, { id }) => endOpenSystemAlarm(tx, now, `${pathPrefix}${id}`, 'end-calls'),
};

const selectOpen = sqlStatement<Record<string, never>, { path: string }>(
  () => sql`select alarms.path from ${table('data_servers')}
    join ${table('alarms')} on alarms.data_server_id = data_servers.id
    where data_servers.is_system = 1 and alarms.path like ${sql.lit(`system/${pathPrefix}%`)} and alarms.state in (1, 3)`,
);

/** The first station with a group that uses the schedule; the default station if none does. */
async function stationUsing(tx: ReadTx, id: number): Promise<number> {
  const { snapshot } = await readCallConfiguration(tx);
  const groups = [...snapshot.groups.values()].filter(({ scheduleId }) => scheduleId === id);
  return groups.length === 0 ? defaultStationId : Math.min(...groups.map(({ stationId }) => stationId));
}
