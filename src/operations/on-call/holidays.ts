// Stores the holidays read from a schedule's calendar, or raises a system alarm if it could not be read.

import { systemCaller } from '../../domain/access/access.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { appendEvent } from '../../store/event-log.ts';
import type { Operation, ReadTx } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { appendAudit } from '../audit/append.ts';
import { wakeWaitingCalls } from '../calls/wake-waiting.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { definitionOf, loadSchedules } from '../people/schedule-rows.ts';
import { updateDefinition } from '../people/schedules.ts';
import { incrementPeopleVersion } from '../people/version.ts';

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
    const path = `holidays/${id}`;
    const calendar = `The calendar of holidays of schedule ${id}, "${schedule.name}",`;
    const stationId = await stationUsing(tx, id);
    if (problem !== undefined) {
      const message = `${calendar} cannot be read: ${problem}. Those read before count on.`;
      return raiseSystemAlarm(tx, now, { path, stationId, message });
    }
    if (leftOut.length === 0) await endOpenSystemAlarm(tx, now, path, 'end-calls');
    else {
      const more = leftOut.length > 1 ? `, and ${leftOut.length - 1} more` : '';
      const message = `${calendar} was read without ${leftOut.length} of its events: ${leftOut[0]}${more}. The others count.`;
      await raiseSystemAlarm(tx, now, { path, stationId, message });
    }
    if (JSON.stringify(schedule.holidays.icalDates) === JSON.stringify(dates)) return;
    const holidays = { ...schedule.holidays, icalDates: dates };
    await tx.run(updateDefinition, { id, definition: definitionOf({ ...schedule, holidays }) });
    await incrementPeopleVersion(tx, 'schedule', id);
    await wakeWaitingCalls(tx, now);
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

/** The first station with a group that uses the schedule; the default station if none does. */
async function stationUsing(tx: ReadTx, id: number): Promise<number> {
  const { snapshot } = await readCallConfiguration(tx);
  const groups = [...snapshot.groups.values()].filter(({ scheduleId }) => scheduleId === id);
  return groups.length === 0 ? defaultStationId : Math.min(...groups.map(({ stationId }) => stationId));
}
