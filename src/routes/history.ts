// Alarm history routes: entries, statistics and interventions, with shared query parameters.

import { type Static, type TSchema, Type } from 'typebox';
import { callerOf, type Principal } from '../domain/access/access.ts';
import { AppError } from '../errors.ts';
import { defineRoute, type Route } from '../http/route.ts';
import type { HistoryListing } from '../operations/history/filter.ts';
import { listInterventions } from '../operations/history/list-interventions.ts';
import { getHistory, type HistoryEntry, listHistories } from '../operations/history/list-occurrences.ts';
import { listStatistics } from '../operations/history/list-statistics.ts';
import { getOccurrenceTimeline } from '../operations/history/occurrence-timeline.ts';
import type { Query, Store } from '../store/store.ts';
import { sentenceHeaders, sentenceLanguage } from '../wire/accept-language.ts';
import { alarmEventSchema, printAlarmEvent } from '../wire/alarms/commands.ts';
import { dateTimeText, parsePeriod } from '../wire/date-time.ts';
import { alarmInterventionSchema, printAlarmIntervention } from '../wire/history/intervention.ts';
import { alarmHistorySchema, printAlarmHistory } from '../wire/history/occurrence.ts';
import { alarmStatisticSchema, printAlarmStatistic } from '../wire/history/statistic.ts';
import { fullView, idParams, listQuery, only, onlyAmong, pageOf, pagingCollection, sortKeyOf } from '../wire/paging.ts';

type HistoryParts = { readonly store: Store; readonly timeZone: string };

const defaultLimit = 10;

/** The parameters that select entries. */
export const historyFilters = {
  alarmId: onlyAmong('of this alarm'),
  stationId: onlyAmong('of this station'),
  dataServerId: onlyAmong('of this data server'),
  tagGroupId: onlyAmong('of this tag group'),
  callGroupId: onlyAmong('what this group was called for'),
  priority: onlyAmong('of this priority'),
  userId: only('what this user acknowledged'),
  from: Type.Optional(dateTimeText({ description: 'Only occurrences raised at or after this time.' })),
  to: Type.Optional(dateTimeText({ description: 'Only occurrences raised before this time.' })),
};

const historyQuery = listQuery(defaultLimit, {
  ...historyFilters,
  view: fullView,
});
const statisticQuery = listQuery(
  defaultLimit,
  { ...historyFilters, view: fullView },
  { keys: ['id', 'failureNumber', 'failureTotalTime'] },
);
const interventionQuery = listQuery(defaultLimit, historyFilters, { keys: ['id', 'interventionNumber'] });

/** What each key sorts by. */
const sortedBy: Readonly<Record<string, HistoryListing['sortBy']>> = {
  id: 'id',
  failureNumber: 'number',
  failureTotalTime: 'time',
  interventionNumber: 'number',
};

type ListQuery = typeof historyQuery | typeof statisticQuery | typeof interventionQuery;
type Given = Static<typeof historyQuery> | Static<typeof statisticQuery> | Static<typeof interventionQuery>;

function isFull(given: Given): boolean {
  return 'view' in given && given.view === 'full';
}

export function alarmHistoryRoutes(parts: HistoryParts): Route[] {
  return [
    ...occurrenceRoutes(parts),
    historyRoute(parts, {
      name: 'histories',
      operationId: 'listAlarmHistories',
      summary: 'List the history of alarms',
      description: 'One entry per occurrence, with the texts as they were when it was raised.',
      query: historyQuery,
      schema: alarmHistorySchema,
      withOffset: true,
      list: listHistories,
      print: (entry, given) => printEntry(entry, parts.timeZone, isFull(given)),
    }),
    historyRoute(parts, {
      name: 'statistics',
      operationId: 'listAlarmStatistics',
      summary: 'List statistics per alarm',
      description: 'How often each alarm was raised in the period and how long it was active.',
      query: statisticQuery,
      schema: alarmStatisticSchema,
      withOffset: false,
      list: listStatistics,
      print: ({ failures: failureNumber, totalMs: failureTotalMs, ...row }, given) =>
        printAlarmStatistic({ ...row, failureNumber, failureTotalMs }, isFull(given)),
    }),
    historyRoute(parts, {
      name: 'interventions',
      operationId: 'listAlarmInterventions',
      summary: 'List interventions per user',
      description: 'How many occurrences each user acknowledged, and how quickly.',
      query: interventionQuery,
      schema: alarmInterventionSchema,
      withOffset: false,
      list: listInterventions,
      print: ({ interventions: interventionNumber, ...row }) => printAlarmIntervention({ ...row, interventionNumber }),
    }),
  ];
}

