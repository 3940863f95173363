// The JSON of stations, data servers and tag groups.

import { type Static, Type } from 'typebox';
import type { PlantEntry, PlantKind } from '../../domain/plant/entities.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, idList, lastChange } from '../entry.ts';
import { uint } from '../paging.ts';

const name = entryName('Pumping station north');
const stationId = uint({ description: 'The station it belongs to.' });
const scenarioIds = idList('The scenarios that run for its alarms in addition to their own actions.');
const shared = { id: uint(), name, lastChange };

export const entrySchemas = {
  station: Type.Object({ ...shared, scenarioIds }),
  dataServer: Type.Object({
    ...shared,
    stationId,
    builtIn: Type.Boolean({ description: 'Created with its station; receives the alarms that name no data server.' }),
  }),
  tagGroup: Type.Object({ ...shared, stationId, scenarioIds }),
} as const satisfies Record<PlantKind, unknown>;

const inStation = {
  name,
  stationId: Type.Optional(uint({ description: 'The station it belongs to; not given, or 0: station 1.', default: 1 })),
};
const attachable = {
  scenarioIds: Type.Optional(idList('The scenarios to attach, and no others; not given: those there are stay.')),
};
const tagGroup = Type.Object({ ...inStation, ...attachable });

export const entryBodies = {
  station: Type.Object({ name, ...attachable }),
  dataServer: Type.Object(inStation),
  tagGroup,
} as const satisfies Record<PlantKind, unknown>;

export type EntryBody = Static<typeof tagGroup>;

export function printEntry(kind: PlantKind, entry: PlantEntry) {
  const { id, name, stationId, builtIn } = entry;
  const shared = { id, name, lastChange: printUtcLocal(entry.lastChange) };
  const scenarioIds = [...entry.scenarioIds];
  if (kind === 'station') return { ...shared, scenarioIds };
  return kind === 'tagGroup' ? { ...shared, stationId, scenarioIds } : { ...shared, stationId, builtIn };
}
