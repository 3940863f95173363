// The times of an occurrence: of its day the time alone, of later days the date before it.

import type { AlarmHistory } from '@tocsin/client';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { dayText, timeText } from '../../words/times.ts';

export function useTimeText({ alarmTime }: AlarmHistory): (at: number) => string {
  const clock = usePlantClock();
  const day = dayText(clock, Date.parse(alarmTime));
  return (at) => {
    const time = timeText(clock, at);
    return dayText(clock, at) === day ? time : `${dayText(clock, at)} ${time}`;
  };
}
