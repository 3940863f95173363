// How long the times of an alarm stood and how soon they were taken, on average. Pure.

import type { AlarmHistory } from '@tocsin/client';
import { meanOf } from '../../../data/time/mean.ts';

export function monthMeans(entries: readonly AlarmHistory[]): {
  readonly stoodMs: number | undefined;
  readonly takenMs: number | undefined;
} {
  const until = (end: 'resetTime' | 'ackTime'): readonly number[] =>
    entries.flatMap(({ alarmTime, [end]: time }) =>
      time === undefined ? [] : [Date.parse(time) - Date.parse(alarmTime)],
    );
  return { stoodMs: meanOf(until('resetTime')), takenMs: meanOf(until('ackTime')) };
}
