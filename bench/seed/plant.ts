// A made-up plant for measurements: its stations, tags, texts and people, the same for the same numbers.

import { changedDefinition, emptyDefinition } from '../../src/domain/alarms/definition.ts';

export const stationCount = 10;
const serversAStation = 3;
const groupsAStation = 4;

/** Words that find nearly nothing, a large part and all, for those who measure a search. */
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

/** The ids of a station and of what belongs to it. */
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

/** What an alarm is and says; some are moved and reworded once. */
export type TagSide = { readonly place: number; readonly message: string };
export type Tag = {
  readonly name: string;
  readonly priority: number;
  readonly code: number;
  readonly first: TagSide;
  readonly later: TagSide | undefined;
};

export type Plant = { readonly places: readonly Location[]; readonly tags: readonly Tag[]; readonly userCount: number };

/** Names of the servers a station has besides its own, and of its groups. */
export const serverNames = Array.from({ length: serversAStation - 1 }, (_, index) => `PLC ${index + 1}`);
export const groupNames = Array.from({ length: groupsAStation }, (_, index) => `Line ${index + 1}`);

export function plantOf(stations: readonly StationIds[], tagCount: number, userCount: number): Plant {
  const places = stations.flatMap(placesOf);
  const placesAStation = places.length / stations.length;
  const tags = Array.from({ length: tagCount }, (_, number) => tagOf(number, stations.length, placesAStation));
  return { places, tags, userCount };
}

/** In the order of the keys of the counts, where no group is 0. */
function placesOf({ id, dataServerIds, tagGroupIds }: StationIds): Location[] {
  return dataServerIds.flatMap((dataServerId) =>
    [null, ...tagGroupIds].map((tagGroupId) => ({ stationId: id, dataServerId, tagGroupId })),
  );
}

function tagOf(number: number, stations: number, placesAStation: number): Tag {
  const station = number % stations;
  const inStation = Math.floor(number / stations) % placesAStation;
  const place = station * placesAStation + inStation;
  const isMoved = number % 50 === 7;
  const groups = groupsAStation + 1;
  const moved = place - (inStation % groups) + ((inStation + 1) % groups);
  const message = messageOf(number);
  return {
    name: `S${station + 1}/${pick(subjects, number)}-${number}`,
    priority: 1 + (number % 5),
    code: number % 3 === 0 ? 100 + (number % 50) : 0,
    first: { place, message },
    later: isMoved ? { place: moved, message: `${message}, moved` } : undefined,
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
