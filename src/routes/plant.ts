// Routes of stations, data servers and tag groups.

import { callerAt } from '../domain/access/access.ts';
import { defaultStationId, type PlantKind, plantKinds } from '../domain/plant/entities.ts';
import { type ChangeCall, resourceRoutes } from '../http/resource-routes.ts';
import type { Route } from '../http/route.ts';
import { createPlantEntry, removePlantEntry, replacePlantEntry } from '../operations/plant/change-resource.ts';
import { getPlantEntry, listPlantEntries } from '../operations/plant/queries.ts';
import type { Store } from '../store/store.ts';
import { type EntryBody, entryBodies, entrySchemas, printEntry } from '../wire/plant/entries.ts';

const resources = [
  { kind: 'station', name: 'Station', exampleId: 2, path: 'stations', tag: 'Stations' },
  { kind: 'dataServer', name: 'DataServer', exampleId: 3, path: 'dataservers', tag: 'Data servers' },
  { kind: 'tagGroup', name: 'TagGroup', exampleId: 1, path: 'taggroups', tag: 'Tag groups' },
] as const satisfies readonly (Readonly<Record<'name' | 'path' | 'tag', string>> & {
  readonly kind: PlantKind;
  readonly exampleId: number;
})[];

export function plantRoutes(store: Store): Route[] {
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
        return entry && printEntry(kind, entry);
      },
      create: (body, call) => store.write(createPlantEntry, inputOf(body, call)),
      replace: async (id, body, call) =>
        printEntry(kind, await store.write(replacePlantEntry, { ...inputOf(body, call), id })),
      remove: (id, { principal, request }) =>
        store.write(removePlantEntry, { kind, id, caller: callerAt(principal, request) }),
    });
  });
}
