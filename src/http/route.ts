// Declares routes: address, required scope, request and response schemas. The OpenAPI document is generated from the
// same declarations.

import type { IncomingHttpHeaders } from 'node:http';
import { type Static, type TObject, type TSchema, type TUndefined, type TUnsafe, Type } from 'typebox';
import type { Principal, Scope } from '../domain/access/access.ts';
import type { AppError, ErrorCode } from '../errors.ts';
import type { Warning } from './lenient-check.ts';
import type { Preferences } from './preferences.ts';
import type { ReadyFile } from './ready-file.ts';

/** `public` needs no token, `signed-in` any valid one, everything else one with that scope. */
export type RouteScope = Scope | 'public' | 'signed-in';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type BodyType = 'application/json' | 'application/x-www-form-urlencoded';
type ResponseSchemas = Readonly<Record<number, TSchema>>;

const bytes = {
  title: 'Bytes',
  description: 'The content of a file; not JSON.',
  contentMediaType: 'application/octet-stream',
};

/** A body that is a file: the handler receives its bytes, whatever the content type. */
export const fileBody = Type.Unsafe<Uint8Array>(bytes);

/** A response that is a file: the handler returns its bytes and which of the `fileTypes` they are. */
export const fileResponse = Type.Unsafe<FileResponse>(bytes);
export type FileResponse = { readonly type: string; readonly bytes: Uint8Array };

const listed = new WeakMap<TSchema, TSchema>();

/**
 * A body that is a list of independent items: the handler receives each item, or the error for which it was refused.
 */
export function listBody<T extends TSchema>(item: T, maxItems: number) {
  const list = Type.Array(item, { maxItems });
  listed.set(list, item);
  return list as unknown as TUnsafe<readonly (Static<T> | AppError)[]>;
}

/** Returns the item schema of a body declared with `listBody`. */
export function itemOf(body: TSchema): TSchema | undefined {
  return listed.get(body);
}

/** The origin of a request. */
export type CallOrigin = {
  readonly id: string;
  readonly remoteAddress: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body. */
  readonly bytes: Uint8Array;
};

/** A validated request, as passed to the handler of a route. */
export type Call<S extends RouteScope = RouteScope, P = unknown, Q = unknown, B = unknown> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly principal: S extends 'public' ? undefined : Principal;
  readonly request: CallOrigin;
  /** At an intake: the fields of the body that were changed or left out; for a list those of the list itself. */
  readonly warnings: readonly Warning[];
  /** The same for the items of a list, by index. */
  readonly itemWarnings: ReadonlyMap<number, readonly Warning[]>;
  readonly prefers: Preferences;
  /** Sets a response header; characters a header cannot carry become `?`. */
  readonly setHeader: (name: string, value: string) => void;
  /** Milliseconds since 1970 at the start of the request. */
  readonly now: number;
};

type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

const statusOfReply = Symbol('status');
type Reply<C, T> = { readonly [statusOfReply]: C; readonly body: T };
type ResponseOf<A extends ResponseSchemas> =
  | ReadyFile
  | (A extends { readonly 200: infer T extends TSchema } ? Frozen<Static<T>> : never)
  | { [C in keyof A & number]: Reply<C, Frozen<Static<A[C]>>> }[keyof A & number];

type Shared = {
  readonly method: Method;
  /** The path below the base path, with parameters as `:id`. */
  readonly path: string;
  readonly tag: string;
  /** The name of the operation for generated clients, such as `acknowledgeAlarm`; never changed. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly bodyLimit?: number;
  /** Whether the route takes what sources send: everything that can be used, with warnings about the rest. */
  readonly isIntake?: true;
  /** Whether the key may also be sent as `?key=` or as the password of basic authentication, by senders that can set no header. */
  readonly takesSimpleKey?: true;
  /** Only JSON by default. */
  readonly bodyTypes?: readonly BodyType[];
  /** Request headers for the OpenAPI document only; the handler reads them itself. */
  readonly headers?: TObject;
  /** Response headers of the route, each with its meaning. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** For a response that is not JSON: the handler returns text, sent with this content type. */
  readonly contentType?: string;
  /** For a response that is a file: its possible types. */
  readonly fileTypes?: readonly string[];
  /** For a public route: whether it shows more to callers who send a token, which the handler looks up. */
  readonly takesToken?: true;
  /** A page for people, or a part of one: served, but no operation of the interface. */
  readonly isPage?: true;
  /** Refusals specific to this route; those that follow from token, scope, input and body are added. */
  readonly refusals: readonly ErrorCode[];
};

type Definition<
  S extends RouteScope,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  A extends ResponseSchemas,
> = Shared & {
  readonly scope: S;
  readonly params?: P;
  readonly query?: Q;
  /** An absent body counts as `{}`; a null optional field counts as absent. */
  readonly body?: B;
  readonly responses: A;
  readonly handle: (call: Call<S, Static<P>, Static<Q>, Static<B>>) => Promise<ResponseOf<A>>;
};

/** A declared route with its type parameters erased, so that all routes fit in one list. */
export type Route = Shared & {
  readonly scope: RouteScope;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly responses: ResponseSchemas;
  handle(call: Call): Promise<unknown>;
};

type None = TObject<Record<never, never>>;

export function defineRoute<
  S extends RouteScope,
  A extends ResponseSchemas,
  P extends TObject = None,
  Q extends TObject = None,
  B extends TSchema = TUndefined,
>(definition: Definition<S, P, Q, B, A>): Route {
  const declared = Object.keys(definition.params?.properties ?? {});
  const named = paramsOf(definition.path);
  if (declared.toSorted().join() !== named.toSorted().join()) {
    throw new Error(`${definition.method} ${definition.path}: the path names [${named}], params [${declared}]`);
  }
  return definition;
}

/** Returns a response with a status other than 200. */
export function respond<C extends number, T>(status: C, body: T): Reply<C, T> {
  return { [statusOfReply]: status, body };
}

/** Returns the status and body of a handler's result. */
export function replyOf(response: unknown): { readonly status: number; readonly body: unknown } {
  if (typeof response === 'object' && response !== null && statusOfReply in response && 'body' in response) {
    return { status: Number(response[statusOfReply]), body: response.body };
  }
  return { status: 200, body: response };
}

function paramsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Returns the possible refusals of a route: its own and those that follow from its declaration. */
export function refusalsOf(route: Route): ErrorCode[] {
  const takesInput = route.query !== undefined || route.body !== undefined;
  const implied: ErrorCode[] = [
    ...(takesInput || route.params !== undefined ? (['invalid-input'] as const) : []),
    ...(route.body !== undefined && route.body !== fileBody ? (['malformed-json'] as const) : []),
    ...(route.body !== undefined ? (['request-timeout', 'body-too-large'] as const) : []),
    ...(route.body !== undefined && !route.isIntake ? (['unsupported-media-type'] as const) : []),
    ...(takesInput ? (['unprocessable'] as const) : []),
    ...(route.params !== undefined ? (['not-found'] as const) : []),
    ...(route.scope !== 'public' ? (['not-signed-in'] as const) : []),
    ...(route.scope !== 'public' && route.scope !== 'signed-in' ? (['scope-missing'] as const) : []),
    // The database may be away. Health says so in its own words.
    ...(503 in route.responses ? [] : (['unavailable'] as const)),
  ];
  return [...new Set([...implied, ...route.refusals, 'internal' as const])];
}

/** Whether a response has a body; `Type.Void()` declares that it has none. */
export function hasBody(response: TSchema): boolean {
  return !Type.IsVoid(response);
}
