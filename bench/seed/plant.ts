// Generates a plant for measurements: stations, tags, texts and users, deterministic for the same numbers.

import { changedDefinition, emptyDefinition } from '../../src/domain/alarms/definition.ts';

export const stationCount = 10;
const serversPerStation = 3;
const groupsPerStation = 4;

/** Words that match almost nothing, a large part, and everything, for measuring searches. */
export const rareWord = 'hydrant';
export const commonWord = 'pump';
export const wordOfAll = 'in';

const subjects = [commonWord, 'valve', 'motor', 'boiler', 'conveyor', 'compressor', 'tank', 'filter'];
const faults = [
  'pressure low',
  'overload',
  'temperature high',
  'level low',
  'no answer',
  'door open',
  'vibration high',
];
const rooms = ['hall', 'cellar', 'yard', 'roof', 'gallery'];
const remarks = ['reset on site', 'spare part ordered', 'false alarm, sensor cleaned', 'called the electrician'];

/** The ids of a station, its data servers and its tag groups. */
export type StationIds = {
  readonly id: number;
  readonly dataServerIds: readonly number[];
  readonly tagGroupIds: readonly number[];
};

export type Location = {
  readonly stationId: number;
  readonly dataServerId: number;
  readonly tagGroupId: number | null;
};

/** The location and text of an alarm; some alarms are moved and reworded once. */
export type TagVersion = { readonly locationIndex: number; readonly message: string };
export type Tag = {
  readonly name: string;
  readonly priority: number;
  readonly code: number;
  readonly first: TagVersion;
  readonly later: TagVersion | undefined;
};

export type Plant = {
  readonly locations: readonly Location[];
  readonly tags: readonly Tag[];
  readonly userCount: number;
};

/** Names of a station's servers besides the built-in one, and of its groups. */
export const serverNames = Array.from({ length: serversPerStation - 1 }, (_, index) => `PLC ${index + 1}`);
export const groupNames = Array.from({ length: groupsPerStation }, (_, index) => `Line ${index + 1}`);

export function plantOf(stations: readonly StationIds[], tagCount: number, userCount: number): Plant {
  const locations = stations.flatMap(locationsOf);
  const locationsPerStation = locations.length / stations.length;
  const tags = Array.from({ length: tagCount }, (_, number) => tagOf(number, stations.length, locationsPerStation));
  return { locations, tags, userCount };
}

/** In the order of the rollup keys, where 0 means no group. */
function locationsOf({ id, dataServerIds, tagGroupIds }: StationIds): Location[] {
  return dataServerIds.flatMap((dataServerId) =>
    [null, ...tagGroupIds].map((tagGroupId) => ({ stationId: id, dataServerId, tagGroupId })),
  );
}

function tagOf(number: number, stations: number, locationsPerStation: number): Tag {
  const station = number % stations;
  const inStation = Math.floor(number / stations) % locationsPerStation;
  const locationIndex = station * locationsPerStation + inStation;
  const isMoved = number % 50 === 7;
  const groups = groupsPerStation + 1;
  const moved = locationIndex - (inStation % groups) + ((inStation + 1) % groups);
  const message = messageOf(number);
  return {
    name: `S${station + 1}/${pick(subjects, number)}-${number}`,
    priority: 1 + (number % 5),
    code: number % 3 === 0 ? 100 + (number % 50) : 0,
    first: { locationIndex, message },
    later: isMoved ? { locationIndex: moved, message: `${message}, moved` } : undefined,
  };
}

function messageOf(number: number): string {
  const subject = number % 10_000 === 711 ? rareWord : pick(subjects, number);
  return `${subject} ${pick(faults, number)} ${wordOfAll} ${pick(rooms, number)} ${1 + (number % 12)}`;
}

export function definitionOf({ code }: Tag, message: string): string {
  const alarm = { message, shortMessage: code === 0 ? '' : String(code) };
  return JSON.stringify(changedDefinition(emptyDefinition, { alarm }));
}

export function remarkOf(number: number): string {
  return `${pick(remarks, number)}, ticket ${number % 1_000}`;
}

function pick<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}
