// Access routes: sign in and out, sessions and API keys.

import { Type } from 'typebox';
import type { Principals } from '../access/principals.ts';
import type { SignIn } from '../access/sign-in.ts';
import { makeToken } from '../access/token.ts';
import { callerAt, mayUse, type Principal, scopes } from '../domain/access/access.ts';
import { longestKeyName } from '../domain/access/new-api-key.ts';
import { AppError } from '../errors.ts';
import { deviceCookie, deviceIn } from '../http/device-cookie.ts';
import { scopeMeanings } from '../http/openapi/scope-meanings.ts';
import { defineRoute, type Route, respond } from '../http/route.ts';
import { createApiKey, revokeApiKey } from '../operations/access/api-keys.ts';
import { type ApiKeyEntry, listApiKeys, listSessions } from '../operations/access/queries.ts';
import { endSession } from '../operations/access/sessions.ts';
import type { Store } from '../store/store.ts';
import { dateTimeText, instantText, parseDateTime, printInstant } from '../wire/date-time.ts';
import {
  choice,
  idOf,
  idParams,
  listQuery,
  optionalText,
  pageOf,
  pagingCollection,
  printPage,
  uint,
} from '../wire/paging.ts';

type AuthParts = {
  readonly basePath: string;
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
  readonly userId: number | undefined;
  readonly address: string;
  readonly code: 'wrong-credentials' | 'too-many-requests';
};

const tag = 'Access';
const defaultLimit = 1_000;
const done = { 200: Type.Literal(true, { description: 'It is done.' }) };

export function authRoutes(parts: AuthParts): Route[] {
  return [loginRoute(parts), logoutRoute(parts), ...sessionRoutes(parts), ...keyRoutes(parts)];
}

const oauthError = Type.Object(
  {
    error: Type.String({ description: 'The kind of refusal, for programs.', examples: ['invalid_grant'] }),
    error_description: Type.String({ description: 'What was wrong, for people.' }),
  },
  { title: 'OAuthError', description: 'Why a sign-in was refused, in the form of OAuth 2.' },
);

const credentials = Type.Object(
  {
    grant_type: optionalText(64, { description: 'Always `password`.', examples: ['password'] }),
    username: optionalText(256, { description: 'The name of the user.', examples: ['admin'] }),
    password: optionalText(1_024, { description: 'The password.', examples: ['the password of admin'] }),
  },
  { title: 'Credentials', description: 'Who signs in.' },
);

const signedIn = Type.Object(
  {
    access_token: Type.String({ description: 'The token for the header `Authorization`.' }),
    token_type: Type.Literal('bearer', { description: 'Always `bearer`.' }),
    expires_in: uint({ description: 'Seconds until the token expires.', examples: [1_209_599] }),
    id: Type.String({ description: 'The session.', examples: ['1'] }),
    name: Type.String({ description: "The user's name.", examples: ['admin'] }),
  },
  { title: 'SignedIn', description: 'A token, and whose it is.' },
);

const loginPath = '/api/v1/auth/login';

