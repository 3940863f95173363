// What the statistics show, read again when the period or a filter changes, and every five minutes when it ends now.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useStations } from '../../data/directory.ts';
import type { Flood } from '../../data/flood.ts';
import { type Period, periodBefore, periodOf } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import {
  type Filter,
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
const kept = { placeholderData: keepPreviousData, staleTime: refreshMs } as const;

export type Asked = { readonly period: Period; readonly filter: Filter };

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
    };
  }, [timeZone, now, period, from, to, station, group]);
}

export function useBars({ period, filter }: Asked) {
  const every = everyOf(period);
  const { data, error } = useQuery({
    queryKey: ['statistics', 'bars', filter, period, every],
    queryFn: async () => barsOf(await readSpans(filter, period, every, true), every, period),
    ...kept,
  });
  return { data, error };
}

/** The counts of the period before, in the same steps; undefined unless it is compared. */
export function useBefore({ period, filter }: Asked, isCompared: boolean) {
  const { timeZone } = usePlantClock();
  const before = periodBefore(period, timeZone);
  const every = everyOf(period);
  const { data } = useQuery({
    queryKey: ['statistics', 'before', filter, before, every],
    queryFn: async () => barsOf(await readSpans(filter, before, every, false), every, before).bars,
    enabled: isCompared,
    ...kept,
  });
  return isCompared ? data : undefined;
}

export function useRush({ period, filter }: Asked) {
  return useQuery({
    queryKey: ['statistics', 'rush', filter, period],
    queryFn: () => readRush(filter, period),
    ...kept,
  }).data;
}

export type ToldFlood = Flood & { readonly origin: Origin | undefined };

/** So many floods are explained, the largest ones. */
const explained = 5;

export function useFloods({ filter }: Asked, floods: readonly Flood[] | undefined): readonly ToldFlood[] | undefined {
  const stations = useStations().data?.size ?? 0;
  const largest = floods?.toSorted((a, b) => b.alarms - a.alarms).slice(0, explained);
  const { data } = useQuery({
    queryKey: ['statistics', 'floods', filter, largest],
    queryFn: async () => {
      const entries = (largest ?? []).map(
        async (flood) => [flood.from, await readFloodEntries(filter, flood)] as const,
      );
      return new Map(await Promise.all(entries));
    },
    enabled: largest !== undefined && largest.length > 0,
    ...kept,
  });
  return floods?.map((flood) => ({ ...flood, origin: originOf(data?.get(flood.from) ?? [], stations) }));
}

export function useFrequent({ period, filter }: Asked) {
  return useQuery({
    queryKey: ['statistics', 'frequent', filter, period],
    queryFn: () => readAlarms(filter, period, 'number', 10),
    ...kept,
  }).data;
}

export function useLongest({ period, filter }: Asked) {
  return useQuery({
    queryKey: ['statistics', 'longest', filter, period],
    queryFn: () => readAlarms(filter, period, 'time', 5),
    ...kept,
  }).data?.items;
}

export function usePeople({ period, filter }: Asked, priority?: number) {
  return useQuery({
    queryKey: ['statistics', 'people', filter, period, priority],
    queryFn: () => readPeople(filter, period, priority),
    ...kept,
  }).data;
}

export function useUnanswered({ period, filter }: Asked) {
  return useQuery({
    queryKey: ['statistics', 'unanswered', filter, period],
    queryFn: () => readUnanswered(filter, period),
    ...kept,
  });
}
