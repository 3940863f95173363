// Routes of stations, data servers and tag groups.

import { Type } from 'typebox';
import { callerAt } from '../domain/access/access.ts';
import { defaultStationId, type PlantEntry, type PlantKind, plantKinds } from '../domain/plant/entities.ts';
import { type ChangeCall, resourceRoutes } from '../http/resource-routes.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { entityTagOf } from '../operations/entity-tag.ts';
import { createPlantEntryOnce, removePlantEntry, replacePlantEntry } from '../operations/plant/change-resource.ts';
import { moveTags } from '../operations/plant/move-tags.ts';
import { getPlantEntry, listPlantEntries } from '../operations/plant/queries.ts';
import type { Store } from '../store/store.ts';
import { idParams, uint } from '../wire/paging.ts';
import { type EntryBody, entryBodies, entrySchemas, printEntry } from '../wire/plant/entries.ts';
import { idempotencyHeaders, makeOnce } from './make-once.ts';

const resources = [
  { kind: 'station', name: 'Station', exampleId: 2, path: 'stations', tag: 'Stations' },
  { kind: 'dataServer', name: 'DataServer', exampleId: 5, path: 'dataservers', tag: 'Data servers' },
  { kind: 'tagGroup', name: 'TagGroup', exampleId: 1, path: 'taggroups', tag: 'Tag groups' },
] as const satisfies readonly (Readonly<Record<'name' | 'path' | 'tag', string>> & {
  readonly kind: PlantKind;
  readonly exampleId: number;
})[];

export function plantRoutes(store: Store): Route[] {
  return [...entryRoutes(store), moveRoute(store)];
}

function moveRoute(store: Store): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/dataservers/:id/move',
    operationId: 'moveTags',
    scope: 'directory:write',
    tag: 'Data servers',
    summary: 'Move the tags of a placeholder',
    description:
      'Moves all tags of a placeholder to a real data server, and returns their number. From then on the number that made the placeholder means that data server for the same caller. Histories stay where they were raised.',
    params: idParams('placeholder', 5),
    body: Type.Object(
      { dataServerId: uint({ description: 'The data server that the tags move to.', examples: [1] }) },
      { title: 'TagMove', description: 'Where the tags of a placeholder move to.' },
    ),
    responses: {
      200: uint({
        description:
          'How many tags are moved. Of many the rest follows within seconds; one that is reported meanwhile is moved at once.',
      }),
    },
    refusals: ['not-found', 'name-taken'],
    handle: ({ params: { id }, body: { dataServerId }, principal, request }) =>
      store.write(moveTags, { caller: callerAt(principal, request), id, dataServerId }),
  });
}

function tagged<K extends PlantKind>(kind: K, entry: PlantEntry) {
  return { json: printEntry(kind, entry), tag: entityTagOf(entry) };
}

function entryRoutes(store: Store): Route[] {
  return resources.flatMap(({ kind, name, exampleId, path, tag }) => {
    const { noun, inStation } = plantKinds[kind];
    const inputOf = (body: EntryBody, { principal, request }: ChangeCall) => ({
      kind,
      caller: callerAt(principal, request),
      name: body.name,
      stationId: body.stationId || defaultStationId,
      scenarioIds: body.scenarioIds,
    });
    return resourceRoutes({
      noun,
      name,
      exampleId,
      path,
      tag,
      readScope: 'directory:read',
      writeScope: 'directory:write',
      byStation: inStation,
      schema: entrySchemas[kind],
      body: entryBodies[kind],
      list: async (listing) => {
        const { items, total } = await store.read(listPlantEntries, { kind, ...listing });
        return { items: items.map((entry) => printEntry(kind, entry)), total };
      },
      find: async (id, caller) => {
        const entry = await store.read(getPlantEntry, { kind, id, caller });
        return entry && tagged(kind, entry);
      },
      creationHeaders: idempotencyHeaders,
      create: (body, call) => makeOnce(store, createPlantEntryOnce, inputOf(body, call), call, { address: path, body }),
      replace: async (id, body, call) =>
        tagged(kind, await store.write(replacePlantEntry, { ...inputOf(body, call), id, ifMatch: call.ifMatch })),
      remove: (id, { principal, request, ifMatch }) =>
        store.write(removePlantEntry, { kind, id, caller: callerAt(principal, request), ifMatch }),
    });
  });
}
