// The JSON of stations, data servers and tag groups.

import { type Static, Type } from 'typebox';
import type { PlantEntry, PlantKind } from '../../domain/plant/entities.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, idList, lastChange } from '../entry.ts';
import { idOf, uint } from '../paging.ts';

const name = entryName('Pumping station north');
const stationId = uint({ description: 'The station it belongs to.', examples: [1] });
const scenarioIds = idList('The scenarios that run for its alarms in addition to their own actions.');
const about = {
  station: { title: 'Station', description: 'A site, or a part of one, with alarms of its own.' },
  dataServer: { title: 'DataServer', description: 'A source of tags.' },
  tagGroup: { title: 'TagGroup', description: 'Tags that belong together.' },
} as const satisfies Record<PlantKind, unknown>;
const shared = (noun: string) => ({ id: idOf(noun), name, lastChange });

export const entrySchemas = {
  station: Type.Object({ ...shared('station'), scenarioIds }, about.station),
  dataServer: Type.Object(
    {
      ...shared('data server'),
      stationId,
      builtIn: Type.Boolean({
        description:
          'Created with its station. The one that is not `system` receives the alarms that name no data server.',
      }),
      system: Type.Boolean({ description: "Holds the alarms of Tocsin itself; no caller's report reaches it." }),
      placeholder: Type.Optional(
        Type.Object(
          {
            caller: Type.String({ description: 'Who gave the number.', examples: ['key:7'] }),
            dataServerId: uint({ description: 'The number that was given.' }),
            movedTo: Type.Optional(
              uint({ description: 'The data server that the number means since its tags were moved.' }),
            ),
          },
          {
            title: 'Placeholder',
            description: 'Set for a placeholder: a caller named a data server that does not exist or is not its own.',
          },
        ),
      ),
    },
    about.dataServer,
  ),
  tagGroup: Type.Object({ ...shared('tag group'), stationId, scenarioIds }, about.tagGroup),
} as const satisfies Record<PlantKind, unknown>;

const inStation = {
  name,
  stationId: Type.Optional(uint({ description: 'The station it belongs to; not given, or 0: station 1.', default: 1 })),
};
const attachable = {
  scenarioIds: Type.Optional(
    idList(
      'The scenarios to attach, and no others; not given: those there are stay. One that runs scripts needs the scope `commands:run`.',
    ),
  ),
};
const aboutBody = (kind: PlantKind, example: string) => ({
  title: `${about[kind].title}Body`,
  description: about[kind].description,
  examples: [{ name: example }],
});
const tagGroup = Type.Object({ ...inStation, ...attachable }, aboutBody('tagGroup', 'Pumps'));

export const entryBodies = {
  station: Type.Object({ name, ...attachable }, aboutBody('station', 'Pumping station north')),
  dataServer: Type.Object(inStation, aboutBody('dataServer', 'PLC north')),
  tagGroup,
} as const satisfies Record<PlantKind, unknown>;

export type EntryBody = Static<typeof tagGroup>;

export function printEntry(kind: PlantKind, entry: PlantEntry) {
  const { id, name, stationId, builtIn } = entry;
  const shared = { id, name, lastChange: printUtcLocal(entry.lastChange) };
  const scenarioIds = [...entry.scenarioIds];
  if (kind === 'station') return { ...shared, scenarioIds };
  if (kind === 'tagGroup') return { ...shared, stationId, scenarioIds };
  return { ...shared, stationId, builtIn, system: entry.isSystem, ...printPlaceholder(entry.placeholder) };
}

function printPlaceholder(placeholder: PlantEntry['placeholder']) {
  if (placeholder === undefined) return {};
  const { actor: caller, number: dataServerId, movedTo } = placeholder;
  return { placeholder: { caller, dataServerId, ...(movedTo === undefined ? {} : { movedTo }) } };
}
