// Stations, data servers and tag groups.

import { callerOf } from '../domain/access/access.ts';
import { type DirectoryKind, defaultStationId, directoryKinds } from '../domain/plant/entities.ts';
import { type ChangeCall, resourceRoutes } from '../http/resource-routes.ts';
import type { Route } from '../http/route.ts';
import {
  createDirectoryEntry,
  removeDirectoryEntry,
  replaceDirectoryEntry,
} from '../operations/plant/change-resource.ts';
import { getDirectoryEntry, listDirectoryEntries } from '../operations/plant/queries.ts';
import type { Store } from '../store/store.ts';
import { type EntryBody, entryBodies, entrySchemas, printEntry } from '../wire/plant/entries.ts';

const resources = [
  { kind: 'station', path: 'stations', tag: 'Stations' },
  { kind: 'dataServer', path: 'dataservers', tag: 'Data servers' },
  { kind: 'tagGroup', path: 'taggroups', tag: 'Tag groups' },
] as const satisfies readonly { readonly kind: DirectoryKind; readonly path: string; readonly tag: string }[];

export function directoryRoutes(store: Store): Route[] {
  return resources.flatMap(({ kind, path, tag }) => {
    const { noun, inStation } = directoryKinds[kind];
    const command = (body: EntryBody, { principal }: ChangeCall) => ({
      kind,
      caller: callerOf(principal),
      name: body.name,
      stationId: body.stationId || defaultStationId,
      scenarioIds: body.scenarioIds,
    });
    return resourceRoutes({
      noun,
      path,
      tag,
      readScope: 'directory:read',
      writeScope: 'directory:write',
      byStation: inStation,
      schema: entrySchemas[kind],
      body: entryBodies[kind],
      list: async (listing) => {
        const { items, total } = await store.read(listDirectoryEntries, { kind, ...listing });
        return { items: items.map((entry) => printEntry(kind, entry)), total };
      },
      find: async (id, caller) => {
        const entry = await store.read(getDirectoryEntry, { kind, id, caller });
        return entry && printEntry(kind, entry);
      },
      create: (body, call) => store.write(createDirectoryEntry, command(body, call)),
      replace: async (id, body, call) =>
        printEntry(kind, await store.write(replaceDirectoryEntry, { ...command(body, call), id })),
      remove: (id, { principal }) => store.write(removeDirectoryEntry, { kind, id, caller: callerOf(principal) }),
    });
  });
}
