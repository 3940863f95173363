// Imports the holiday calendars (iCalendar) that schedules name: when one is new, and twice a day.

import { requestOutside } from '../channels/outbound-http.ts';
import type { Clock } from '../clock.ts';
import { datesOfCalendar } from '../domain/on-call/holiday-calendar.ts';
import type { Schedule } from '../domain/on-call/schedule.ts';
import { endUnreadCalendar, listUnreadCalendars, noteHolidays } from '../operations/on-call/holidays.ts';
import { listCalendars } from '../operations/people/schedule-rows.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';
import type { StoredWork } from './stored-work.ts';

const pollEveryMs = 60_000;
const readEveryMs = 12 * 3_600_000;
const retryDelayMs = 600_000;
const timeoutMs = 5_000;
const mostBytes = 1_048_576;
const yearsAhead = 3;
/** So many events that cannot be read are left out and named; with more the calendar is refused. */
const mostOdd = 20;

type HolidayImportParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly allowsPrivate: boolean;
  readonly work: StoredWork;
  readonly onTrouble: (error: unknown) => void;
};

export class HolidayImport {
  readonly #parts: HolidayImportParts;
  readonly #loop: PollingLoop;
  /** When the calendar of each schedule is fetched next, by id, as long as its address stays the same. */
  readonly #next = new Map<number, { readonly url: string | undefined; readonly at: number }>();

  constructor(parts: HolidayImportParts) {
    this.#parts = parts;
    this.#loop = new PollingLoop(pollEveryMs, () => this.#readDue(), parts.onTrouble);
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #readDue(): Promise<void> {
    const { store, clock, work } = this.#parts;
    const schedules = await store.read(listCalendars, {});
    for (const id of await store.read(listUnreadCalendars, {}))
      if (schedules.every((schedule) => schedule.id !== id)) await store.write(endUnreadCalendar, { id });
    for (const schedule of schedules) {
      // Each that does not answer takes seconds, and a stop waits for this loop.
      if (this.#loop.isStopped) return;
      const { icalUrl: url } = schedule.holidays;
      const now = clock.now();
      const next = this.#next.get(schedule.id);
      // A time further ahead than any wait was reckoned by a clock that has been put back since.
      if (next !== undefined && next.url === url && now < next.at && next.at - now <= readEveryMs) continue;
      let isRead = false;
      const isTaken = await work.take({ kind: 'calendar', id: schedule.id }, async () => {
        isRead = await this.#read(schedule, now);
      });
      if (isTaken) this.#next.set(schedule.id, { url, at: now + (isRead ? readEveryMs : retryDelayMs) });
    }
  }

  /** A calendar that cannot be read leaves the holidays unchanged; the problem is stored and shown. */
  async #read({ id, timeZone, holidays: { icalUrl: url = '' } }: Schedule, now: number): Promise<boolean> {
    const { store, allowsPrivate } = this.#parts;
    const year = new Date(now).getUTCFullYear();
    try {
      const text = await requestOutside({ url, allowsPrivate, allowsHttp: allowsPrivate, timeoutMs, mostBytes });
      const odd: string[] = [];
      const onOdd = (problem: Error): void => {
        if (odd.push(problem.message) > mostOdd) throw problem;
      };
      const dates = datesOfCalendar(text, { fromYear: year - 1, toYear: year + yearsAhead, timeZone }, onOdd);
      if (dates.length === 0) throw new Error(odd[0] ?? 'it has no days in it');
      await store.write(noteHolidays, { id, url, dates, leftOut: odd, problem: undefined });
      return true;
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'it cannot be read';
      await store.write(noteHolidays, { id, url, dates: [], leftOut: [], problem });
      return false;
    }
  }
}