function loginRoute({ basePath, signIn, tokenSeconds, onSignInRefused }: AuthParts): Route {
  return defineRoute({
    method: 'POST',
    path: loginPath,
    scope: 'public',
    tag,
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Returns an access token for the header `Authorization: Bearer <token>`. Refusals have the shape of OAuth 2. A browser also gets a cookie, by which it stays known: it does not wait for what others guess at the account, and the cookie gives no access.',
    bodyTypes: ['application/json', 'application/x-www-form-urlencoded'],
    body: credentials,
    responses: { 200: signedIn, 400: oauthError, 429: oauthError },
    refusals: ['unavailable'],
    handle: async ({ body: { grant_type, username = '', password = '' }, request, setHeader }) => {
      if (grant_type !== 'password') return refuse('unsupported_grant_type', 'grant_type must be "password".');
      if (username === '' || password === '') return refuse('invalid_request', 'username and password are needed.');
      const { remoteAddress: address } = request;
      const device = deviceIn(request.headers);
      const outcome = await signIn.signIn({ name: username, password, address, ...device });
      if (outcome.kind !== 'signed-in')
        onSignInRefused({
          name: username,
          userId: outcome.userId,
          address,
          code: outcome.kind === 'wrong' ? 'wrong-credentials' : 'too-many-requests',
        });
      if (outcome.kind === 'wrong') return refuse('invalid_grant', 'The user name or the password is wrong.');
      if (outcome.kind === 'wait') {
        setHeader('retry-after', String(outcome.seconds));
        const error_description = `Too many failed sign-ins. Try again in ${outcome.seconds} s.`;
        return respond(429, { error: 'slow_down', error_description });
      }
      if (outcome.mark !== undefined)
        setHeader('set-cookie', deviceCookie(outcome.mark, `${basePath}${loginPath}`, request.headers));
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
    operationId: 'signOut',
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

const session = Type.Object(
  {
    id: idOf('session'),
    userId: idOf('user'),
    user: Type.String({ description: 'The name of the user.', examples: ['admin'] }),
    address: Type.String({ description: 'Where the sign-in came from.' }),
    createdTime: instantText('When the user signed in.'),
    expiryTime: instantText('When the session ends by itself.'),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  { title: 'Session', description: 'A user who is signed in.' },
);

function sessionRoutes({ store, principals, timeZone }: AuthParts): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/auth/sessions',
      scope: 'signed-in',
      tag,
      operationId: 'listSessions',
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
      operationId: 'endSession',
      summary: 'End a session',
      params: idParams('session'),
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

export const scope = choice(
  scopes.map((name) => [name, scopeMeanings[name]] as const),
  { title: 'Scope', description: 'Something that a caller may do.' },
);

const keyFields = {
  name: Type.String({
    minLength: 1,
    maxLength: longestKeyName,
    description: 'The name of the key.',
    examples: ['PLC gateway'],
  }),
  scopes: Type.Array(scope, {
    minItems: 1,
    maxItems: scopes.length,
    uniqueItems: true,
    description: 'What the key may do.',
    examples: [['alarms:write']],
  }),
  stationIds: Type.Array(uint(), {
    description: 'The stations the key is bound to; empty means all.',
    maxItems: 1_000,
  }),
};

const keySchema = Type.Object(
  {
    id: idOf('key'),
    ...keyFields,
    createdBy: Type.String({ description: 'Who made it.', examples: ['user:1'] }),
    createdTime: instantText('When it was made.'),
    expiryTime: instantText('When it expires.'),
    lastUsedTime: Type.Optional(instantText('When it was last used, to the minute; absent if it never was.')),
  },
  { title: 'ApiKey', description: 'A key of a machine.' },
);

const keyBody = Type.Object(
  {
    name: keyFields.name,
    scopes: keyFields.scopes,
    stationIds: Type.Optional(keyFields.stationIds),
    expiryTime: dateTimeText({ description: 'When the key expires.' }),
  },
  {
    title: 'ApiKeyBody',
    description: 'A key to make.',
    examples: [{ name: 'PLC gateway', scopes: ['alarms:write'], expiryTime: '2099-01-01T00:00:00Z' }],
  },
);

const newKey = Type.Object(
  {
    id: idOf('key'),
    token: Type.String({ description: 'The token for the header `Authorization`; shown only here.' }),
  },
  { title: 'NewApiKey', description: 'A key that was made.' },
);

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
      operationId: 'listApiKeys',
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
      operationId: 'createApiKey',
      summary: 'Make an API key',
      description: 'Returns the token, which is shown only once and cannot be retrieved later.',
      body: keyBody,
      responses: { 200: newKey },
      refusals: ['name-taken'],
      handle: async ({ body, principal, request }) => {
        const { token, tokenHash } = makeToken('key');
        const expiresAt = expiryOf(body.expiryTime, timeZone);
        const { name, scopes, stationIds = [] } = body;
        const input = { caller: callerAt(principal, request), name, tokenHash, scopes, stationIds, expiresAt };
        return { id: await store.write(createApiKey, input), token };
      },
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      path: '/api/v1/auth/keys/:id',
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      params: idParams('key'),
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

function expiryOf(text: string, timeZone: string): number {
  const expiresAt = parseDateTime(text, timeZone);
  if (expiresAt !== undefined) return expiresAt;
  const message = 'must be a date and time';
  throw new AppError('invalid-input', `expiryTime ${message}.`, { errors: [{ field: 'expiryTime', message }] });
}
