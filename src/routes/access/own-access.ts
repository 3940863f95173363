// The route by which a caller learns who it is: name, rights, stations, language, and when its token expires.

import { type Static, Type } from 'typebox';
import type { Principals } from '../../access/principals.ts';
import { callerOf, type Principal } from '../../domain/access/access.ts';
import type { Stored, User } from '../../domain/people/entities.ts';
import { AppError } from '../../errors.ts';
import { bearerToken } from '../../http/requests/request-token.ts';
import { type Call, defineRoute, type Route } from '../../http/route.ts';
import { getCallPolicy } from '../../operations/calls/control/call-policy.ts';
import { getPeopleEntry } from '../../operations/people/queries.ts';
import type { Store } from '../../store/store.ts';
import { instantText, printInstant } from '../../wire/date-time.ts';
import { languageText, timeZoneText } from '../../wire/locale.ts';
import { uint } from '../../wire/paging.ts';
import { role } from '../../wire/people/user.ts';
import { scope } from '../auth.ts';

type OwnAccessParts = { readonly store: Store; readonly principals: Principals; readonly timeZone: string };

const ownAccess = Type.Object(
  {
    userId: Type.Optional(uint({ description: 'The id of the user; absent for an API key.', examples: [1] })),
    name: Type.String({ description: 'The name of the user or of the API key.', examples: ['admin'] }),
    role: Type.Optional(role),
    scopes: Type.Array(scope, { description: 'What the token may be used for.' }),
    stationIds: Type.Array(uint(), { description: 'The stations the caller is bound to; empty means all.' }),
    language: languageText('The language of the user; without one, and for an API key, that of the call policy.'),
    timeZone: timeZoneText('The time zone of the user; for an API key that of the server.'),
    expiryTime: instantText('When the token expires.'),
  },
  { title: 'OwnAccess', description: 'Whose token it is, and what it may be used for. An API key has no role.' },
);

export function ownAccessRoute({ store, principals, timeZone }: OwnAccessParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/auth/me',
    scope: 'signed-in',
    tag: 'Access',
    operationId: 'getOwnAccess',
    summary: 'Who the caller is',
    description: 'The user or API key of the token, with its rights. `/api/v1/me` has the whole entry of a user.',
    responses: { 200: ownAccess },
    refusals: [],
    handle: async ({ principal, request }) => {
      const { name, scopes, stationIds } = principal;
      const user = await readUser(store, principal);
      const { policy } = await store.read(getCallPolicy, { caller: callerOf(principal) });
      const shown: Static<typeof ownAccess> = {
        ...(user === undefined ? {} : { userId: user.id }),
        name,
        ...(user === undefined ? {} : { role: user.role }),
        scopes: [...scopes],
        stationIds: [...stationIds],
        language: user?.language || policy.wording.defaultLanguage,
        timeZone: user?.timeZone ?? timeZone,
        expiryTime: printInstant(await expiryOf(principals, request), timeZone),
      };
      return shown;
    },
  });
}

async function readUser(store: Store, principal: Principal): Promise<Stored<User> | undefined> {
  if (principal.kind === 'key') return undefined;
  const entry = { kind: 'user', id: principal.id, caller: callerOf(principal) } as const;
  return (await store.read(getPeopleEntry, entry)) as Stored<User> | undefined;
}

/** Throws if the token has ended since the request was admitted. */
async function expiryOf(principals: Principals, { headers }: Call['request']): Promise<number> {
  const known = await principals.tokenOf(bearerToken(headers.authorization) ?? '');
  if (known === undefined) throw new AppError('not-signed-in', 'The access token is no longer valid.');
  return known.expiresAt;
}
