// The routes that list and count alarms, with shared filters.

import { type Static, Type } from 'typebox';
import { type Caller, callerOf } from '../../domain/access/access.ts';
import { offeredLanguage } from '../../domain/language.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { countAlarms } from '../../operations/alarms/lists/count-alarms.ts';
import { type AlarmOrder, listAlarms } from '../../operations/alarms/lists/list-alarms.ts';
import type { StoredAlarm } from '../../operations/alarms/record.ts';
import { findCalledAlarms, listRunningCalls } from '../../operations/calls/views/calls-of-alarms.ts';
import type { Instant, Store } from '../../store/store.ts';
import { languagesOf } from '../../wire/accept-language.ts';
import { type AlarmPrinting, printAlarm } from '../../wire/alarms/alarm.ts';
import { type FullAlarmJson, listedAlarmSchema, printFullAlarm } from '../../wire/alarms/alarm-full.ts';
import { alarmCountsSchema, printAlarmCounts } from '../../wire/alarms/counts.ts';
import {
  fullView,
  listQuery,
  onlyAmong,
  pageOf,
  pagingCollection,
  printPage,
  searchText,
  uint,
} from '../../wire/paging.ts';

type ListParts = { readonly store: Store; readonly timeZone: string };

const tag = 'Alarms';
const defaultLimit = 10;

export const languageHeaders = Type.Object({
  'Accept-Language': Type.Optional(
    Type.String({
      description: 'The languages wanted for `localizedName`, for the `message` of system alarms, and for reasons.',
      examples: ['fr-FR, en;q=0.5'],
    }),
  ),
});

const filters = {
  id: onlyAmong('these alarms'),
  afterId: Type.Optional(
    uint({
      description:
        'Only alarms with a greater id. A list that changes while it is read page by page is read whole with the last id of the page before, sorted by `+id`: with `offset`, alarms that leave the list move others to pages that were read.',
    }),
  ),
  stationId: onlyAmong('of this station'),
  dataServerId: onlyAmong('of this data server'),
  tagGroupId: onlyAmong('of this tag group'),
  scenarioId: onlyAmong('those this scenario applies to'),
  callGroupId: onlyAmong('those that call this group'),
  priority: onlyAmong('of this priority'),
  alarmState: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3,
      description: 'Only alarms in this state, as in `state` of an alarm; 0 lists alarms at rest.',
    }),
  ),
  inactiveMasked: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2,
      description: 'Masked alarms at rest: 0 omits them, 1 includes them, 2 lists only them.',
    }),
  ),
};

const listParameters = listQuery(
  defaultLimit,
  {
    ...filters,
    view: fullView,
  },
  {
    sorts: [['urgent', 'not acknowledged ones first, then by priority, then the newest raise first, masked ones last']],
  },
);

const countParameters = Type.Object({ ...filters, search: searchText });

export function alarmListRoutes(parts: ListParts): Route[] {
  return [listRoute(parts), countsRoute(parts)];
}

function listRoute({ store, timeZone }: ListParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/alarms',
    scope: 'alarms:read',
    tag,
    operationId: 'listAlarms',
    summary: 'List current alarms',
    description: 'The alarms that are not at rest, masked ones included.',
    query: listParameters,
    headers: languageHeaders,
    responses: { 200: pagingCollection(listedAlarmSchema, { withOffset: true }) },
    refusals: [],
    handle: async ({ query, principal, request, now }) => {
      const { offset, limit } = pageOf(query, defaultLimit);
      const { search = '', sort, view, ...filter } = query;
      const caller = callerOf(principal);
      const page = await store.read(listAlarms, { caller, filter, search, order: orderOf(sort), limit, offset });
      const printing = { timeZone, languages: languagesOf(request.headers['accept-language']) };
      const items =
        view === 'full'
          ? await printFull(store, page.items, caller, printing, now)
          : page.items.map((alarm) => printAlarm(alarm, printing));
      return printPage(items, { offset, limit, total: page.total });
    },
  });
}

function orderOf(sort: Static<typeof listParameters>['sort']): AlarmOrder {
  if (sort === 'urgent') return 'urgent';
  return sort === '-id' ? 'desc' : 'asc';
}

function countsRoute({ store }: ListParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/alarms/counts',
    scope: 'alarms:read',
    tag,
    operationId: 'countAlarms',
    summary: 'Count current alarms',
    description:
      'How many alarms a list with these filters has, by priority and state. Each alarm is counted once: masked ones and those of Tocsin itself apart.',
    query: countParameters,
    responses: { 200: alarmCountsSchema },
    refusals: [],
    handle: async ({ query, principal }) => {
      const { search = '', ...filter } = query;
      return printAlarmCounts(await store.read(countAlarms, { caller: callerOf(principal), filter, search }));
    },
  });
}

/** Prints alarms in full, with the calls in progress for each. */
export async function printFull(
  store: Store,
  alarms: readonly StoredAlarm[],
  { stationIds }: Caller,
  printing: AlarmPrinting,
  now: Instant,
): Promise<readonly FullAlarmJson[]> {
  const alarmIds = await store.read(findCalledAlarms, { alarmIds: alarms.map(({ id }) => id) });
  const reader = { stationIds, language: offeredLanguage(printing.languages ?? []) };
  const calls = alarmIds.length === 0 ? [] : await store.read(listRunningCalls, { now, reader, alarmIds });
  const byAlarm = Map.groupBy(calls, ({ alarmId }) => alarmId);
  return alarms.map((alarm) => printFullAlarm(alarm, byAlarm.get(alarm.id) ?? [], printing));
}
