// Decides as of when old records may be removed, so that a clock that is wrong for less than a day removes none. Pure.
//
// A server that was off for months and a clock that is wrong by months look alike at the start. Both wait for a day, in
// which a wrong clock is noticed, and then catch up by a week's worth a day.

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Passes are a minute apart; after a longer gap the server was off or the clock was set. */
const ordinaryGapMs = 60 * minuteMs;
const waitMs = dayMs;
const portionMs = 7 * dayMs;
/**
 * The most that counts as waited between two passes: a clock that was set would otherwise end the wait itself. Time off
 * does not count either, but does not begin the wait anew: a machine that is off every night would wait for ever.
 */
const mostCountedMs = 5 * minuteMs;

/** The state of purging that is stored between passes, so that it survives restarts. */
export type PurgePace = {
  /** The latest time as of which records were removed. */
  readonly asOf: number;
  /** The time of the last pass. */
  readonly at: number;
  /** How long passes have waited since the last removal. */
  readonly waitedMs: number;
  /** Whether an alarm says that removal waits. */
  readonly isTold: boolean;
};

/** Returns the pace of a store that has none yet, whose records were all made up to `newest`. */
export function firstPace(newest: number, now: number): PurgePace {
  return { asOf: newest, at: now, waitedMs: 0, isTold: false };
}

export type PurgePass = {
  readonly pace: PurgePace;
  /** Remove what was due as of then; undefined: remove nothing. */
  readonly asOf: number | undefined;
};

export function nextPass({ asOf, at, waitedMs }: PurgePace, now: number): PurgePass {
  const gap = now - asOf;
  if (gap <= ordinaryGapMs)
    return { pace: { asOf: Math.max(asOf, now), at: now, waitedMs: 0, isTold: false }, asOf: now };
  // A gap that one portion closes, such as a weekend, is worth no alarm.
  const isTold = gap > portionMs;
  const waited = now - at > portionMs ? 0 : waitedMs + Math.min(mostCountedMs, Math.max(0, now - at));
  if (waited < waitMs) return { pace: { asOf, at: now, waitedMs: waited, isTold }, asOf: undefined };
  const portion = Math.min(now, asOf + portionMs);
  return { pace: { asOf: portion, at: now, waitedMs: 0, isTold }, asOf: portion };
}
