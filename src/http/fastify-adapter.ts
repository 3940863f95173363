// Registers declared routes with Fastify. Each request is checked in this order: token, scope, body; then the handler
// runs.

import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { type TObject, Type } from 'typebox';
import { mayUse, type Principal } from '../domain/access/access.ts';
import { AppError, attempt } from '../errors.ts';
import { bodyReader, noItemWarnings, noWarnings, refusingWarnings } from './body/body-reader.ts';
import { isProblem, refusedItems, type SentBody } from './body/refused-items.ts';
import { checkContentType, refusedBodyBytes } from './body/request-body.ts';
import type { HeldBytes } from './body/waiting-bytes.ts';
import { compress, responseEncoding } from './compression.ts';
import { noPreferences, type Preferences, preferencesOf } from './preferences.ts';
import { ReadyFile } from './ready-file.ts';
import type { RefusedRequest, RequestObserver } from './requests/refused-request.ts';
import { hasToken, tokenOf } from './requests/request-token.ts';
import {
  type Call,
  type CallOrigin,
  type FileResponse,
  fileBody,
  fileResponse,
  type Route,
  type RouteScope,
  replyOf,
} from './route.ts';
import { type CheckedBody, intakeQueryCheck, refuseInput, textCheck } from './validation.ts';

/** Returns the owner of the token; undefined if it is unknown, expired or revoked. */
export type Authenticate = (token: string) => Principal | undefined | Promise<Principal | undefined>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, set once the token is known. */
    principal: Principal | undefined;
    /** The content type as sent; Fastify would refuse one that it cannot parse. */
    sentType: string | undefined;
    bodyLimit: number;
    heldBody: HeldBytes | undefined;
    /** Why the caller is refused, on intakes, where the body is read first in order to be kept. */
    refusal: AppError | undefined;
  }
  interface FastifyContextConfig {
    declared?: Route;
  }
}

export type RouteDeps = {
  readonly basePath: string;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authenticate: Authenticate;
  readonly now: () => number;
  readonly log: Logger;
  readonly observer?: RequestObserver;
  /** Called when a valid token has come on a connection. */
  readonly onCaller: (socket: Socket) => void;
};

const bodyLimit = 256 * 1024;
const jsonOnly = ['application/json'] as const;
const maxHeaderLength = 1000;
const longestKeptParameter = 100;

export function registerRoutes(app: FastifyInstance, routes: readonly Route[], deps: RouteDeps): void {
  app.decorateRequest('principal', undefined).decorateRequest('sentType', undefined).decorateRequest('bodyLimit', 0);
  app.decorateRequest('heldBody', undefined);
  app.decorateRequest('refusal', undefined);
  for (const route of routes) {
    app.route({
      method: route.method,
      url: `${deps.basePath}${addressOf(route)}`,
      config: { declared: route },
      onRequest: admission(route, deps),
      handler: handlerOf(route, deps),
    });
  }
}

const wholeNumber = '(^\\d+$)';

/**
 * Restricts numeric parameters to digits, so that `DELETE /alarms/histories` is a wrong method and not an alarm with a
 * wrong id.
 */
function addressOf({ path, params }: Route): string {
  const isNumber = (name: string): boolean => Type.IsInteger(params?.properties[name]);
  return path.replace(/:(\w+)/g, (whole, name) => (isNumber(name) ? `${whole}${wholeNumber}` : whole));
}

