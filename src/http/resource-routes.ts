// The five routes shared by plant and people resources: list, get, create, replace, remove.

import { type Static, type TObject, Type } from 'typebox';
import { type Caller, callerOf, type Scope } from '../domain/access/access.ts';
import { AppError } from '../errors.ts';
import { idParams, listQuery, pageOf, pagingCollection, printPage, uint } from '../wire/paging.ts';
import { etagHeader, ifMatchHeaders, ifMatchOf, printEntityTag } from './entity-tag.ts';
import { type Call, defineRoute, type Route } from './route.ts';

type Listing = {
  readonly caller: Caller;
  readonly stationId: number | undefined;
  readonly search: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  readonly acceptLanguage: string | undefined;
};

/** The part of a request that a change needs. */
export type ChangeCall = Pick<Call<Scope>, 'principal' | 'request' | 'setHeader' | 'now'>;

/** An object as JSON, with the tag of its version. */
type Tagged<J> = { readonly json: J; readonly tag: string };

/** The versions that a change may be made from; undefined: any. */
export type ConditionalCall = ChangeCall & { readonly ifMatch: readonly string[] | undefined };

type Resource<S extends TObject, B extends TObject> = {
  readonly noun: string;
  /** As in the operation ids: `Station` gives `listStations`, `createStation` and so on. */
  readonly name: string;
  /** The id that the example of a new one gets on a new installation. */
  readonly exampleId: number;
  readonly path: string;
  readonly tag: string;
  readonly readScope: Scope;
  readonly writeScope: Scope;
  /** Whether the list can be filtered by station. */
  readonly byStation: boolean;
  readonly schema: S;
  readonly body: B;
  /** Request headers of the routes that read, where they change what is read. */
  readonly readingHeaders?: TObject;
  /** Request headers of the route that makes one, for the OpenAPI document. */
  readonly creationHeaders: TObject;
  readonly list: (listing: Listing) => Promise<{ readonly items: readonly Static<S>[]; readonly total: number }>;
  readonly find: (
    id: number,
    caller: Caller,
    acceptLanguage: string | undefined,
  ) => Promise<Tagged<Static<S>> | undefined>;
  readonly create: (body: Static<B>, call: ChangeCall) => Promise<number>;
  readonly replace: (id: number, body: Static<B>, call: ConditionalCall) => Promise<Tagged<Static<S>>>;
  /** What a removal may be asked beyond the id, and the sentence that explains it. */
  readonly removal?: { readonly query: TObject; readonly description: string } | undefined;
  readonly remove: (id: number, call: ConditionalCall, query: Readonly<Record<string, unknown>>) => Promise<void>;
};

/** Clients of this interface read these lists as a whole. */
const defaultLimit = 1_000;

/**
 * TypeScript cannot compare a value with a schema that is a type parameter; each resource is type-checked where it is
 * declared.
 */
function untyped(value: unknown): never {
  return value as never;
}

function conditional({ principal, request, setHeader, now }: ChangeCall): ConditionalCall {
  return { principal, request, setHeader, now, ifMatch: ifMatchOf(request.headers) };
}

export function resourceRoutes<S extends TObject, B extends TObject>(resource: Resource<S, B>): Route[] {
  return [...readingRoutes(resource), ...changingRoutes(resource)];
}

function readingRoutes<S extends TObject, B extends TObject>(resource: Resource<S, B>): Route[] {
  const { noun, name, exampleId, path, tag, readScope: scope, byStation, schema, list, find } = resource;
  const headers = resource.readingHeaders ?? Type.Object({});
  const filters = byStation ? { stationId: Type.Optional(uint({ description: 'Only of this station.' })) } : {};
  return [
    defineRoute({
      method: 'GET',
      path: `/api/v1/${path}`,
      scope,
      tag,
      operationId: `list${name}s`,
      summary: `List ${noun}s`,
      query: listQuery(defaultLimit, filters),
      headers,
      responses: { 200: pagingCollection(schema, { withOffset: true }) },
      refusals: [],
      handle: async ({ query, principal, request }) => {
        const {
          stationId,
          search = '',
          ...paging
        } = query as Static<ReturnType<typeof listQuery>> & {
          stationId?: number;
        };
        const { offset, limit, descending } = pageOf(paging, defaultLimit);
        const order = descending ? 'desc' : 'asc';
        const page = await list({
          caller: callerOf(principal),
          stationId,
          search: query.search ?? '',
          order,
          limit,
          offset,
          acceptLanguage: request.headers['accept-language'],
        });
        return untyped(printPage(page.items, { offset, limit, total: page.total }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: `/api/v1/${path}/:id`,
      scope,
      tag,
      operationId: `get${name}`,
      summary: `Get a ${noun}`,
      params: idParams(noun, exampleId),
      headers,
      responses: { 200: schema },
      responseHeaders: etagHeader,
      refusals: ['not-found'],
      handle: async ({ params: { id }, principal, setHeader, request }) => {
        const entry = await find(id, callerOf(principal), request.headers['accept-language']);
        if (entry === undefined) throw new AppError('not-found', `There is no ${noun} ${id}.`);
        setHeader('etag', printEntityTag(entry.tag));
        return untyped(entry.json);
      },
    }),
  ];
}

function changingRoutes<S extends TObject, B extends TObject>(resource: Resource<S, B>): Route[] {
  const { noun, name, exampleId, path, tag, writeScope: scope, schema, body, creationHeaders } = resource;
  const { create, replace, remove, removal } = resource;
  const params = idParams(noun, exampleId);
  const shared = { scope, tag } as const;
  return [
    defineRoute({
      ...shared,
      method: 'POST',
      path: `/api/v1/${path}`,
      operationId: `create${name}`,
      summary: `Make a ${noun}`,
      description:
        'Returns the id of the new one. With the header `Idempotency-Key` a repetition is safe for 24 hours.',
      headers: creationHeaders,
      body,
      responses: { 200: uint({ description: `The id of the new ${noun}.`, examples: [1] }) },
      refusals: ['name-taken'],
      handle: (call) => create(call.body, call),
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      path: `/api/v1/${path}/:id`,
      operationId: `replace${name}`,
      summary: `Change a ${noun}`,
      description: 'Takes the whole object and returns it as stored.',
      params,
      headers: ifMatchHeaders,
      body,
      responses: { 200: schema },
      responseHeaders: etagHeader,
      refusals: ['not-found', 'name-taken', 'precondition-failed'],
      handle: async (call) => {
        const { json, tag } = await replace(call.params.id, call.body, conditional(call));
        call.setHeader('etag', printEntityTag(tag));
        return untyped(json);
      },
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      path: `/api/v1/${path}/:id`,
      operationId: `delete${name}`,
      summary: `Remove a ${noun}`,
      description: `Refused while anything refers to it; the refusal names the referrers.${removal === undefined ? '' : ` ${removal.description}`}`,
      params,
      ...(removal === undefined ? {} : { query: removal.query }),
      headers: ifMatchHeaders,
      responses: { 200: Type.Literal(true, { description: 'It is removed.' }) },
      refusals: ['not-found', 'still-referred-to', 'precondition-failed', 'unprocessable'],
      handle: async (call) => {
        await remove(call.params.id, conditional(call), (call.query ?? {}) as Readonly<Record<string, unknown>>);
        return true as const;
      },
    }),
  ];
}
