// Times and durations as text: in the zone of the plant, ages to one unit.

import { startOfDay, wallTime } from '../data/time/zone-time.ts';

export type Clock = { readonly locale: string; readonly timeZone: string | undefined };

const formats = new Map<string, Intl.DateTimeFormat>();

function format({ locale, timeZone }: Clock, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone === undefined ? {} : { timeZone }) });
  formats.set(key, made);
  return made;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `43 s`, `3 min`, `2 h`, `4 d`. */
export function ageText(ms: number): string {
  const age = Math.max(0, ms);
  if (age < minute) return `${Math.floor(age / second)} s`;
  if (age < hour) return `${Math.floor(age / minute)} min`;
  return age < day ? `${Math.floor(age / hour)} h` : `${Math.floor(age / day)} d`;
}

const today = { from: 0, to: 0, timeZone: '' as string | undefined };

/** The begin of the day, reckoned once for all rows of a minute. */
function beginOfToday(now: number, timeZone: string | undefined): number {
  if (today.timeZone !== timeZone || now < today.from || now >= today.to)
    Object.assign(today, { from: startOfDay(now, timeZone), to: now + minute, timeZone });
  return today.from;
}

/** `03:11:58` today; with the weekday if it was another day, with the date if it is over a week ago. */
export function momentText(clock: Clock, at: number, now: number): string {
  if (at >= beginOfToday(now, clock.timeZone)) return timeText(clock, at);
  const time = shortTimeText(clock, at);
  if (now - at < 6 * day) return `${format(clock, { weekday: 'short' }).format(at)} ${time}`;
  return `${format(clock, { day: 'numeric', month: 'short' }).format(at)} ${time}`;
}

export function timeText(clock: Clock, at: number): string {
  return format(clock, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(at);
}

export function shortTimeText(clock: Clock, at: number): string {
  return format(clock, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
}

/** `Mon 16 Nov`. */
export function dateText(clock: Clock, at: number): string {
  return format(clock, { weekday: 'short', day: 'numeric', month: 'short' }).format(at).replace(',', '');
}

/** `Monday 16 November`. */
export function longDateText(clock: Clock, at: number): string {
  return format(clock, { weekday: 'long', day: 'numeric', month: 'long' }).format(at).replace(',', '');
}

/** `Mon 16 Nov 07:12`. */
export function dateTimeText(clock: Clock, at: number): string {
  return `${dateText(clock, at)} ${shortTimeText(clock, at)}`;
}

/** `06:00` today, `Fri 22:00` within a week, else with the date. */
export function soonText(clock: Clock, at: number, now: number): string {
  const time = shortTimeText(clock, at);
  if (dateText(clock, at) === dateText(clock, now)) return time;
  if (Math.abs(at - now) < 6 * day) return `${format(clock, { weekday: 'short' }).format(at)} ${time}`;
  return dateTimeText(clock, at);
}

/** `Wed 18 Nov 18:00 – Thu 19 Nov 08:00`; the second date only if it is another. */
export function spanText(clock: Clock, from: number, to: number): string {
  const isOneDay = dateText(clock, from) === dateText(clock, to);
  return `${dateTimeText(clock, from)} – ${isOneDay ? shortTimeText(clock, to) : dateTimeText(clock, to)}`;
}

/** `16 – 22 November 2026`, without the end itself. */
export function daysText(clock: Clock, from: number, to: number): string {
  return format(clock, { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(from, to - 1);
}

/** `Mon 16`, for the head of a column. */
export function columnDateText(clock: Clock, at: number): string {
  const parts = format(clock, { weekday: 'short', day: 'numeric' }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('weekday')} ${part('day')}`;
}

/** `14 h`, `1.5 h`, `30 min`. */
export function hoursText({ locale }: Clock, ms: number): string {
  if (ms < hour) return `${Math.round(ms / minute)} min`;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(ms / hour)} h`;
}

/** The short name of the zone, such as `CET`. */
export function zoneText(clock: Clock, at: number): string {
  const parts = format(clock, { timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** `1:24` of minutes and seconds. */
export function minutesText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / second));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `1:24 min` from a minute on, `43 s` before. */
export function waitText(ms: number): string {
  return ms < minute ? ageText(ms) : `${minutesText(ms)} min`;
}

/** `43 s`, `1 min 50 s`, `14 min`, `3 h 50 min`, `2 d 4 h`: a duration in a sentence. */
export function durationText(ms: number): string {
  const large = ms < hour ? minute : ms < day ? hour : day;
  const small = ms < 5 * minute ? second : ms < day ? minute : hour;
  const rest = Math.floor((ms % large) / small) * small;
  return rest === 0 || ms < minute ? ageText(ms) : `${ageText(ms)} ${ageText(rest)}`;
}

/** `15 Nov 12:00 – 24:00` or `9–15 Nov`: a period; its end is not part of it. */
export function rangeText(clock: Clock, from: number, to: number): string {
  const dates = format(clock, { day: 'numeric', month: 'short' });
  const isMidnight = (at: number): boolean => startOfDay(at, clock.timeZone) === at;
  if (isMidnight(from) && isMidnight(to)) return dates.formatRange(from, to - 1);
  const isOneDay = dates.format(from) === dates.format(to - 1);
  const end = isMidnight(to) ? '24:00' : shortTimeText(clock, to);
  const endDate = isOneDay ? '' : `${dates.format(to - 1)} `;
  return `${dates.format(from)} ${shortTimeText(clock, from)} – ${endDate}${end}`;
}

/** `Mon 9`. */
export function weekdayText(clock: Clock, at: number): string {
  const weekday = format(clock, { weekday: 'short' }).format(at);
  return `${weekday} ${new Date(wallTime(at, clock.timeZone)).getUTCDate()}`;
}

/** `9 Nov`. */
export function dayText(clock: Clock, at: number): string {
  return format(clock, { day: 'numeric', month: 'short' }).format(at);
}
