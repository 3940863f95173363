// The state of the statistics in their address: period, filters, tab, and what is shown how.

import { type PeriodName, type PeriodSearch, readPeriodSearch } from '../../data/time/period.ts';

export const alarmOrders = ['number', 'time', 'id'] as const;
export type AlarmOrder = (typeof alarmOrders)[number];

export type StatisticsSearch = PeriodSearch & {
  readonly tab?: 'alarms' | 'people' | undefined;
  readonly station?: number | undefined;
  readonly group?: number | undefined;
  /** 0: not compared with the period before. */
  readonly compare?: 0 | undefined;
  /** The chart as a table. */
  readonly table?: 1 | undefined;
  /** What the table of alarms is sorted by; undefined: the number. */
  readonly order?: AlarmOrder | undefined;
};

/** The period of an address that names none. */
export const usualPeriod = '7d';

export function periodKey({ period, from }: StatisticsSearch): PeriodName | 'own' {
  return from === undefined ? (period ?? usualPeriod) : 'own';
}

const tabs = ['alarms', 'people'] as const;

/** Takes what can be understood of an address and leaves out the rest. */
export function readStatisticsSearch(search: Readonly<Record<string, unknown>>): StatisticsSearch {
  const tab = tabs.find((name) => name === search.tab);
  const station = positive(search.station);
  const group = positive(search.group);
  const order = alarmOrders.find((name) => name === search.order);
  return {
    ...readPeriodSearch(search),
    ...(tab === undefined ? {} : { tab }),
    ...(station === undefined ? {} : { station }),
    ...(group === undefined ? {} : { group }),
    ...(String(search.compare) === '0' ? { compare: 0 as const } : {}),
    ...(String(search.table) === '1' ? { table: 1 as const } : {}),
    ...(order === undefined ? {} : { order }),
  };
}

function positive(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
