// Reads what the statistics show, for a period and its filters.

import {
  type AlarmIntervention,
  type AlarmStatistic,
  getAlarmSeries,
  listAlarmHistories,
  listAlarmInterventions,
  listAlarmStatistics,
  listCallHistories,
} from '@tocsin/client';
import { type Flood, findFloods, floodPlaces } from '../../data/flood.ts';
import type { Period } from '../../data/time/period.ts';
import { type Every, highest, joined, piecesOf, type Span } from './series.ts';
import type { AlarmOrder, StatisticsSearch } from './statistics-search.ts';

export type Filter = Pick<StatisticsSearch, 'station' | 'group'>;

export function selection({ station, group }: Filter, { from, to }: Period) {
  return {
    $from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...(station === undefined ? {} : { stationId: [station] }),
    ...(group === undefined ? {} : { callGroupId: [group] }),
  };
}

export async function readSpans(
  filter: Filter,
  period: Period,
  every: Every,
  isByPriority: boolean,
): Promise<readonly Span[]> {
  const pieces = piecesOf(period, every).map(async (piece) => {
    const by = isByPriority ? { by: 'priority' as const } : {};
    const { items } = await getAlarmSeries({ ...selection(filter, piece), every, ...by });
    return items.map(({ time, number, byPriority = [] }) => ({ start: Date.parse(time), alarms: number, byPriority }));
  });
  return joined(await Promise.all(pieces));
}

/** The longest period in which floods are looked for: further ones would take too many requests. */
const longestForFloodsMs = 92 * 86_400_000;
const mostPlaces = 8;

export type Rush = {
  /** The hour with the most alarms. */
  readonly peak: Span | undefined;
  /** Undefined if the period is too long to look for them. */
  readonly floods: readonly Flood[] | undefined;
};

/** Finds the fullest hour and the floods: first the counts of hours, then tens of minutes where floods may be. */
export async function readRush(filter: Filter, period: Period): Promise<Rush> {
  const hours = await readSpans(filter, period, '1h', false);
  const peak = highest(hours);
  if (period.to - period.from > longestForFloodsMs) return { peak, floods: undefined };
  const places = floodPlaces(hours).map(({ from, to }) => ({
    from: Math.max(from, period.from),
    to: Math.min(to, period.to),
  }));
  const read = places.length > mostPlaces ? [period] : places;
  const spans = await Promise.all(read.map((place) => readSpans(filter, place, '10m', false)));
  return { peak, floods: findFloods(spans.flat()) };
}

export async function readFloodEntries(filter: Filter, flood: Flood) {
  const { items } = await listAlarmHistories({ ...selection(filter, flood), view: 'full', limit: 1000 });
  return items;
}

const sorts = { number: '-failureNumber', time: '-failureTotalTime', id: '+id' } as const;

export function readAlarms(filter: Filter, period: Period, order: AlarmOrder, limit: number, offset = 0) {
  return listAlarmStatistics({ ...selection(filter, period), sort: sorts[order], view: 'full', limit, offset });
}

/** People are few: all are read at once. */
export async function readPeople(
  filter: Filter,
  period: Period,
  priority?: number,
): Promise<readonly AlarmIntervention[]> {
  const only = priority === undefined ? {} : { priority: [priority] };
  const asked = { ...selection(filter, period), ...only, sort: '-interventionNumber' as const, limit: 1000 };
  return (await listAlarmInterventions(asked)).items;
}

const failed = 4;

/** Returns how many attempts to reach somebody there were, how many failed, and the newest of those. */
export async function readUnanswered({ station, group }: Filter, { from, to }: Period) {
  const asked = {
    $from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...(station === undefined ? {} : { stationId: station }),
    ...(group === undefined ? {} : { callGroupId: group }),
  };
  const [all, unanswered] = await Promise.all([
    listCallHistories({ ...asked, limit: 0 }),
    listCallHistories({ ...asked, status: failed, sort: '-id', limit: 200 }),
  ]);
  return { calls: all.paging.total, unanswered: unanswered.paging.total, newest: unanswered.items };
}

const pageSize = 1000;

/** Reads the whole table of alarms. */
export async function readAllAlarms(filter: Filter, period: Period, order: AlarmOrder): Promise<AlarmStatistic[]> {
  const rows: AlarmStatistic[] = [];
  for (;;) {
    const { items, paging } = await readAlarms(filter, period, order, pageSize, rows.length);
    rows.push(...items);
    if (items.length === 0 || rows.length >= paging.total) return rows;
  }
}
