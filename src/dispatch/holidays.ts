// Reads the calendars of holidays that schedules name: when one is new, and twice a day.

import { requestOutside } from '../channels/outside-request.ts';
import type { Clock } from '../clock.ts';
import { datesOfCalendar } from '../domain/holiday-calendar.ts';
import type { Schedule } from '../domain/schedule.ts';
import { noteHolidays } from '../operations/holidays.ts';
import { listCalendars } from '../store/schedules.ts';
import type { Store } from '../store/store.ts';
import { Rounds } from './rounds.ts';

const lookEveryMs = 60_000;
const readEveryMs = 12 * 3_600_000;
const tryAgainMs = 600_000;
const timeoutMs = 5_000;
const mostBytes = 1_048_576;
const yearsAhead = 3;

type HolidayParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly allowsPrivate: boolean;
  readonly onTrouble: (error: unknown) => void;
};

export class Holidays {
  readonly #parts: HolidayParts;
  readonly #rounds: Rounds;
  /** When each calendar is to be asked for again, by schedule and address. */
  readonly #nextAt = new Map<string, number>();

  constructor(parts: HolidayParts) {
    this.#parts = parts;
    this.#rounds = new Rounds(lookEveryMs, () => this.#readDue(), parts.onTrouble);
  }

  look(): void {
    this.#rounds.look();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #readDue(): Promise<void> {
    const { store, clock } = this.#parts;
    for (const schedule of await store.read(listCalendars, {})) {
      const key = `${schedule.id} ${schedule.holidays.icalUrl}`;
      const now = clock.now();
      if (now < (this.#nextAt.get(key) ?? 0)) continue;
      this.#nextAt.set(key, now + ((await this.#read(schedule, now)) ? readEveryMs : tryAgainMs));
    }
  }

  /** A calendar that cannot be read leaves the holidays as they are, and everyone is told. */
  async #read({ id, timeZone, holidays: { icalUrl: url = '' } }: Schedule, now: number): Promise<boolean> {
    const { store, allowsPrivate } = this.#parts;
    const year = new Date(now).getUTCFullYear();
    try {
      const text = await requestOutside({ url, allowsPrivate, timeoutMs, mostBytes });
      const dates = datesOfCalendar(text, { fromYear: year - 1, toYear: year + yearsAhead, timeZone });
      if (dates.length === 0) throw new Error('it has no days in it');
      await store.write(noteHolidays, { id, url, dates, problem: undefined });
      return true;
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'it cannot be read';
      await store.write(noteHolidays, { id, url, dates: [], problem });
      return false;
    }
  }
}
