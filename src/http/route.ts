// The one way to declare a route: its address, who may use it, what goes in and out; the document is made from the same.

import type { IncomingHttpHeaders } from 'node:http';
import { type Static, type TObject, type TSchema, type TUndefined, type TUnsafe, Type } from 'typebox';
import type { Principal, Scope } from '../domain/access/access.ts';
import type { AppError, ErrorCode } from '../errors.ts';

/** `public` needs no token, `signed-in` any valid one, everything else one with that scope. */
export type RouteScope = Scope | 'public' | 'signed-in';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type BodyType = 'application/json' | 'application/x-www-form-urlencoded';
type Answers = Readonly<Record<number, TSchema>>;

const bytes = { title: 'Bytes', description: 'The content of a file as it is; no JSON.' };

/** A body that is a file: the handler gets its bytes, under whatever content type they came. */
export const fileBody = Type.Unsafe<Uint8Array>(bytes);

/** An answer that is a file: the handler returns its bytes and which of the `fileTypes` they are. */
export const fileAnswer = Type.Unsafe<FileAnswer>(bytes);
export type FileAnswer = { readonly type: string; readonly bytes: Uint8Array };

const listed = new WeakMap<TSchema, TSchema>();

/** A body that is a list of which each item stands for itself: the handler gets it, or why it was refused. */
export function listBody<T extends TSchema>(item: T, mostItems: number) {
  const list = Type.Array(item, { maxItems: mostItems });
  listed.set(list, item);
  return list as unknown as TUnsafe<readonly (Static<T> | AppError)[]>;
}

/** The schema of the items, for a body that was declared so. */
export function itemOf(body: TSchema): TSchema | undefined {
  return listed.get(body);
}

/** Where a call came from. */
export type CallOrigin = {
  readonly id: string;
  readonly remoteAddress: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly bytes: Uint8Array;
};

/** One request, checked: what the handler of a route gets to see. */
export type Call<S extends RouteScope = RouteScope, P = unknown, Q = unknown, B = unknown> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly principal: S extends 'public' ? undefined : Principal;
  readonly request: CallOrigin;
  /** Sets a header of the answer; characters a header cannot carry become `?`. */
  readonly setHeader: (name: string, value: string) => void;
  /** Milliseconds since 1970 at the beginning of the call. */
  readonly now: number;
};

type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

const statusOfReply = Symbol('status');
type Reply<C, T> = { readonly [statusOfReply]: C; readonly body: T };
type AnswerOf<A extends Answers> =
  | (A extends { readonly 200: infer T extends TSchema } ? Frozen<Static<T>> : never)
  | { [C in keyof A & number]: Reply<C, Frozen<Static<A[C]>>> }[keyof A & number];

type Shared = {
  readonly method: Method;
  /** Below the base path, parameters as `:id`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly bodyLimit?: number;
  /** JSON alone unless said otherwise. */
  readonly bodyTypes?: readonly BodyType[];
  /** Headers a caller may send, for the document alone: the handler reads them itself. */
  readonly headers?: TObject;
  /** Headers that an answer of the route's own may have, each with its meaning. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** For an answer that is not JSON: the handler returns text, sent as this type. */
  readonly contentType?: string;
  /** For an answer that is a file: the types it may have. */
  readonly fileTypes?: readonly string[];
  /** The refusals of this route's own; those that follow from token, scope, input and body are added. */
  readonly refusals: readonly ErrorCode[];
};

type Definition<
  S extends RouteScope,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  A extends Answers,
> = Shared & {
  readonly scope: S;
  readonly params?: P;
  readonly query?: Q;
  /** An absent body counts as `{}`; an optional field that is null counts as absent. */
  readonly body?: B;
  readonly answers: A;
  readonly handle: (call: Call<S, Static<P>, Static<Q>, Static<B>>) => Promise<AnswerOf<A>>;
};

/** A declared route, its types forgotten so that all of them fit in one list. */
export type Route = Shared & {
  readonly scope: RouteScope;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly answers: Answers;
  handle(call: Call): Promise<unknown>;
};

type None = TObject<Record<never, never>>;

export function defineRoute<
  S extends RouteScope,
  A extends Answers,
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

/** An answer with another status than 200. */
export function respond<C extends number, T>(status: C, body: T): Reply<C, T> {
  return { [statusOfReply]: status, body };
}

/** The status and the body of what a handler returned. */
export function replyOf(answer: unknown): { readonly status: number; readonly body: unknown } {
  if (typeof answer === 'object' && answer !== null && statusOfReply in answer && 'body' in answer) {
    return { status: Number(answer[statusOfReply]), body: answer.body };
  }
  return { status: 200, body: answer };
}

function paramsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** The refusals a caller may meet: the route's own and those that follow from its declaration. */
export function refusalsOf(route: Route): ErrorCode[] {
  const takesInput = route.query !== undefined || route.body !== undefined;
  const implied: ErrorCode[] = [
    ...(takesInput ? (['invalid-input'] as const) : []),
    ...(route.body !== undefined && route.body !== fileBody ? (['malformed-json'] as const) : []),
    ...(route.body !== undefined ? (['body-too-large', 'unsupported-media-type'] as const) : []),
    ...(takesInput ? (['unprocessable'] as const) : []),
    ...(route.params !== undefined ? (['not-found'] as const) : []),
    ...(route.scope !== 'public' ? (['not-signed-in'] as const) : []),
    ...(route.scope !== 'public' && route.scope !== 'signed-in' ? (['scope-missing'] as const) : []),
  ];
  return [...new Set([...implied, ...route.refusals, 'internal' as const])];
}

/** Whether an answer has a body at all; `Type.Void()` declares that it has none. */
export function hasBody(answer: TSchema): boolean {
  return !Type.IsVoid(answer);
}
