// The route of the installation itself: its name and zone for everybody, and for callers what a console needs to know.

import { type Static, Type } from 'typebox';
import type { Principals } from '../access/principals.ts';
import { callerOf, type Principal } from '../domain/access/access.ts';
import { offeredLanguages } from '../domain/calls/words/catalogue.ts';
import { AppError } from '../errors.ts';
import { bearerToken } from '../http/requests/request-token.ts';
import { type CallOrigin, defineRoute, type Route } from '../http/route.ts';
import { getSiteName } from '../operations/calls/control/call-policy.ts';
import { listSystemServers } from '../operations/plant/queries.ts';
import type { Store } from '../store/store.ts';
import { version } from '../version.ts';
import { instantText, printInstant } from '../wire/date-time.ts';
import { timeZoneText } from '../wire/locale.ts';
import { idOf, uint } from '../wire/paging.ts';

type SiteParts = {
  readonly store: Store;
  readonly principals: Principals;
  readonly timeZone: string;
  readonly hasSimulator: boolean;
  readonly longestMaskMs: number;
  /** How often a quiet connection to the hub gets a sign of life. */
  readonly hubKeepAliveMs: number;
};

const systemServer = Type.Object(
  { stationId: idOf('station'), dataServerId: idOf('data server') },
  { title: 'SystemDataServer', description: 'Where the alarms of Tocsin itself about a station are.' },
);

const siteSchema = Type.Object(
  {
    name: Type.String({ description: 'The `siteName` of the call policy; empty if it has none.', examples: [''] }),
    timeZone: timeZoneText('The zone of the times in responses.'),
    languages: Type.Array(Type.String(), {
      description: 'The languages in which people are spoken and written to.',
      examples: [['de', 'en', 'fr']],
    }),
    simulatedPhones: Type.Boolean({
      description: 'Whether simulated phones ring for numbers that nothing else serves.',
    }),
    now: Type.Optional(instantText("The server's time; its offset is that of the zone at present.")),
    version: Type.Optional(Type.String({ description: 'The version of Tocsin.', examples: ['0.1.0'] })),
    maskHours: Type.Optional(uint({ description: 'How many hours an alarm may be masked at most.', examples: [168] })),
    hubKeepAliveSeconds: Type.Optional(
      uint({ description: 'The longest time without a sign of life on a connection to the hub.', examples: [15] }),
    ),
    systemDataServers: Type.Optional(
      Type.Array(systemServer, {
        description: 'The data servers of the alarms that Tocsin itself raises, one for each station.',
      }),
    ),
  },
  { title: 'Site', description: 'The installation. `now` and the fields after it need a token.' },
);

type SiteJson = Static<typeof siteSchema>;

export function siteRoute(parts: SiteParts): Route {
  const { store, timeZone, hasSimulator } = parts;
  return defineRoute({
    method: 'GET',
    path: '/api/v1/site',
    operationId: 'getSite',
    scope: 'public',
    takesToken: true,
    tag: 'Site',
    summary: 'Get the installation',
    description: 'Without a token only what a page shows before somebody signs in.',
    responses: { 200: siteSchema },
    refusals: ['not-signed-in'],
    handle: async ({ request, now }) => {
      const principal = await holderOf(parts, request);
      const shown: SiteJson = {
        name: await store.read(getSiteName, {}),
        timeZone,
        languages: [...offeredLanguages],
        simulatedPhones: hasSimulator,
        ...(principal === undefined ? {} : await factsFor(principal, parts, now)),
      };
      return shown;
    },
  });
}

/** Undefined without a token; one that is not valid is refused, so that its owner notices. */
async function holderOf({ principals }: SiteParts, { headers }: CallOrigin): Promise<Principal | undefined> {
  if (headers.authorization === undefined) return undefined;
  const token = bearerToken(headers.authorization);
  const holder = token === undefined ? undefined : await principals.holderOf(token);
  if (holder === undefined)
    throw new AppError('not-signed-in', 'Send a valid access token in the header `Authorization`, or none.');
  return holder;
}

async function factsFor(principal: Principal, parts: SiteParts, now: number): Promise<Partial<SiteJson>> {
  const servers = await parts.store.read(listSystemServers, { caller: callerOf(principal) });
  return {
    now: printInstant(now, parts.timeZone),
    version,
    maskHours: parts.longestMaskMs / 3_600_000,
    hubKeepAliveSeconds: parts.hubKeepAliveMs / 1_000,
    systemDataServers: [...servers],
  };
}
