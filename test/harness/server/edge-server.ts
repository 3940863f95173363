// Starts an HTTP server with a few routes of every kind, for tests that need no store.

import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Type } from 'typebox';
import type { Principal, Scope } from '../../../src/domain/access/access.ts';
import { AppError } from '../../../src/errors.ts';
import { referenceRoutes } from '../../../src/http/docs/routes.ts';
import { defineRoute, type Route } from '../../../src/http/route.ts';
import { createServer, type HttpServerOptions } from '../../../src/http/server.ts';
import { healthRoutes } from '../../../src/routes/health.ts';
import { listQuery, optionalText, pageOf, pagingCollection, printPage, text, uint } from '../../../src/wire/paging.ts';

type LogLine = { readonly level: number; readonly msg: string; readonly requestId?: string };

export type EdgeServer = {
  readonly app: FastifyInstance;
  readonly close: () => Promise<void>;
  readonly url: string;
  readonly port: number;
  readonly routes: readonly Route[];
  readonly log: () => readonly LogLine[];
  /** How the next probe of the store ends. */
  readonly probed: { error?: AppError };
  readonly registry: Registry;
  /** The inputs that the handlers received, in order. */
  readonly seen: unknown[];
};

const tokens: Readonly<Record<string, readonly Scope[]>> = {
  reader: ['directory:read'],
  writer: ['directory:read', 'directory:write'],
  admin: ['admin'],
};

export function bearer(token: keyof typeof tokens): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function authenticate(token: string): Promise<Principal | undefined> {
  const scopes = tokens[token];
  if (scopes === undefined) return undefined;
  return { kind: 'user', id: 1, name: token, sessionId: 1, scopes, stationIds: [] };
}

function demoRoutes(seen: unknown[]): Route[] {
  const shared = { tag: 'Demo', refusals: [] } as const;
  const station = Type.Object(
    {
      name: text(20, { examples: ['North'] }),
      priority: Type.Optional(uint()),
      place: Type.Optional(Type.Object({ latitude: Type.Number() })),
      contacts: Type.Optional(Type.Array(Type.Object({ id: uint() }), { maxItems: 1000 })),
    },
    { title: 'StationBody' },
  );
  return [
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/api/v1/stations',
      scope: 'directory:write',
      operationId: 'createStation',
      summary: 'Make a station',
      body: station,
      responses: { 200: uint() },
      handle: async ({ body }) => {
        seen.push(body);
        return 42;
      },
    }),
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/api/v1/stations',
      scope: 'directory:read',
      operationId: 'listStations',
      summary: 'List stations',
      query: listQuery(1000, { stationId: Type.Optional(uint()) }),
      responses: { 200: pagingCollection(Type.Object({ id: uint() }), { withOffset: true }) },
      handle: async ({ query }) => {
        seen.push(query);
        const { offset, limit } = pageOf(query, 1000);
        return printPage([{ id: 1 }], { offset, limit, total: 1 });
      },
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      path: '/api/v1/stations/:id',
      scope: 'signed-in',
      operationId: 'deleteStation',
      summary: 'Remove a station',
      params: Type.Object({ id: uint() }),
      responses: { 200: Type.Void() },
      refusals: ['not-found', 'unavailable', 'too-many-requests'],
      handle: async ({ params }) => {
        if (params.id === 404) throw new AppError('not-found', 'There is no station 404.');
        if (params.id === 503) throw new AppError('unavailable', 'The store is busy.');
        if (params.id === 429) throw new AppError('too-many-requests', 'Slower.', { retryAfterSeconds: 7 });
        if (params.id === 500) throw new Error('SQLITE_BUSY in SELECT * FROM secrets at /var/lib/tocsin');
        return undefined;
      },
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/api/v1/auth/login',
      scope: 'public',
      operationId: 'signIn',
      summary: 'Sign in',
      body: Type.Object({ username: text(256), password: text(1024), note: optionalText() }),
      bodyTypes: ['application/json', 'application/x-www-form-urlencoded'],
      responses: { 200: Type.Boolean() },
      handle: async ({ body }) => body.password === 'right',
    }),
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/api/v1/name',
      scope: 'public',
      operationId: 'getName',
      summary: 'A bare text',
      responses: { 200: Type.String() },
      handle: async ({ request, setHeader }) => {
        setHeader('tocsin-warnings', 'é\r\nset-cookie: a=b');
        return `"${request.remoteAddress}"`;
      },
    }),
  ];
}

type Changes = Partial<
  Pick<
    HttpServerOptions,
    'basePath' | 'tls' | 'stopGraceMs' | 'maxConnections' | 'stalledMs' | 'heldBytes' | 'observer'
  >
> & {
  readonly level?: string;
};

/** Starts a server, which is closed after the test. */
export async function edgeServer(
  t: TestContext,
  { basePath = '', tls, stopGraceMs = 0, maxConnections = 1_000, level = 'info', ...more }: Changes = {},
): Promise<EdgeServer> {
  const lines: LogLine[] = [];
  const log = pino({ level }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const seen: unknown[] = [];
  const probed: EdgeServer['probed'] = {};
  const registry = new Registry();
  const served = [
    ...demoRoutes(seen),
    ...healthRoutes({
      registry,
      probe: async () => (probed.error === undefined ? { ok: true, ms: 1 } : { ok: false, error: probed.error }),
      callingHealth: async () => ({ troubles: [], isSimulated: true }),
    }),
  ];
  const routes = [...served, ...referenceRoutes(served, { version: '0.0.1', basePath })];
  const options = { ...more, basePath, tls, stopGraceMs, maxConnections, log, routes };
  const { app, close } = createServer({
    ...options,
    trustedProxies: [],
    allowedOrigins: [],
    authenticate,
    now: Date.now,
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(close);
  return {
    app,
    close,
    url: `${origin}${basePath}`,
    port: Number(new URL(origin).port),
    routes,
    log: () => lines.filter(({ msg }) => !msg.startsWith('Server listening')),
    probed,
    registry,
    seen,
  };
}

/** Sends raw bytes; returns everything received until the server closes the connection or `meanwhile` is done. */
export function rawExchange(port: number, bytes: string | Buffer, meanwhile?: () => Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const hangUp = () => socket.destroy();
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(bytes, () => void meanwhile?.().then(hangUp).catch(reject)),
    );
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}
