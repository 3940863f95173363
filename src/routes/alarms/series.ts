// The route of how many alarms were raised over time.

import { type Static, Type } from 'typebox';
import { callerOf } from '../../domain/access/access.ts';
import { type SpanName, spanLengths } from '../../domain/history/series.ts';
import { AppError } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { countSeries } from '../../operations/history/count-series.ts';
import type { Store } from '../../store/store.ts';
import { parsePeriod, printInstant } from '../../wire/date-time.ts';
import { alarmSeriesSchema, everyText, printSpan } from '../../wire/history/series.ts';
import { searchText } from '../../wire/paging.ts';
import { historyFilters } from '../history.ts';

const maxSpans = 1_500;
/** How many spans a period has whose beginning is not given. */
const defaultSpans: Readonly<Record<SpanName, number>> = { '10m': 144, '1h': 168, '1d': 31 };

const parameters = Type.Object({
  every: Type.Optional(everyText),
  by: Type.Optional(Type.Enum(['priority'], { description: '`priority` counts each priority, too.' })),
  ...historyFilters,
  search: searchText,
});

export function alarmSeriesRoute({ store, timeZone }: { readonly store: Store; readonly timeZone: string }): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/alarms/series',
    scope: 'history:read',
    tag: 'Histories',
    operationId: 'getAlarmSeries',
    summary: 'How many alarms were raised over time',
    description: `Spans begin at whole times of the server's clock: a day may have 23 or 25 hours. The first and the last span are counted within the period alone. At most ${maxSpans} spans; without \`to\` up to now, without \`from\` for a day, a week or 31 days, by the length of the spans.`,
    query: parameters,
    responses: { 200: alarmSeriesSchema },
    refusals: ['unprocessable'],
    handle: async ({ query, principal, now }) => {
      const { every = '1h', by, search = '', from: _, to: __, ...filter } = query;
      const period = periodOf(query, every, timeZone, now);
      const isByPriority = by === 'priority';
      const asked = {
        caller: callerOf(principal),
        filter: { ...filter, ...period },
        search,
        every,
        isByPriority,
        timeZone,
      };
      const spans = await store.read(countSeries, asked);
      return {
        from: printInstant(period.from, timeZone),
        to: printInstant(period.to, timeZone),
        items: spans.map((span) => printSpan(span, isByPriority, timeZone)),
      };
    },
  });
}

function periodOf(query: Static<typeof parameters>, every: SpanName, timeZone: string, now: number) {
  const given = parsePeriod(query, timeZone);
  // The present millisecond counts.
  const to = given.to ?? Math.max(now + 1, (given.from ?? 0) + 1);
  const from = given.from ?? to - defaultSpans[every] * spanLengths[every];
  const count = Math.ceil((to - from) / spanLengths[every]);
  if (count <= maxSpans) return { from, to };
  const message = `would give ${count} spans, at most ${maxSpans} are possible: take longer ones or a shorter period`;
  throw new AppError('unprocessable', `every ${message}.`, { errors: [{ field: 'every', message }] });
}