function printEntry(entry: HistoryEntry, timeZone: string, isFull: boolean) {
  const { alarmId: tagId, raisedAt: alarmTime, ackAt: ackTime, resetAt: resetTime, ...others } = entry;
  return printAlarmHistory({ ...others, tagId, alarmTime, ackTime, resetTime }, timeZone, isFull);
}

const maxEvents = 1_000;

/** Routes of one occurrence. */
function occurrenceRoutes({ store, timeZone }: HistoryParts): Route[] {
  const shared = { method: 'GET', tag: 'Histories', params: idParams('entry'), refusals: ['not-found'] } as const;
  const notFound = (id: number) => new AppError('not-found', `There is no occurrence ${id} of an alarm.`);
  return [
    defineRoute({
      ...shared,
      path: '/api/v1/occurrences/:id',
      scope: 'history:read',
      operationId: 'getAlarmHistory',
      summary: 'Get an occurrence of an alarm',
      description: 'Returns one entry of the history with all fields, also of an alarm that was removed.',
      responses: { 200: alarmHistorySchema },
      handle: async ({ params: { id }, principal }) => {
        const entry = await store.read(getHistory, { id, caller: callerOf(principal) });
        if (entry === undefined) throw notFound(id);
        return printEntry(entry, timeZone, true);
      },
    }),
    defineRoute({
      ...shared,
      path: '/api/v1/occurrences/:id/timeline',
      scope: 'alarms:read',
      operationId: 'getOccurrenceTimeline',
      summary: 'What happened in an occurrence of an alarm',
      description: `The newest ${maxEvents} events from its raise to the next one, oldest first, and those of the calls for it, as far back as the event log is kept.`,
      headers: sentenceHeaders,
      responses: { 200: Type.Array(alarmEventSchema) },
      handle: async ({ params: { id }, principal, request, now }) => {
        const language = sentenceLanguage(request.headers['accept-language']);
        const reader = { stationIds: callerOf(principal).stationIds, language };
        const events = await store.read(getOccurrenceTimeline, { id, reader, limit: maxEvents, now });
        if (events === undefined) throw notFound(id);
        return events.map((event) => printAlarmEvent(event, timeZone));
      },
    }),
  ];
}

type HistoryList<T, S extends TSchema> = {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query: ListQuery;
  readonly schema: S;
  readonly withOffset: boolean;
  readonly list: Query<HistoryListing, { readonly items: readonly T[]; readonly total: number }>;
  readonly print: (entry: T, given: Given) => Static<S>;
};

function historyRoute<T, S extends TSchema>({ store, timeZone }: HistoryParts, list: HistoryList<T, S>): Route {
  return defineRoute({
    method: 'GET',
    path: `/api/v1/alarms/${list.name}`,
    scope: 'history:read',
    tag: 'Histories',
    operationId: list.operationId,
    summary: list.summary,
    description: list.description,
    query: list.query,
    responses: { 200: pagingCollection(list.schema as TSchema, { withOffset: list.withOffset }) },
    refusals: [],
    handle: async ({ query: given, principal, now }) => {
      const listing = listingOf(given, principal, timeZone, now);
      const { items, total } = await store.read(list.list, listing);
      const { offset, limit } = listing;
      const printed = items.map((item) => list.print(item, given));
      return { items: printed, paging: list.withOffset ? { offset, limit, total } : { limit, total } };
    },
  });
}

function listingOf(given: Given, principal: Principal, timeZone: string, now: number): HistoryListing {
  const { search = '', alarmId, stationId, dataServerId, tagGroupId, callGroupId, priority, userId } = given;
  const { offset, limit, descending } = pageOf(given, defaultLimit);
  const period = parsePeriod(given, timeZone);
  const filter = { alarmId, stationId, dataServerId, tagGroupId, callGroupId, priority, userId, ...period };
  const order = { sortBy: sortedBy[sortKeyOf(given.sort)] ?? 'id', order: descending ? 'desc' : 'asc' } as const;
  return { caller: callerOf(principal), filter, search, ...order, limit, offset, now };
}
