// The JSON of stations, data servers and tag groups.

import { type Static, Type } from 'typebox';
import type { DirectoryEntry, DirectoryKind } from '../domain/directory.ts';
import { printUtcLocal } from './date-time.ts';
import { uint } from './paging.ts';

const name = Type.String({ minLength: 1, maxLength: 256, examples: ['Pumping station north'] });
const stationId = uint({ description: 'The station it belongs to.' });
const shared = {
  id: uint(),
  name,
  lastChange: Type.String({ description: 'UTC, without offset.', examples: ['2026-05-31T06:30:00.000'] }),
};

export const entrySchemas = {
  station: Type.Object(shared),
  dataServer: Type.Object({
    ...shared,
    stationId,
    builtIn: Type.Boolean({ description: 'It came with its station and takes the alarms that name no data server.' }),
  }),
  tagGroup: Type.Object({ ...shared, stationId }),
} as const satisfies Record<DirectoryKind, unknown>;

const inStation = Type.Object({
  name,
  stationId: Type.Optional(uint({ description: 'The station it belongs to; not given, or 0: station 1.', default: 1 })),
});

export const entryBodies = {
  station: Type.Object({ name }),
  dataServer: inStation,
  tagGroup: inStation,
} as const satisfies Record<DirectoryKind, unknown>;

export type EntryBody = Static<typeof inStation>;

export function printEntry(kind: DirectoryKind, entry: DirectoryEntry) {
  const { id, name, stationId, builtIn } = entry;
  const lastChange = printUtcLocal(entry.lastChange);
  if (kind === 'station') return { id, name, lastChange };
  return kind === 'tagGroup' ? { id, name, lastChange, stationId } : { id, name, lastChange, stationId, builtIn };
}
