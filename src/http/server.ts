// The HTTP server: limits, security headers, content types, and unknown addresses.

import { constants, randomUUID } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import { gatherBody, stalledBodyMs } from './body/request-body.ts';
import { mostWaitingBytes, WaitingBytes } from './body/waiting-bytes.ts';
import { Connections } from './connections.ts';
import { handleOrigin } from './cors.ts';
import {
  type Authenticate,
  type RouteDeps,
  refusedRequest,
  registerRoutes,
  requestIdOf,
  requireScope,
  routeOf,
  withCommon,
} from './fastify-adapter.ts';
import { preferencesOf } from './preferences.ts';
import { problemOf, rawProblem, refusalOf } from './problem.ts';
import type { UnknownPage } from './ready-file.ts';
import type { RequestObserver } from './requests/refused-request.ts';
import { bearerToken } from './requests/request-token.ts';
import type { Route } from './route.ts';
import { unreadLimits } from './unread-responses.ts';

export type HttpServerOptions = {
  readonly basePath: string;
  /** The certificate and the key as PEM; undefined for plain HTTP. */
  readonly tls: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined;
  /** Origins other than the server's own whose pages may use the interface. */
  readonly allowedOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is trusted; none if empty. */
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
  readonly authenticate: Authenticate;
  readonly now: () => number;
  readonly routes: readonly Route[];
  readonly observer?: RequestObserver;
  /** How long idle connections stay open after the server has stopped listening, for requests on their way. */
  readonly stopGraceMs: number;
  readonly maxConnections: number;
  /** How long nothing of a body may arrive; 30 s if not given. */
  readonly stalledMs?: number;
  /** How many bytes of bodies are held at the same time; 128 MiB if not given. */
  readonly heldBytes?: number;
  /** Called at most once a minute while connections are refused, or closed for others. */
  readonly onRefusedConnections?: () => void;
  /** With status 404, for browsers; others get JSON. */
  readonly unknownPage?: UnknownPage;
  /** The alarm hub, which is served in addition to the routes, with the same headers. */
  readonly hub?: HubHandler;
};

