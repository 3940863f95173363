// The route of the installation itself: where Tocsin's own alarms are.

import { Type } from 'typebox';
import { callerOf } from '../domain/access/access.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { listSystemServers } from '../operations/plant/queries.ts';
import type { Store } from '../store/store.ts';
import { idOf } from '../wire/paging.ts';

const systemServer = Type.Object(
  { stationId: idOf('station'), dataServerId: idOf('data server') },
  { title: 'SystemDataServer', description: 'Where the alarms of Tocsin itself about a station are.' },
);

export function siteRoute({ store }: { readonly store: Store }): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/site',
    operationId: 'getSite',
    scope: 'signed-in',
    tag: 'Site',
    summary: 'Get the installation',
    responses: {
      200: Type.Object(
        {
          systemDataServers: Type.Array(systemServer, {
            description: 'The data servers of the alarms that Tocsin itself raises, one for each station.',
          }),
        },
        { title: 'Site', description: 'The installation.' },
      ),
    },
    refusals: [],
    handle: async ({ principal }) => ({
      systemDataServers: await store.read(listSystemServers, { caller: callerOf(principal) }),
    }),
  });
}
