// The times of an occurrence: of its day the time alone, of later days the date before it.

import type { AlarmHistory } from '@tocsin/client';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { dayText, timeText } from '../../words/times.ts';

export function useTimeText({ alarmTime }: AlarmHistory) {
  const clock = usePlantClock();
  const day = dayText(clock, Date.parse(alarmTime));
  const isDated = (at: number): boolean => dayText(clock, at) !== day;
  const timeOf = (at: number): string => {
    const time = timeText(clock, at);
    return isDated(at) ? `${dayText(clock, at)} ${time}` : time;
  };
  return { isDated, timeOf };
}