/** Returns the declared route of a request for the log, because the URL may contain a token. */
export function routeOf({ routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.config.declared?.path;
}

/** Returns the id of a request for the log and for refusals; generated on first use. */
export function requestIdOf(request: FastifyRequest): string {
  request.id ||= randomUUID();
  return request.id;
}

/** A class, because creating an object with its own getter took 3 µs per request. */
class Origin implements CallOrigin {
  readonly #request: FastifyRequest;
  readonly headers: CallOrigin['headers'];

  constructor(request: FastifyRequest) {
    this.#request = request;
    this.headers = request.headers;
  }

  get id(): string {
    return requestIdOf(this.#request);
  }

  get bytes(): Uint8Array {
    return bytesOf(this.#request);
  }

  /** Computed lazily, because few handlers need it. */
  get remoteAddress(): string {
    return remoteAddressOf(this.#request);
  }
}

/** A connection that was reset before it was accepted has no address. */
function remoteAddressOf({ ip }: { readonly ip: string | undefined }): string {
  return ip ?? 'unknown';
}

/** Creates the hook that admits or refuses a request. A cached token costs no turn of the event loop. */
function admission(route: Route, deps: RouteDeps): onRequestHookHandler {
  const acceptedTypes = route.body === fileBody ? 'any' : (route.bodyTypes ?? jsonOnly);
  const acceptBody = (request: FastifyRequest): void => {
    const isChecked = !route.isIntake && route.body !== undefined;
    if (isChecked) checkContentType(request.headers, acceptedTypes);
    request.sentType = request.headers['content-type'];
    if (request.sentType !== undefined) request.raw.headers['content-type'] = 'application/json';
  };
  const refusalFor = (request: FastifyRequest, principal: Principal | undefined): Error | undefined => {
    request.principal = principal;
    if (principal !== undefined) deps.onCaller(request.raw.socket);
    request.bodyLimit = route.bodyLimit ?? bodyLimit;
    try {
      requireScope(principal, route.scope);
      acceptBody(request);
      return undefined;
    } catch (error) {
      if (!route.isIntake || !hasToken(route, request)) return error as Error;
      request.refusal = error as AppError;
      request.bodyLimit = refusedBodyBytes;
      acceptBody(request);
      return undefined;
    }
  };
  return (request, _reply, done) => {
    const admit = (principal: Principal | undefined): void => done(refusalFor(request, principal));
    const token = route.scope === 'public' ? undefined : tokenOf(route, request);
    const holder = token === undefined ? undefined : deps.authenticate(token);
    if (holder instanceof Promise) holder.then(admit).catch(done);
    else admit(holder);
  };
}

function handlerOf(route: Route, deps: RouteDeps): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const checkParams = route.params === undefined ? () => ({}) : addressCheck(route.params);
  const checkQuery = queryCheck(route);
  const isFile = route.body === fileBody;
  const checkBody = route.body === undefined || isFile ? undefined : bodyReader(route.body, route.isIntake === true);
  // Not async, and does not return the reply, which is a promise too: each promise layer costs extra turns of the event
  // loop.
  return (request, reply) => {
    if (request.refusal !== undefined) throw request.refusal;
    const now = deps.now();
    const params = checkParams(request.params as Record<string, unknown>);
    const { value: query, warnings: ofQuery } = checkQuery(request.query as Record<string, unknown>);
    const prefers = route.isIntake ? preferencesOf(request.headers.prefer) : noPreferences;
    if (prefers.applied !== '') reply.raw.setHeader('preference-applied', prefers.applied);
    const handle = (checked: CheckedBody | undefined): Promise<void> => {
      if (checked !== undefined) reportIgnoredFields(checked, request, reply, deps.log);
      if (prefers.isStrict && ofQuery.length > 0) throw refuseInput(ofQuery);
      const body = checked !== undefined && prefers.isStrict ? refusingWarnings(checked) : checked;
      const ofBody = body?.warnings ?? noWarnings;
      const call: Call = {
        params,
        query,
        body: isFile ? bytesOf(request) : body?.value,
        warnings: ofQuery.length === 0 ? ofBody : [...ofQuery, ...ofBody],
        itemWarnings: body?.itemWarnings ?? noItemWarnings,
        prefers,
        principal: request.principal,
        request: new Origin(request),
        setHeader: (name, value) => {
          reply.raw.setHeader(name, headerText(value));
        },
        now,
      };
      return route.handle(call).then((result) => {
        const answer = (): void => send(reply, route, result, deps.headers);
        if (!route.isIntake || deps.observer === undefined) return answer();
        const observed = observeIntake(request, prefers, result, deps.observer);
        return observed === undefined ? answer() : observed.then(answer);
      });
    };
    const body = checkBody?.(bytesOf(request), request.sentType);
    return body instanceof Promise ? body.then(handle) : handle(body);
  };
}

type QueryCheck = ReturnType<typeof intakeQueryCheck>;

function queryCheck({ query, isIntake }: Route): QueryCheck {
  if (query === undefined) return () => noQuery;
  if (isIntake) return intakeQueryCheck(query);
  const check = textCheck(query);
  return (raw) => ({ value: check(raw), warnings: noWarnings });
}

const noQuery = { value: {}, warnings: noWarnings };

/** Reports that an intake took something, and the items of a list that it refused; a long list is looked through in slices. */
function observeIntake(
  request: FastifyRequest,
  { isStrict }: Preferences,
  result: unknown,
  { onTaken, onRefused }: RequestObserver,
): Promise<void> | undefined {
  // The calls answer with a boolean: they take no alarm.
  if (request.principal === undefined || typeof result === 'boolean') return undefined;
  const items: readonly unknown[] = Array.isArray(result) ? result : [result];
  const [problem, ...others] = items.filter(isProblem);
  const isPartial = problem === undefined || others.length + 1 < items.length;
  if (isPartial) onTaken(request.principal);
  if (problem === undefined) return undefined;
  const report = (body?: SentBody): void =>
    onRefused(refusedRequest(request, { code: problem.code, message: problem.detail }, { isPartial, isStrict }, body));
  // What was taken is no part of what was refused: a retry would send it again.
  const refused = isPartial
    ? refusedItems({ bytes: bytesOf(request), contentType: request.sentType }, items)
    : undefined;
  if (refused instanceof Promise) return refused.then(report);
  report(refused);
  return undefined;
}

/** Describes a refused request, or the part of it that was refused. */
export function refusedRequest(
  request: FastifyRequest,
  { code, message: reason }: Pick<AppError, 'code' | 'message'>,
  how: { readonly isPartial: boolean; readonly isStrict: boolean },
  part?: SentBody,
): RefusedRequest {
  const { principal, method, routeOptions, headers, url } = request;
  const { declared } = routeOptions.config;
  const invalidToken = principal === undefined && declared !== undefined ? tokenOf(declared, request) : undefined;
  return {
    code,
    reason,
    route: declared === undefined ? 'none' : `${method} ${declared.path}`,
    principal,
    // Calendars take their token in the parameter `key`.
    hasToken: headers.authorization !== undefined || url.includes('key='),
    address: remoteAddressOf(request),
    intake: declared?.isIntake
      ? {
          sentTo: `${method} ${filledPath(declared.path, request.params)}`,
          invalidToken,
          contentType: part === undefined ? request.sentType : part.contentType,
          bytes: part?.bytes ?? bytesOf(request),
          sentLength: part === undefined ? Number(headers['content-length']) || 0 : 0,
          ...how,
        }
      : undefined,
  };
}

/** The declared path with its parameters as they were sent. */
function filledPath(path: string, params: unknown): string {
  const sent = params as Readonly<Record<string, string | undefined>>;
  return path.replace(/:(\w+)/g, (whole, name) => (sent[name] ?? whole).slice(0, longestKeptParameter));
}

/** An invalid id in the path is status 404, like an id that does not exist. */
function addressCheck(params: TObject): ReturnType<typeof textCheck> {
  const check = textCheck(params);
  return (raw) => {
    const checked = attempt(() => check(raw));
    if (!(checked instanceof AppError)) return checked;
    throw checked.code === 'invalid-input' ? new AppError('not-found', 'There is nothing at this address.') : checked;
  };
}

export function requireScope(principal: Principal | undefined, scope: RouteScope): void {
  if (scope === 'public') return;
  if (principal === undefined) {
    throw new AppError('not-signed-in', 'Send a valid access token in the header `Authorization: Bearer <token>`.');
  }
  if (scope === 'signed-in' || mayUse(principal, scope)) return;
  throw new AppError('scope-missing', `This needs the scope ${scope}, which the token does not have.`);
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Reports ignored fields in a header, so that the sender can notice a misspelt field name. */
function reportIgnoredFields(
  { ignoredFields }: CheckedBody,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): void {
  if (ignoredFields.length === 0) return;
  const names = printNames(ignoredFields);
  reply.raw.setHeader('tocsin-ignored-fields', names);
  log.info({ requestId: requestIdOf(request), route: routeOf(request), fields: names }, 'unknown fields ignored');
}

/** Percent-encodes characters that a header cannot carry; `...` stands for further names. */
function printNames(fields: readonly string[]): string {
  let names = '';
  for (const field of fields) {
    const name = [...field]
      .slice(0, 80)
      .join('')
      .replace(/[^\w.[\]-]/gu, encodeURIComponent);
    if (names.length + name.length > maxHeaderLength) return `${names}, ...`;
    names += names === '' ? name : `, ${name}`;
  }
  return names;
}

/** Truncates a header value that is too long; ` ...` marks the truncation. */
function headerText(value: string): string {
  const fitting = value.length > maxHeaderLength ? `${value.slice(0, maxHeaderLength - 4)} ...` : value;
  return fitting.replace(/[^\x20-\x7e]/g, '?');
}

function send(reply: FastifyReply, route: Route, result: unknown, common: RouteDeps['headers']): void {
  const { status, body } = replyOf(result);
  if (body instanceof ReadyFile) {
    reply.hijack();
    body.send(reply.request.raw, reply.raw, readyHeaders(reply.raw, common));
    return;
  }
  const headers = withCommon(reply.raw, common);
  if (route.responses[status] === fileResponse) {
    const { type, bytes } = body as FileResponse;
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    reply.code(status).headers(headers).type(type).send(content);
  } else if (route.contentType !== undefined) reply.code(status).headers(headers).type(route.contentType).send(body);
  else if (body === undefined) reply.code(status).headers(headers).send();
  else sendJson(reply, status, headers, body);
}

/** Public documents may be stored by clients, which the common headers forbid. */
function readyHeaders(response: ServerResponse, common: RouteDeps['headers']): OutgoingHttpHeaders {
  const { 'cache-control': _noStore, ...others } = common;
  return withCommon(response, others);
}

/**
 * Serialises with JSON.stringify: a serializer built from the schema would put optional fields last and be rebuilt at
 * every start. Writes directly to Node's response, because Fastify's detection of the payload type took 4 µs.
 */
function sendJson(reply: FastifyReply, status: number, headers: OutgoingHttpHeaders, body: unknown): void {
  const text = Number.isInteger(body) ? String(body) : JSON.stringify(body);
  headers['content-type'] = 'application/json; charset=utf-8';
  reply.hijack();
  const encoding = responseEncoding(reply.request.raw, text.length);
  if (encoding === undefined) {
    headers['content-length'] = String(Buffer.byteLength(text));
    reply.raw.writeHead(status, headers).end(text);
    return;
  }
  headers.vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
  compress(text, encoding, (bytes) => {
    if (bytes !== undefined) headers['content-encoding'] = encoding;
    headers['content-length'] = String(bytes?.length ?? Buffer.byteLength(text));
    reply.raw.writeHead(status, headers).end(bytes ?? text);
  });
}

/** Returns the common headers and those set for this response. */
export function withCommon(response: ServerResponse, common: RouteDeps['headers']): OutgoingHttpHeaders {
  return response.getHeaderNames().length === 0 ? { ...common } : { ...common, ...response.getHeaders() };
}
