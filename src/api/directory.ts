// The five verbs of a directory resource: the pattern for stations, data servers, tag groups and those to come.

import { Type } from 'typebox';
import { callerOf } from '../domain/access.ts';
import { type DirectoryKind, defaultStationId, directoryKinds } from '../domain/directory.ts';
import { AppError } from '../errors.ts';
import { createDirectoryEntry, removeDirectoryEntry, replaceDirectoryEntry } from '../operations/directory-entry.ts';
import { getDirectoryEntry, listDirectoryEntries } from '../store/directory.ts';
import type { Store } from '../store/store.ts';
import { type EntryBody, entryBodies, entrySchemas, printEntry } from '../wire/directory.ts';
import { listQuery, pageOf, pagingCollection, printPage, uint } from '../wire/paging.ts';
import { defineRoute, type Route } from './route.ts';

const resources = [
  { kind: 'station', path: 'stations', tag: 'Stations' },
  { kind: 'dataServer', path: 'dataservers', tag: 'Data servers' },
  { kind: 'tagGroup', path: 'taggroups', tag: 'Tag groups' },
] as const satisfies readonly Resource[];

type Resource = { readonly kind: DirectoryKind; readonly path: string; readonly tag: string };

/** Clients of this interface read directories whole. */
const defaultLimit = 1_000;

export function directoryRoutes(store: Store): Route[] {
  return resources.flatMap((resource) => [...readingRoutes(store, resource), ...changingRoutes(store, resource)]);
}

const params = Type.Object({ id: uint() });

function readingRoutes(store: Store, { kind, path, tag }: Resource): Route[] {
  const { noun, inStation } = directoryKinds[kind];
  const schema = entrySchemas[kind];
  const filters = inStation ? { stationId: Type.Optional(uint({ description: 'Only of this station.' })) } : {};
  return [
    defineRoute({
      method: 'GET',
      path: `/api/v1/${path}`,
      scope: 'directory:read',
      tag,
      summary: `List ${noun}s`,
      query: listQuery(defaultLimit, filters),
      answers: { 200: pagingCollection(schema, { withOffset: true }) },
      refusals: [],
      handle: async ({ query, principal }) => {
        const { offset, limit, descending } = pageOf(query, defaultLimit);
        const { stationId } = query as { stationId?: number };
        const page = await store.read(listDirectoryEntries, {
          kind,
          caller: callerOf(principal),
          stationId,
          search: query.search ?? '',
          order: descending ? 'desc' : 'asc',
          limit,
          offset,
        });
        return printPage(
          page.items.map((entry) => printEntry(kind, entry)),
          { offset, limit, total: page.total },
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path: `/api/v1/${path}/:id`,
      scope: 'directory:read',
      tag,
      summary: `Get a ${noun}`,
      params,
      answers: { 200: schema },
      refusals: ['not-found'],
      handle: async ({ params: { id }, principal }) => {
        const entry = await store.read(getDirectoryEntry, { kind, id, caller: callerOf(principal) });
        if (entry === undefined) throw new AppError('not-found', `There is no ${noun} ${id}.`);
        return printEntry(kind, entry);
      },
    }),
  ];
}

function changingRoutes(store: Store, { kind, path, tag }: Resource): Route[] {
  const { noun } = directoryKinds[kind];
  const shared = { scope: 'directory:write', tag } as const;
  const fields = (body: EntryBody) => ({ kind, name: body.name, stationId: body.stationId || defaultStationId });
  return [
    defineRoute({
      ...shared,
      method: 'POST',
      path: `/api/v1/${path}`,
      summary: `Make a ${noun}`,
      description: 'Answers the id of the new one.',
      body: entryBodies[kind],
      answers: { 200: uint() },
      refusals: ['name-taken'],
      handle: ({ body, principal }) =>
        store.write(createDirectoryEntry, { ...fields(body), caller: callerOf(principal) }),
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      path: `/api/v1/${path}/:id`,
      summary: `Change a ${noun}`,
      description: 'Takes the whole object and answers it as it is then.',
      params,
      body: entryBodies[kind],
      answers: { 200: entrySchemas[kind] },
      refusals: ['not-found', 'name-taken'],
      handle: async ({ params: { id }, body, principal }) =>
        printEntry(
          kind,
          await store.write(replaceDirectoryEntry, { ...fields(body), id, caller: callerOf(principal) }),
        ),
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      path: `/api/v1/${path}/:id`,
      summary: `Remove a ${noun}`,
      description: 'Refused while anything refers to it; the refusal names what does.',
      params,
      answers: { 200: Type.Literal(true) },
      refusals: ['not-found', 'still-referred-to'],
      handle: async ({ params: { id }, principal }) => {
        await store.write(removeDirectoryEntry, { kind, id, caller: callerOf(principal) });
        return true as const;
      },
    }),
  ];
}