type HubHandler = {
  owns(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

const maxParamLength = 256;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const limits: ServerOptions = {
  headersTimeout: 10_000,
  // For the whole body of somebody on a slow line; one that stops arriving is given up much earlier, see gatherBody.
  requestTimeout: 600_000,
  // How often the two timeouts above are checked; the default of 30 s would treble them.
  connectionsCheckingInterval: 2_000,
  // Longer than the usual 60 s of proxies, so that the proxy closes idle connections.
  keepAliveTimeout: 72_000,
  // Node would respond to a missing Host header itself, without our headers; see hostMistake.
  requireHostHeader: false,
};

const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

type HttpServer = {
  readonly app: FastifyInstance;
  /** Stops listening, answers what has been received, and closes everything. */
  readonly close: () => Promise<void>;
  /** Serves another certificate to the connections that come from now on. */
  readonly renewCertificate: (tls: NonNullable<HttpServerOptions['tls']>) => void;
};

/** The body of a request whose route takes none: it is not read, whatever it is. */
const unread = Buffer.alloc(0);

/** Returns a Fastify instance with all routes, not yet listening. */
export function createServer(options: HttpServerOptions): HttpServer {
  const { basePath, tls, log, stalledMs = stalledBodyMs, heldBytes = mostWaitingBytes } = options;
  const waiting = new WaitingBytes(heldBytes);
  const headers = tls === undefined ? securityHeaders : { ...securityHeaders, ...strictTransport };
  const connections = connectionsOf(options);
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendProblem(error, request, reply, { ...options, headers });
  const app: FastifyInstance = fastify({
    // Fastify would create a logger per request; our few log lines name the request themselves.
    logger: false,
    // Few requests need an id; see requestIdOf.
    genReqId: () => '',
    trustProxy: options.trustedProxies.length > 0 && [...options.trustedProxies],
    // Requests that arrive on open connections during a shutdown are handled normally, then the connection closes.
    return503OnClosing: false,
    // An alarm must not be lost over an extra slash.
    // Clients of the original product also send other capitals.
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true, caseSensitive: false, maxParamLength },
    // Fastify only uses this to report http or https; the server is created below.
    ...(tls === undefined ? {} : ({ https: {} } as object)),
    serverFactory: (listener) =>
      nodeServer(listenerOf(listener, options, headers, connections), options, headers, connections),
    frameworkErrors: fail,
    clientErrorHandler: (error, socket) =>
      connections.guard(socket, () =>
        connections.endWith(socket, rawProblem(error, { basePath, requestId: randomUUID() }, headers)),
      ),
  });
  app.setErrorHandler(fail);
  app.removeAllContentTypeParsers();
  // Collects the bytes only: the content type was checked with the token, and the handler parses them with its schema.
  // JSON is named although `*` includes it, because Fastify looks `*` up again for each request.
  app.addContentTypeParser(['application/json', '*'], (request, payload, done) => {
    const { declared } = request.routeOptions.config;
    if (declared !== undefined && declared.body === undefined) {
      payload.resume();
      return done(null, unread);
    }
    const isIntake = declared?.isIntake === true;
    const held = waiting.hold();
    request.heldBody = held;
    gatherBody(payload, { limit: request.bodyLimit, isIntake, stalledMs, held }, (error, bytes) => {
      // Fastify leaves out the body of a request that it refuses.
      if (error !== null) request.body = bytes;
      done(error, bytes);
    });
  });
  app.addHook('onRequest', (request, reply, done) => {
    // A response to a client that has left is never finished, and closes all the same.
    reply.raw.once('close', () => connections.guard(undefined, () => request.heldBody?.release()));
    if (!request.is404) done();
    else refuseUnrouted(app, request, reply, options, headers).catch(done);
  });
  if (log.isLevelEnabled('debug')) {
    app.addHook('onResponse', async (request, reply) => logResponse(log, request, reply));
  }
  const onCaller = (socket: Socket): void => connections.noteToken(socket);
  registerRoutes(app, options.routes, { ...options, headers, onCaller });
  const close = async (): Promise<void> => {
    await connections.stop();
    await app.close();
  };
  const renewCertificate: HttpServer['renewCertificate'] = (renewed) => {
    if (app.server instanceof SecureServer) app.server.setSecureContext({ ...tlsLimits, ...renewed });
  };
  return { app, close, renewCertificate };
}

function connectionsOf({ log, onRefusedConnections, ...options }: HttpServerOptions): Connections {
  const { stopGraceMs, maxConnections, trustedProxies: proxies } = options;
  const onCrowded = (count: number): void => {
    log.warn({ count, maxConnections }, 'connections were refused, or closed for others: too many are open');
    onRefusedConnections?.();
  };
  const onUnread = (count: number): void => log.warn({ count }, 'connections were closed: nobody read the response');
  const onFault = (error: unknown): void =>
    log.error({ err: error }, 'a connection was closed after an error in Tocsin');
  return new Connections({ stopGraceMs, maxConnections, proxies, unread: unreadLimits, onCrowded, onUnread, onFault });
}

const strictTransport = { 'strict-transport-security': 'max-age=31536000' };

/** TLS 1.3, and of TLS 1.2 only suites with forward secrecy and authenticated encryption. */
const tlsLimits: TlsOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  handshakeTimeout: 10_000,
};

type Headers = Readonly<Record<string, string>>;

function nodeServer(
  listener: RequestListener,
  options: HttpServerOptions,
  headers: Headers,
  connections: Connections,
): Server {
  const { tls, hub, basePath } = options;
  // Only the hub is upgraded: a client that offers HTTP/2 with its alarm continues in HTTP/1.1.
  const shouldUpgradeCallback = (request: IncomingMessage): boolean => hub?.owns(request) ?? false;
  const settings: ServerOptions & { shouldUpgradeCallback: typeof shouldUpgradeCallback } = {
    ...limits,
    shouldUpgradeCallback,
  };
  const server =
    tls === undefined
      ? createHttpServer(settings, listener)
      : createHttpsServer({ ...settings, ...tlsLimits, ...tls }, listener);
  connections.attach(server);
  server.on('upgrade', (request, socket: Socket, head) =>
    connections.guard(socket, () => {
      const mistake = hostMistake(request);
      if (mistake === undefined) {
        connections.noteUpgrade(socket);
        noteHubCaller(request, options, connections);
        hub?.upgrade(request, socket, head);
      } else connections.endWith(socket, rawProblem(mistake, { basePath, requestId: randomUUID() }, headers));
    }),
  );
  // Unknown expectations are ignored; Node would refuse them itself, without our headers.
  return server.on('checkExpectation', listener);
}

