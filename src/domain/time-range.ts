// The times that can be printed with a year of four digits, which every client and every database can read. Pure.

/** The beginning of the year 0 and the last millisecond of the year 9999, UTC. */
const [earliestTime, latestTime] = [-62_167_219_200_000, 253_402_300_799_999];

/** Whether a number is a time; a stored one need not be. */
export function isTime(ms: number): boolean {
  return ms >= earliestTime && ms <= latestTime;
}

/** Returns the time nearest to `ms`. */
export function nearestTime(ms: number): number {
  return Math.min(latestTime, Math.max(earliestTime, ms));
}

/** Prints the time in UTC, or the number if it is none, so that one such value does not end a whole list. */
export function printTime(ms: number): string {
  return isTime(ms) ? new Date(ms).toISOString() : `${ms} (no time)`;
}
