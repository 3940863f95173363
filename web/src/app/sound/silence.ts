// Silence: which alarms do not sound, until when, and what ends it before. Pure.

import type { Hue } from '../../components/mark.tsx';

/** The most urgent first; the place of a hue is its rank. */
export const urgency = ['p1', 'p2', 'p3', 'p4', 'sys'] as const satisfies readonly Hue[];

export type Sounding = {
  readonly id: number;
  readonly hue: Hue;
  readonly state: number;
  readonly masked: boolean;
  /** As the server says it: with it a raise is told from the one before. */
  readonly alarmTime: string;
};

export type Silence = {
  readonly until: number;
  /** The most urgent rank that is silenced, and with it all that are less urgent. */
  readonly rank: number;
  /** The raises of priority 1 that sounded when it began; any other is new, whatever time its source gave it. */
  readonly heard: ReadonlySet<string>;
};

export const silenceMs = 600_000;

/** Only what is active, not acknowledged and not masked sounds. */
export function soundingOf<T extends Sounding>(alarms: readonly T[]): readonly T[] {
  return alarms.filter(({ state, masked }) => state === 3 && !masked);
}

/** -1 without any. */
export function mostUrgentRank(sounding: readonly Sounding[]): number {
  const hues = new Set(sounding.map(({ hue }) => hue));
  return urgency.findIndex((hue) => hues.has(hue));
}

/** In a quiet plant everything but priority 1 is silenced: what comes next has been heard by nobody. */
export function beginSilence(sounding: readonly Sounding[], now: number): Silence {
  const rank = mostUrgentRank(sounding);
  return {
    until: now + silenceMs,
    rank: rank === -1 ? urgency.indexOf('p2') : rank,
    heard: new Set(sounding.filter(({ hue }) => hue === 'p1').map(raiseOf)),
  };
}

/** It ends with its time, with something more urgent than it is for, and with a new alarm of priority 1. */
export function isOver(silence: Silence, sounding: readonly Sounding[], now: number): boolean {
  if (now >= silence.until) return true;
  return sounding.some(
    (alarm) => urgency.indexOf(alarm.hue) < silence.rank || (alarm.hue === 'p1' && !silence.heard.has(raiseOf(alarm))),
  );
}

function raiseOf({ id, alarmTime }: Sounding): string {
  return `${id} ${alarmTime}`;
}
