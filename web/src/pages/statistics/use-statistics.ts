// What the statistics show, read again when the period or a filter changes, and every five minutes when it ends now.

import { useEffect, useMemo, useState } from 'react';
import { useStations } from '../../data/directory.ts';
import type { Flood } from '../../data/flood.ts';
import { both, type Read } from '../../data/lists/read.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { type Period, periodBefore, periodOf } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import {
  type Filter,
  type Rush,
  readAlarms,
  readFloodEntries,
  readPeople,
  readRush,
  readSpans,
  readUnanswered,
} from './read-statistics.ts';
import { barsOf, everyOf } from './series.ts';
import { type StatisticsSearch, usualPeriod } from './statistics-search.ts';
import { type Origin, originOf } from './summaries.ts';

const refreshMs = 300_000;
const kept = { staleTime: refreshMs } as const;

export type Asked = {
  readonly period: Period;
  readonly filter: Filter;
  /** What is asked, whenever that is: a period that ends now has another end every five minutes. */
  readonly question: string;
};

/** The period and the filters; undefined until the zone of the plant is known. */
export function useAsked({ station, group, period, from, to }: StatisticsSearch): Asked | undefined {
  const { timeZone } = usePlantClock();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), refreshMs);
    return () => clearInterval(timer);
  }, []);
  return useMemo(() => {
    if (timeZone === undefined) return undefined;
    const named = periodOf({ period, from, to }, usualPeriod, now, timeZone);
    return {
      period: named,
      filter: { ...(station === undefined ? {} : { station }), ...(group === undefined ? {} : { group }) },
      question: JSON.stringify([station, group, period, from, to]),
    };
  }, [timeZone, now, period, from, to, station, group]);
}

export function useBars({ period, filter, question }: Asked) {
  const every = everyOf(period);
  return useRead({
    queryKey: ['statistics', 'bars', filter, period, every],
    question: [question],
    queryFn: async () => barsOf(await readSpans(filter, period, every, true), every, period),
    ...kept,
  });
}

/** The counts of the period before, in the same steps; undefined unless it is compared. */
export function useBefore({ period, filter, question }: Asked, isCompared: boolean) {
  const { timeZone } = usePlantClock();
  const before = periodBefore(period, timeZone);
  const every = everyOf(period);
  const read = useRead({
    queryKey: ['statistics', 'before', filter, before, every],
    question: [question],
    queryFn: async () => barsOf(await readSpans(filter, before, every, false), every, before).bars,
    enabled: isCompared,
    ...kept,
  });
  return isCompared ? read : undefined;
}

export function useRush({ period, filter, question }: Asked) {
  return useRead({
    queryKey: ['statistics', 'rush', filter, period],
    question: [question],
    queryFn: () => readRush(filter, period),
    ...kept,
  });
}

export type ToldFlood = Flood & { readonly origin: Origin | undefined };

/** So many floods are explained, the largest ones. */
const explained = 5;

/** The floods of the period; where they come from is added when it is known. */
export function useFloods({ filter }: Asked, rush: Read<Rush>): readonly ToldFlood[] {
  const stations = useStations();
  const floods = rush.choices((known) => known.floods ?? []);
  const largest = floods.toSorted((a, b) => b.alarms - a.alarms).slice(0, explained);
  const entries = useRead({
    queryKey: ['statistics', 'floods', filter, largest],
    queryFn: async () => {
      const read = largest.map(async (flood) => [flood.from, await readFloodEntries(filter, flood)] as const);
      return new Map(await Promise.all(read));
    },
    enabled: largest.length > 0,
    ...kept,
  });
  const origins = both(entries, stations);
  return floods.map((flood) => ({
    ...flood,
    origin: origins.when({
      known: ([byFlood, { size }]) => originOf(byFlood.get(flood.from) ?? [], size),
      unread: () => undefined,
    }),
  }));
}

export function useFrequent({ period, filter, question }: Asked) {
  return useRead({
    queryKey: ['statistics', 'frequent', filter, period],
    question: [question],
    queryFn: () => readAlarms(filter, period, 'number', 10),
    ...kept,
  });
}

export function useLongest({ period, filter, question }: Asked) {
  return useRead({
    queryKey: ['statistics', 'longest', filter, period],
    question: [question],
    queryFn: () => readAlarms(filter, period, 'time', 5),
    ...kept,
  }).map(({ items }) => items);
}

export function usePeople({ period, filter, question }: Asked, priority?: number) {
  return useRead({
    queryKey: ['statistics', 'people', filter, period, priority],
    question: [question, priority],
    queryFn: () => readPeople(filter, period, priority),
    ...kept,
  });
}

export function useUnanswered({ period, filter, question }: Asked) {
  return useRead({
    queryKey: ['statistics', 'unanswered', filter, period],
    question: [question],
    queryFn: () => readUnanswered(filter, period),
    ...kept,
  });
}
