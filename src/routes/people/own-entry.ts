// Routes by which people change their own entry, and supervisors the duty of others, without the scope `admin`.

import { type Static, Type } from 'typebox';
import { hashPassword, type PasswordCost } from '../../access/password.ts';
import type { Principals } from '../../access/principals.ts';
import { callerAt, callerOf, type Principal } from '../../domain/access/access.ts';
import { isCallable } from '../../domain/calls/usable-numbers.ts';
import type { Stored, User } from '../../domain/people/entities.ts';
import { AppError } from '../../errors.ts';
import { etagHeader, ifMatchHeaders, ifMatchOf, printEntityTag } from '../../http/entity-tag.ts';
import { type Call, defineRoute, type Route } from '../../http/route.ts';
import { entityTagOf } from '../../operations/entity-tag.ts';
import { getPeopleEntry } from '../../operations/people/queries.ts';
import { changeOwnEntry, setDuty } from '../../operations/people/users/own-entry.ts';
import type { Store } from '../../store/store.ts';
import { optionalId } from '../../wire/entry.ts';
import { idParams } from '../../wire/paging.ts';
import { ownEntryBody, readOwnEntry } from '../../wire/people/own-entry.ts';
import { printUser, userSchema } from '../../wire/people/user.ts';
import { warningsHeader } from '../alarms.ts';

type OwnEntryParts = {
  readonly store: Store;
  readonly principals: Principals;
  readonly passwordCost: PasswordCost | undefined;
};

const tag = 'Users';
const path = '/api/v1/me';

export function ownEntryRoutes(parts: OwnEntryParts): Route[] {
  return [ownEntryRoute(parts), changeRoute(parts), dutyRoute(parts)];
}

/** The user who is signed in. */
export function selfOf({ kind, id }: Principal): number {
  if (kind === 'user') return id;
  throw new AppError('not-found', 'An API key is no person: sign in as one.');
}

function shown(user: Stored<User>, setHeader: Call['setHeader']): Static<typeof userSchema> {
  setHeader('etag', printEntityTag(entityTagOf(user)));
  return printUser(user);
}

function ownEntryRoute({ store }: OwnEntryParts): Route {
  return defineRoute({
    method: 'GET',
    path,
    scope: 'signed-in',
    tag,
    operationId: 'getOwnUser',
    summary: 'Get your own user',
    description: 'The user who is signed in; for an API key there is none.',
    responses: { 200: userSchema },
    responseHeaders: etagHeader,
    refusals: ['not-found'],
    handle: async ({ principal, setHeader }) => {
      const id = selfOf(principal);
      const user = await store.read(getPeopleEntry, { kind: 'user', id, caller: callerOf(principal) });
      if (user === undefined) throw new AppError('not-found', `There is no user ${id}.`);
      return shown(user as Stored<User>, setHeader);
    },
  });
}

function changeRoute({ store, principals, passwordCost }: OwnEntryParts): Route {
  return defineRoute({
    method: 'PUT',
    path,
    scope: 'signed-in',
    tag,
    operationId: 'changeOwnUser',
    summary: 'Change your own user',
    description:
      'Numbers, PIN, language, time zone and duty; what is not given stays. A number with a new address is not verified, and is not called before its code was given back.',
    headers: ifMatchHeaders,
    body: ownEntryBody,
    responses: { 200: userSchema },
    responseHeaders: etagHeader,
    refusals: ['not-found', 'precondition-failed'],
    handle: async ({ body, principal, request, setHeader }) => {
      const userId = selfOf(principal);
      const { pin } = body;
      const pinHash = typeof pin === 'string' ? await hashPassword(pin, passwordCost) : pin;
      const change = readOwnEntry(body, pinHash);
      const ifMatch = ifMatchOf(request.headers);
      const user = await store.write(changeOwnEntry, { caller: callerAt(principal, request), userId, change, ifMatch });
      principals.onEvent({ kind: 'user.changed' });
      if (!user.numbers.some(isCallable))
        setHeader(warningsHeader, 'you cannot be called: none of your numbers is valid and verified');
      return shown(user, setHeader);
    },
  });
}

const dutyBody = Type.Object(
  {
    onDuty: Type.Optional(Type.Boolean({ description: 'Otherwise nobody calls the user, in any group.' })),
    replacedById: optionalId('Who is called in their place, in all groups; 0: nobody.'),
  },
  {
    title: 'DutyBody',
    description: 'Whether somebody is called, and who is called in their place; what is not given stays.',
    examples: [{ onDuty: false }],
  },
);

function dutyRoute({ store, principals }: OwnEntryParts): Route {
  return defineRoute({
    method: 'PUT',
    path: '/api/v1/users/:id/duty',
    scope: 'directory:write',
    tag,
    operationId: 'setDuty',
    summary: 'Set somebody on or off duty',
    description: 'In all groups. Unlike other changes of users it does not need the scope `admin`.',
    params: idParams('user', 2),
    headers: ifMatchHeaders,
    body: dutyBody,
    responses: { 200: userSchema },
    responseHeaders: etagHeader,
    refusals: ['not-found', 'precondition-failed'],
    handle: async ({ params: { id }, body, principal, request, setHeader }) => {
      const { onDuty, replacedById } = body;
      const ifMatch = ifMatchOf(request.headers);
      const input = { caller: callerAt(principal, request), id, onDuty, replacedById, ifMatch };
      const user = await store.write(setDuty, input);
      principals.onEvent({ kind: 'user.changed' });
      return shown(user, setHeader);
    },
  });
}
