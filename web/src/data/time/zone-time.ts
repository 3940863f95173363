// Instants and the wall clock of a zone: what a clock there shows, and when it shows it. Pure.

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  formats.set(timeZone, made);
  return made;
}

/** Returns what the clock of the zone shows, as the same time of UTC; a zone that is undefined is that of the browser. */
export function wallTime(at: number, timeZone: string | undefined): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns when the clock of the zone shows a time: the first of two, and for one that is skipped the time after the change. */
export function instantAt(wall: number, timeZone: string | undefined): number {
  const offset = (at: number): number => wallTime(at, timeZone) - Math.floor(at / 1000) * 1000;
  const dayMs = 86_400_000;
  const early = wall - offset(wall - dayMs);
  if (wallTime(early, timeZone) === wall) return early;
  const late = wall - offset(wall + dayMs);
  return wallTime(late, timeZone) === wall ? late : early;
}

/** Returns a time for a field of the browser: `2026-11-16T03:12`. */
export function fieldText(at: number, timeZone: string | undefined): string {
  return new Date(wallTime(at, timeZone)).toISOString().slice(0, 16);
}

/** Returns the instant of what such a field holds; undefined unless it holds a time. */
export function instantOfField(text: string, timeZone: string | undefined): number | undefined {
  const wall = Date.parse(`${text}Z`);
  return Number.isNaN(wall) ? undefined : instantAt(wall, timeZone);
}

export function startOfDay(at: number, timeZone: string | undefined): number {
  const wall = wallTime(at, timeZone);
  return instantAt(wall - (wall % 86_400_000), timeZone);
}

/** Returns the same time of the clock some days later; negative: earlier. */
export function daysLater(at: number, days: number, timeZone: string | undefined): number {
  return instantAt(wallTime(at, timeZone) + days * 86_400_000, timeZone);
}
