// Access routes: sign in and out, sessions and API keys.

import { Type } from 'typebox';
import type { Principals } from '../access/principals.ts';
import type { SignIn } from '../access/sign-in.ts';
import { makeToken } from '../access/token.ts';
import { callerAt, mayUse, type Principal, scopes } from '../domain/access/access.ts';
import { AppError } from '../errors.ts';
import { defineRoute, type Route, respond } from '../http/route.ts';
import { createApiKey, revokeApiKey } from '../operations/access/api-keys.ts';
import { type ApiKeyEntry, listApiKeys, listSessions } from '../operations/access/queries.ts';
import { endSession } from '../operations/access/sessions.ts';
import type { Store } from '../store/store.ts';
import { dateTimeText, parseDateTime, printInstant } from '../wire/date-time.ts';
import { listQuery, optionalText, pageOf, pagingCollection, printPage, uint } from '../wire/paging.ts';

type AuthParts = {
  readonly store: Store;
  readonly signIn: SignIn;
  readonly principals: Principals;
  readonly timeZone: string;
  readonly tokenSeconds: number;
  /** Called for each refused sign-in. */
  readonly onSignInRefused: (refusal: RefusedSignIn) => void;
};

type RefusedSignIn = {
  readonly name: string;
  readonly address: string;
  readonly code: 'wrong-credentials' | 'too-many-requests';
};

const tag = 'Access';
const defaultLimit = 1_000;
const params = Type.Object({ id: uint() });
const done = { 200: Type.Literal(true) };

export function authRoutes(parts: AuthParts): Route[] {
  return [loginRoute(parts), logoutRoute(parts), ...sessionRoutes(parts), ...keyRoutes(parts)];
}

const oauthError = Type.Object({
  error: Type.String({ examples: ['invalid_grant'] }),
  error_description: Type.String(),
});

function loginRoute({ signIn, tokenSeconds, onSignInRefused }: AuthParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/auth/login',
    scope: 'public',
    tag,
    summary: 'Sign in',
    description:
      'Returns an access token for the header `Authorization: Bearer <token>`. Refusals have the shape of OAuth 2.',
    bodyTypes: ['application/json', 'application/x-www-form-urlencoded'],
    body: Type.Object({
      grant_type: optionalText(64, { description: 'Always `password`.', examples: ['password'] }),
      username: optionalText(256, { examples: ['admin'] }),
      password: optionalText(1_024),
    }),
    responses: {
      200: Type.Object({
        access_token: Type.String(),
        token_type: Type.Literal('bearer'),
        expires_in: uint({ description: 'Seconds until the token expires.' }),
        id: Type.String({ description: 'The session.' }),
        name: Type.String({ description: "The user's name." }),
      }),
      400: oauthError,
      429: oauthError,
    },
    refusals: ['unavailable'],
    handle: async ({ body: { grant_type, username = '', password = '' }, request, setHeader }) => {
      if (grant_type !== 'password') return refuse('unsupported_grant_type', 'grant_type must be "password".');
      if (username === '' || password === '') return refuse('invalid_request', 'username and password are needed.');
      const { remoteAddress: address } = request;
      const outcome = await signIn.signIn({ name: username, password, address });
      if (outcome.kind !== 'signed-in')
        onSignInRefused({
          name: username,
          address,
          code: outcome.kind === 'wrong' ? 'wrong-credentials' : 'too-many-requests',
        });
      if (outcome.kind === 'wrong') return refuse('invalid_grant', 'The user name or the password is wrong.');
      if (outcome.kind === 'wait') {
        setHeader('retry-after', String(outcome.seconds));
        const error_description = `Too many failed sign-ins. Try again in ${outcome.seconds} s.`;
        return respond(429, { error: 'slow_down', error_description });
      }
      return {
        access_token: outcome.token,
        token_type: 'bearer' as const,
        expires_in: tokenSeconds,
        id: String(outcome.sessionId),
        name: outcome.userName,
      };
    },
  });
}

function refuse(error: string, error_description: string) {
  return respond(400, { error, error_description });
}

function logoutRoute({ store, principals }: AuthParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/auth/logout',
    scope: 'signed-in',
    tag,
    summary: 'Sign out',
    description: 'Ends the session of the token at once.',
    responses: done,
    refusals: ['unprocessable'],
    handle: async ({ principal, request }) => {
      if (principal.sessionId === undefined)
        throw new AppError('unprocessable', 'An API key has no session: revoke the key instead.');
      const { id: userId, sessionId: id } = principal;
      await store.write(endSession, { caller: callerAt(principal, request), id, userId, isOwn: true });
      principals.onEvent({ kind: 'session.ended' });
      return true as const;
    },
  });
}

/**
 * Returns the id of the user whose sessions the caller may see and end; 0 means all users. An API key has no sessions.
 */
function sessionsOf(principal: Principal): number {
  if (mayUse(principal, 'admin')) return 0;
  return principal.kind === 'user' ? principal.id : -1;
}

