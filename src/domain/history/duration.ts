// The durations of an occurrence, and their printed form. Pure.

/** Returns the duration in seconds, rounded down and never negative. */
export function secondsOf(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000));
}

/** Returns `hh:mm:ss`; hours may exceed 24. */
export function printDuration(ms: number): string {
  const seconds = secondsOf(ms);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** When an occurrence was raised, acknowledged and reset; undefined for steps that have not happened. */
export type OccurrenceTimes = {
  readonly alarmTime: number;
  readonly ackTime: number | undefined;
  readonly resetTime: number | undefined;
};

/** Milliseconds between those times; undefined if one of the two is missing. */
type OccurrenceDurations = {
  readonly alarm: number | undefined;
  readonly reaction: number | undefined;
  readonly intervention: number | undefined;
};

export function durationsOf({ alarmTime, ackTime, resetTime }: OccurrenceTimes): OccurrenceDurations {
  const intervention = between(ackTime, resetTime);
  return {
    alarm: between(alarmTime, resetTime),
    reaction: between(alarmTime, ackTime),
    // Acknowledged after the end: nobody intervened.
    intervention: intervention !== undefined && intervention < 0 ? undefined : intervention,
  };
}

function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}
