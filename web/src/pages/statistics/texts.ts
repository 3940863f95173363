// Sentences of the statistics: what a bar holds, and what a flood was.

import { useStations } from '../../data/directory.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { dateText, dateTimeText, rangeText, shortTimeText, weekdayText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import type { Bar, BarLength } from './series.ts';
import type { ToldFlood } from './use-statistics.ts';

const priorities = ['1', '2', '3', '4+'] as const;

/** `Wed 11 Nov 06:00 – 07:00: 23 alarms, 3 of priority 1, …`. */
export function useBarText(length: BarLength): (bar: Bar) => string {
  const words = useWords().statistics;
  const whenOf = useBarTime(length);
  return (bar) => {
    const parts = priorities.flatMap((priority, index) => {
      const count = bar.byPriority[index] ?? 0;
      return count === 0 ? [] : [words.ofPriority(count, priority)];
    });
    return [words.bar(whenOf(bar), bar.alarms), ...parts].join(', ');
  };
}

export function useBarTime(length: BarLength): (bar: Bar) => string {
  const clock = usePlantClock();
  return ({ from, to }) => {
    if (length === '1d') return dateText(clock, from);
    if (length === '1w') return rangeText(clock, from, to);
    return `${dateTimeText(clock, from)} – ${shortTimeText(clock, to)}`;
  };
}

/** `Flood, Wed 04:10 – 08:00` and `61 alarms · 47 of them from Lift station 4`. */
export function useFloodTexts(): (flood: ToldFlood) => readonly [title: string, what: string] {
  const words = useWords().statistics;
  const clock = usePlantClock();
  const stations = useStations();
  return ({ from, to, alarms, origin }) => {
    const title = words.flood(
      `${weekdayText(clock, from)} ${shortTimeText(clock, from)} – ${shortTimeText(clock, to)}`,
    );
    const count = words.floodAlarms(alarms);
    if (origin === undefined) return [title, count];
    const source =
      origin.kind === 'alarm'
        ? words.floodOf(origin.count, origin.name)
        : words.floodFrom(
            origin.count,
            stations.name((all) => all.get(origin.stationId)?.name, `#${origin.stationId}`),
          );
    return [title, `${count} · ${source}`];
  };
}