function sessionRoutes({ store, principals, timeZone }: AuthParts): Route[] {
  const session = Type.Object({
    id: uint(),
    userId: uint(),
    user: Type.String(),
    address: Type.String({ description: 'Where the sign-in came from.' }),
    createdTime: Type.String(),
    expiryTime: Type.String(),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  });
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/auth/sessions',
      scope: 'signed-in',
      tag,
      summary: 'List open sessions',
      description: "The caller's own; with the scope admin everybody's.",
      query: listQuery(defaultLimit, {}),
      responses: { 200: pagingCollection(session, { withOffset: true }) },
      refusals: [],
      handle: async ({ query, principal, now }) => {
        const { offset, limit, descending } = pageOf(query, defaultLimit);
        const order = descending ? 'desc' : 'asc';
        const page = await store.read(listSessions, { now, offset, limit, order, userId: sessionsOf(principal) });
        const items = page.items.map(({ id, userId, userName, address, createdAt, expiresAt }) => ({
          id,
          userId,
          user: userName,
          address,
          createdTime: printInstant(createdAt, timeZone),
          expiryTime: printInstant(expiresAt, timeZone),
          current: id === principal.sessionId,
        }));
        return printPage(items, { offset, limit, total: page.total });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/v1/auth/sessions/:id',
      scope: 'signed-in',
      tag,
      summary: 'End a session',
      params,
      responses: done,
      refusals: ['not-found'],
      handle: async ({ params: { id }, principal, request }) => {
        const isOwn = id === principal.sessionId;
        const caller = callerAt(principal, request);
        await store.write(endSession, { caller, id, userId: sessionsOf(principal), isOwn });
        principals.onEvent({ kind: 'session.ended' });
        return true as const;
      },
    }),
  ];
}

const keyFields = {
  name: Type.String({ minLength: 1, maxLength: 256, examples: ['PLC gateway'] }),
  scopes: Type.Array(Type.Enum(scopes), { minItems: 1, maxItems: scopes.length, uniqueItems: true }),
  stationIds: Type.Array(uint(), {
    description: 'The stations the key is bound to; empty means all.',
    maxItems: 1_000,
  }),
};

const keySchema = Type.Object({
  id: uint(),
  ...keyFields,
  createdBy: Type.String({ examples: ['user:1'] }),
  createdTime: Type.String(),
  expiryTime: Type.String(),
  lastUsedTime: Type.Optional(Type.String({ description: 'To the minute; absent if the key was never used.' })),
});

function printKey(key: ApiKeyEntry, timeZone: string) {
  const { id, name, createdBy, lastUsedAt } = key;
  return {
    id,
    name,
    scopes: [...key.scopes],
    stationIds: [...key.stationIds],
    createdBy,
    createdTime: printInstant(key.createdAt, timeZone),
    expiryTime: printInstant(key.expiresAt, timeZone),
    ...(lastUsedAt === undefined ? {} : { lastUsedTime: printInstant(lastUsedAt, timeZone) }),
  };
}

function keyRoutes({ store, principals, timeZone }: AuthParts): Route[] {
  const shared = { scope: 'admin', tag } as const;
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/api/v1/auth/keys',
      summary: 'List API keys',
      query: listQuery(defaultLimit, {}),
      responses: { 200: pagingCollection(keySchema, { withOffset: true }) },
      refusals: [],
      handle: async ({ query }) => {
        const { offset, limit, descending } = pageOf(query, defaultLimit);
        const page = await store.read(listApiKeys, { offset, limit, order: descending ? 'desc' : 'asc' });
        const items = page.items.map((key) => printKey(key, timeZone));
        return printPage(items, { offset, limit, total: page.total });
      },
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/api/v1/auth/keys',
      summary: 'Make an API key',
      description: 'Returns the token, which is shown only once and cannot be retrieved later.',
      body: Type.Object({
        name: keyFields.name,
        scopes: keyFields.scopes,
        stationIds: Type.Optional(keyFields.stationIds),
        expiryTime: dateTimeText({ description: 'When the key expires.' }),
      }),
      responses: { 200: Type.Object({ id: uint(), token: Type.String() }) },
      refusals: ['name-taken'],
      handle: async ({ body, principal, request, now }) => {
        const { token, tokenHash } = makeToken('key');
        const expiresAt = expiryOf(body.expiryTime, timeZone, now);
        const { name, scopes, stationIds = [] } = body;
        const input = { caller: callerAt(principal, request), name, tokenHash, scopes, stationIds, expiresAt };
        return { id: await store.write(createApiKey, input), token };
      },
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      path: '/api/v1/auth/keys/:id',
      summary: 'Revoke an API key',
      params,
      responses: done,
      refusals: ['not-found'],
      handle: async ({ params: { id }, principal, request }) => {
        await store.write(revokeApiKey, { caller: callerAt(principal, request), id });
        principals.onEvent({ kind: 'key.revoked' });
        return true as const;
      },
    }),
  ];
}

function expiryOf(text: string, timeZone: string, now: number): number {
  const expiresAt = parseDateTime(text, timeZone);
  if (expiresAt !== undefined && expiresAt > now) return expiresAt;
  const message = 'must be a time in the future';
  throw new AppError('invalid-input', `expiryTime ${message}.`, { errors: [{ field: 'expiryTime', message }] });
}
