// How long an occurrence took, and how a length of time is written. Pure.

/** `hh:mm:ss`, rounded down, never negative; the hours go on past 24. */
export function printDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** When one occurrence was raised, acknowledged and reset, as far as it was. */
export type OccurrenceTimes = {
  readonly alarmTime: number;
  readonly ackTime: number | undefined;
  readonly resetTime: number | undefined;
};

/** The milliseconds between these times; undefined where one of them is not there. */
export type OccurrenceDurations = {
  readonly alarm: number | undefined;
  readonly reaction: number | undefined;
  readonly intervention: number | undefined;
};

export function durationsOf({ alarmTime, ackTime, resetTime }: OccurrenceTimes): OccurrenceDurations {
  const intervention = between(ackTime, resetTime);
  return {
    alarm: between(alarmTime, resetTime),
    reaction: between(alarmTime, ackTime),
    // Acknowledged after it was over: nobody intervened.
    intervention: intervention !== undefined && intervention < 0 ? undefined : intervention,
  };
}

function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}
