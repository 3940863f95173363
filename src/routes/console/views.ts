// Routes of saved views of consoles: the caller's own, and those shared at a station or by all.

import { Type } from 'typebox';
import { callerAt, callerOf, type Principal } from '../../domain/access/access.ts';
import type { ViewOwner } from '../../domain/views.ts';
import { AppError } from '../../errors.ts';
import { etagHeader, ifMatchHeaders, ifMatchOf, printEntityTag } from '../../http/entity-tag.ts';
import { type Call, defineRoute, type Route } from '../../http/route.ts';
import { getViews, listSharedViews, replaceViews, type TaggedViews } from '../../operations/views/saved-views.ts';
import type { Store } from '../../store/store.ts';
import { uint } from '../../wire/paging.ts';
import { printSharedView, printView, readViews, viewListSchema, viewsBody, viewsSchema } from '../../wire/views.ts';

type ViewParts = { readonly store: Store };

const shared = { tag: 'Views', responseHeaders: etagHeader } as const;
const changing = { ...shared, method: 'PUT', headers: ifMatchHeaders, body: viewsBody } as const;

export function viewRoutes(parts: ViewParts): Route[] {
  return [...ownRoutes(parts), ...sharedRoutes(parts)];
}

function ownRoutes({ store }: ViewParts): Route[] {
  const path = '/api/v1/views';
  const scope = 'signed-in';
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      path,
      scope,
      operationId: 'getViews',
      summary: 'Get saved views',
      description:
        'Your own views, with the version of their list, and those that others share. An API key has none of its own.',
      responses: { 200: viewsSchema },
      refusals: [],
      handle: async ({ principal, setHeader }) => {
        const caller = callerOf(principal);
        const isUser = principal.kind === 'user';
        const own = isUser ? await store.read(getViews, { caller, owner: ownerOf(principal) }) : undefined;
        if (own !== undefined) setHeader('etag', printEntityTag(own.tag));
        const others = await store.read(listSharedViews, { caller });
        return { views: (own?.views ?? []).map(printView), shared: others.map(printSharedView) };
      },
    }),
    defineRoute({
      ...changing,
      path,
      scope,
      operationId: 'replaceViews',
      summary: 'Change your saved views',
      description: 'Takes the whole list of your own views and returns it as stored.',
      responses: { 200: viewListSchema },
      refusals: ['not-found', 'unprocessable', 'precondition-failed'],
      handle: async (call) => shownList(await replace(store, ownerOf(call.principal), call), call),
    }),
  ];
}

const query = Type.Object({
  stationId: Type.Optional(uint({ description: 'The station at which they are shared; not given, or 0: all.' })),
});

function sharedRoutes({ store }: ViewParts): Route[] {
  const path = '/api/v1/views/shared';
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      path,
      scope: 'signed-in',
      operationId: 'getSharedViews',
      summary: 'Get the views that are shared at a station, or by all',
      query,
      responses: { 200: viewListSchema },
      refusals: [],
      handle: async ({ query: { stationId }, principal, setHeader }) =>
        shownList(await store.read(getViews, { caller: callerOf(principal), owner: sharedBy(stationId) }), {
          setHeader,
        }),
    }),
    defineRoute({
      ...changing,
      path,
      scope: 'directory:write',
      operationId: 'replaceSharedViews',
      summary: 'Change the views that are shared at a station, or by all',
      description:
        'Takes the whole list and returns it as stored. A caller bound to stations can change those of its stations, not those of all.',
      query,
      responses: { 200: viewListSchema },
      refusals: ['unprocessable', 'precondition-failed'],
      handle: async (call) => shownList(await replace(store, sharedBy(call.query.stationId), call), call),
    }),
  ];
}

function sharedBy(stationId: number | undefined): ViewOwner {
  return stationId ? { kind: 'station', id: stationId } : { kind: 'all' };
}

function ownerOf({ kind, id }: Principal): ViewOwner {
  if (kind === 'user') return { kind, id };
  throw new AppError('not-found', 'An API key has no views of its own: sign in as a person.');
}

type Changing = Pick<Call, 'request'> & {
  readonly principal: Principal;
  readonly body: Parameters<typeof readViews>[0];
};

function replace(store: Store, owner: ViewOwner, { body, principal, request }: Changing): Promise<TaggedViews> {
  const caller = callerAt(principal, request);
  return store.write(replaceViews, { caller, owner, views: readViews(body), ifMatch: ifMatchOf(request.headers) });
}

function shownList({ views, tag }: TaggedViews, { setHeader }: Pick<Call, 'setHeader'>) {
  setHeader('etag', printEntityTag(tag));
  return { views: views.map(printView) };
}
