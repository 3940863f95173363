// The state of the alarm list in its address: filters, text, the open alarm and the tab of its panel.

import type { Hue } from '../../components/mark.tsx';

export type AlarmsSearch = {
  /** The name of the saved view that was opened. */
  readonly view?: string | undefined;
  readonly state?: 'unacknowledged' | 'acknowledged' | 'masked' | undefined;
  readonly priority?: Hue | undefined;
  /** Ids of stations, separated by commas. */
  readonly station?: string | undefined;
  /** Ids of call groups, separated by commas. */
  readonly group?: string | undefined;
  /** Ids of tag groups, of scenarios and of data servers, separated by commas. */
  readonly tagGroup?: string | undefined;
  readonly scenario?: string | undefined;
  readonly server?: string | undefined;
  readonly q?: string | undefined;
  /** The column to sort by, with `-` from the end; without it the urgent come first. */
  readonly sort?: Sort | undefined;
  /** 0: masked alarms are hidden. */
  readonly masked?: 0 | undefined;
  readonly id?: number | undefined;
  readonly tab?: 'history' | 'details' | undefined;
  /** The dialog that is open for the alarm. */
  readonly ask?: 'mask' | undefined;
};

export const sortColumns = ['raised', 'station', 'message', 'tag', 'value'] as const;
export type SortColumn = (typeof sortColumns)[number];
export type Sort = SortColumn | `-${SortColumn}`;
const sorts: readonly Sort[] = sortColumns.flatMap((column): readonly Sort[] => [column, `-${column}`]);

const states = ['unacknowledged', 'acknowledged', 'masked'] as const;
const hues = ['p1', 'p2', 'p3', 'p4', 'sys'] as const;
const tabs = ['history', 'details'] as const;

/** Takes what can be understood of an address and leaves out the rest. */
export function readAlarmsSearch(search: Readonly<Record<string, unknown>>): AlarmsSearch {
  const text = (value: unknown): string | undefined =>
    value === undefined || value === '' ? undefined : String(value);
  const ids = (value: unknown): string | undefined => text(idsIn(text(value)).join(','));
  const id = Number(search.id);
  return present({
    view: text(search.view),
    state: states.find((state) => state === search.state),
    priority: hues.find((hue) => hue === search.priority),
    station: ids(search.station),
    group: ids(search.group),
    tagGroup: ids(search.tagGroup),
    scenario: ids(search.scenario),
    server: ids(search.server),
    q: text(search.q),
    sort: sorts.find((sort) => sort === search.sort),
    masked: String(search.masked) === '0' ? 0 : undefined,
    id: Number.isSafeInteger(id) && id > 0 ? id : undefined,
    tab: tabs.find((tab) => tab === search.tab),
    ask: search.ask === 'mask' ? 'mask' : undefined,
  });
}

function present<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;
}

export function idsIn(list: string | undefined): readonly number[] {
  return (list ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);
}

/** The filters as the query of an address; the open alarm and the name of the view are none of them. */
export function filterOf({ id: _id, tab: _tab, ask: _ask, view: _view, ...filters }: AlarmsSearch): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters).toSorted()) if (value !== undefined) query.set(name, `${value}`);
  return query.toString();
}

/** Reads the filters that `filterOf` printed. */
export function filtersIn(query: string): AlarmsSearch {
  const {
    id: _id,
    tab: _tab,
    ask: _ask,
    view: _view,
    ...filters
  } = readAlarmsSearch(Object.fromEntries(new URLSearchParams(query)));
  return filters;
}
