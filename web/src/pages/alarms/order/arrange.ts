// The order of the alarm list, and the list that keeps its order while somebody points at it. Pure.

import { hasWords } from '../../../components/word-search.ts';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import { type AlarmsSearch, idsIn, type Sort, type SortColumn } from '../alarms-search.ts';

export type Group = 'unacknowledged' | 'acknowledged' | 'masked';
export const groups: readonly Group[] = ['unacknowledged', 'acknowledged', 'masked'];

export function groupOf({ state, masked }: Pick<AlarmView, 'state' | 'masked'>): Group {
  if (masked) return 'masked';
  return (state & 2) === 0 ? 'acknowledged' : 'unacknowledged';
}

/** Not acknowledged first, then by priority, then the newest first; the masked at the end, by what ends first. */
export function byUrgency(a: AlarmView, b: AlarmView): number {
  const group = groups.indexOf(groupOf(a)) - groups.indexOf(groupOf(b));
  if (group !== 0) return group;
  if (a.masked) return (a.maskedUntil ?? '').localeCompare(b.maskedUntil ?? '') || a.id - b.id;
  return a.priority - b.priority || b.raisedAt - a.raisedAt || b.id - a.id;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const byColumn: Readonly<Record<SortColumn, (a: AlarmView, b: AlarmView) => number>> = {
  raised: (a, b) => a.raisedAt - b.raisedAt,
  station: (a, b) => collator.compare(a.station, b.station),
  message: (a, b) => collator.compare(a.text, b.text),
  tag: (a, b) => collator.compare(a.path, b.path),
  value: (a, b) => collator.compare(a.value, b.value),
};

/** By a column; those that are equal in it, and all without a column, by urgency. */
export function comparing(sort: Sort | undefined): (a: AlarmView, b: AlarmView) => number {
  if (sort === undefined) return byUrgency;
  const sign = sort.startsWith('-') ? -1 : 1;
  const compare = byColumn[sort.replace('-', '') as SortColumn];
  return (a, b) => sign * compare(a, b) || byUrgency(a, b);
}

/** `serverMatches`: the alarms that match the filters which the server decides; undefined without such a filter. */
export function matches(
  alarm: AlarmView,
  search: AlarmsSearch,
  serverMatches: ReadonlySet<number> | undefined,
): boolean {
  const { state, priority, station, server, q, masked } = search;
  if (state !== undefined && groupOf(alarm) !== state) return false;
  if (priority !== undefined && alarm.hue !== priority) return false;
  if (masked === 0 && alarm.masked) return false;
  // An alarm whose station is not known yet may be of this one.
  if (station !== undefined && alarm.stationId !== undefined && !idsIn(station).includes(alarm.stationId)) return false;
  if (server !== undefined && !idsIn(server).includes(alarm.dataServerId)) return false;
  if (serverMatches !== undefined && !serverMatches.has(alarm.id)) return false;
  if (q === undefined) return true;
  const { text, path, name, comment, value } = alarm;
  return hasWords(`${text} ${path} ${name} ${comment} ${value} ${alarm.station}`, q);
}

export type Row = {
  readonly alarm: AlarmView;
  /** It left the list while the order was kept. */
  readonly isGone: boolean;
  /** The group that it stands in: while the order is kept, that in which it stood, whatever it has become. */
  readonly group: Group;
};

export type Arranged = {
  readonly rows: readonly Row[];
  /** Alarms that wait above until the order may change. */
  readonly waiting: readonly AlarmView[];
};

/**
 * Arranges the alarms. While `held` is given, the alarms of that order stay where they are: changed ones change in place,
 * gone ones stay, new ones wait.
 */
export function arrange(alarms: readonly AlarmView[], held: readonly Row[] | undefined, compare = byUrgency): Arranged {
  if (held === undefined)
    return {
      rows: alarms.toSorted(compare).map((alarm) => ({ alarm, isGone: false, group: groupOf(alarm) })),
      waiting: [],
    };
  const current = new Map(alarms.map((alarm) => [alarm.id, alarm]));
  const rows = held.map(({ alarm, group }) => {
    const now = current.get(alarm.id);
    return now === undefined ? { alarm, group, isGone: true } : { alarm: now, group, isGone: false };
  });
  const known = new Set(held.map(({ alarm }) => alarm.id));
  return { rows, waiting: alarms.filter(({ id }) => !known.has(id)) };
}