function listenerOf(
  listener: RequestListener,
  options: HttpServerOptions,
  headers: Headers,
  connections: Connections,
): RequestListener {
  const { hub, basePath, allowedOrigins } = options;
  const handle: RequestListener = (request, response) => {
    const mistake = hostMistake(request);
    if (mistake !== undefined) {
      const problem = problemOf(mistake, { basePath, requestId: randomUUID() });
      response.writeHead(problem.status, { ...headers, ...problem.headers }).end(problem.body);
    } else if (hub?.owns(request)) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      noteHubCaller(request, options, connections);
      hub.handle(request, response);
    } else if (!handleOrigin(request, response, allowedOrigins, headers)) listener(request, response);
  };
  return (request, response) => connections.handle(request, response, handle);
}

/** The hub looks tokens up itself; this one is for the share of the connection alone, and a failure is the hub's to report. */
function noteHubCaller(
  { headers, url = '', socket }: IncomingMessage,
  { authenticate }: Pick<HttpServerOptions, 'authenticate'>,
  connections: Connections,
): void {
  const token = bearerToken(headers.authorization) ?? new URLSearchParams(url.split('?', 2)[1]).get('access_token');
  if (!token) return;
  Promise.resolve(authenticate(token)).then(
    (caller) => connections.guard(socket, () => caller && connections.noteToken(socket)),
    () => {},
  );
}

/** A proxy in front may read another Host header than this server, which then decides on another address. */
function hostMistake({ rawHeaders, headers, httpVersion }: IncomingMessage): AppError | undefined {
  if (headers.host === undefined)
    return httpVersion === '1.1' ? new AppError('invalid-input', 'The Host header is missing.') : undefined;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count === 1 ? undefined : new AppError('invalid-input', 'The Host header is given more than once.');
}

/** Whether a route without a token is at the address, with whatever method. */
function isPublic(url: string, basePath: string, routes: readonly Route[]): boolean {
  return routes.some(
    ({ scope, path }) => scope === 'public' && `${basePath}${path}`.toLowerCase() === url.toLowerCase(),
  );
}

/**
 * Refuses requests without a route: an unknown address, or a known one with another method. Below /api/ only a caller
 * with a valid token is told which. Somebody at a browser gets a page.
 */
async function refuseUnrouted(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { basePath, authenticate, routes, unknownPage }: HttpServerOptions,
  common: Headers,
): Promise<void> {
  const url = request.url.split('?', 1)[0] ?? '';
  const isInterface = url.toLowerCase().startsWith(`${basePath}/api/`.toLowerCase());
  if (isInterface && !isPublic(url, basePath, routes)) {
    const token = bearerToken(request.headers.authorization);
    requireScope(token === undefined ? undefined : await authenticate(token), 'signed-in');
  }
  const allowed = methods.filter((method) => app.findRoute({ method, url }) !== null);
  if (allowed.length === 0) {
    const page = isInterface || !wantsPage(request) ? undefined : await unknownPage?.file();
    if (page === undefined) throw new AppError('not-found', 'There is nothing at this address.');
    reply.hijack();
    page.send(request.raw, reply.raw, { ...withCommon(reply.raw, common), ...unknownPage?.headers }, 404);
    return;
  }
  const allow = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  reply.header('allow', allow);
  throw new AppError('method-not-allowed', `This address takes ${allow}.`);
}

/** Whether somebody looks at the answer in a browser. */
function wantsPage({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && accept.includes('text/html');
}

type ProblemDeps = Pick<RouteDeps, 'basePath' | 'log' | 'headers' | 'observer'>;

function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { basePath, log, headers: common, observer }: ProblemDeps,
): FastifyReply {
  // A body that is too large or broken does not hide that the caller has no right.
  const expected = refusalOf(error);
  const refusal = request.refusal ?? expected;
  if (refusal !== undefined) {
    const { isStrict } = preferencesOf(request.headers.prefer);
    observer?.onRefused(refusedRequest(request, refusal, { isPartial: false, isStrict }));
  }
  if (expected === undefined) {
    const about = { requestId: requestIdOf(request), method: request.method, route: routeOf(request) };
    log.error({ err: error, ...about }, 'a request failed');
  }
  const { authorization } = request.headers;
  const context = {
    basePath,
    requestId: requestIdOf(request),
    ...(authorization === undefined ? {} : { authorization }),
  };
  const { status, headers, body } = problemOf(refusal, context);
  return reply
    .code(status)
    .headers({ ...withCommon(reply.raw, common), ...headers })
    .serializer(() => body)
    .send(body);
}

function logResponse(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { method } = request;
  const ms = Math.round(reply.elapsedTime);
  const requestId = requestIdOf(request);
  log.debug({ requestId, method, route: routeOf(request), status: reply.statusCode, ms }, 'answered');
}
