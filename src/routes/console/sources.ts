// The route of sources: what came last from each API key and data server, how often usually, and which are silent.

import { Type } from 'typebox';
import { callerOf } from '../../domain/access/access.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { listSources } from '../../operations/sources/list-sources.ts';
import type { Store } from '../../store/store.ts';
import { listQuery, only, pageOf, pagingCollection, printPage } from '../../wire/paging.ts';
import { printSource, sourceSchema } from '../../wire/source.ts';

const defaultLimit = 1_000;
const { offset, limit } = listQuery(defaultLimit, {}).properties;

export function sourceRoute({ store, timeZone }: { readonly store: Store; readonly timeZone: string }): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/sources',
    operationId: 'listSources',
    scope: 'directory:read',
    tag: 'Sources',
    summary: 'List sources',
    description:
      'The API keys that may send alarms, then the data servers: when an alarm or a value last came, how often one usually comes, and whether the source is silent. What comes is written down every 10 s.',
    query: Type.Object({ offset, limit, stationId: only('of this station') }),
    responses: { 200: pagingCollection(sourceSchema, { withOffset: true }) },
    refusals: [],
    handle: async ({ query, principal, now }) => {
      const { offset, limit } = pageOf(query, defaultLimit);
      const listing = { caller: callerOf(principal), now, stationId: query.stationId, limit, offset };
      const { items, total } = await store.read(listSources, listing);
      return printPage(
        items.map((source) => printSource(source, timeZone)),
        { offset, limit, total },
      );
    },
  });
}
