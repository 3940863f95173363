// The entities of the plant (stations, data servers, tag groups), with their display nouns. Pure.

export const plantKinds = {
  station: { noun: 'station', inStation: false },
  dataServer: { noun: 'data server', inStation: true },
  tagGroup: { noun: 'tag group', inStation: true },
} as const satisfies Record<string, { noun: string; inStation: boolean }>;

export type PlantKind = keyof typeof plantKinds;

export type PlantEntry = {
  readonly id: number;
  readonly name: string;
  /** The station the entity belongs to; for a station, its own id. */
  readonly stationId: number;
  /** True for a data server created and deleted together with its station. */
  readonly builtIn: boolean;
  /** True for the built-in data server of Tocsin's own alarms, to which no caller can write. */
  readonly isSystem: boolean;
  /** Set for a data server that stands in for a number which names none of its caller. */
  readonly placeholder: Placeholder | undefined;
  /** The attached scenarios; always empty for a data server. */
  readonly scenarioIds: readonly number[];
  /** Milliseconds since 1970, UTC. */
  readonly lastChange: number;
};

/** The caller that named a data server it does not have, and the number it gave. */
export type Placeholder = {
  readonly actor: string;
  readonly number: number;
  /** The data server that the number has meant since an administrator moved the tags there. */
  readonly movedTo: number | undefined;
};

/** The station of alarms that name none; created on first start and never deleted. */
export const defaultStationId = 1;
export const defaultStationName = 'Main';

/** The data server of alarms that arrive over the interface and name none. */
export const builtInServerName = 'API';

/** The data server of the alarms that Tocsin itself raises. */
export const systemServerName = 'Tocsin';

/** Of this many data servers that it names and does not have, a caller has a placeholder each; the others share one. */
export const mostPlaceholders = 200;

/** The number of the placeholder for the data servers beyond that; no caller can name it. */
export const sharedPlaceholder = 0;

/** The name of a placeholder server; that of its caller is its actor, because names of callers are given out again. */
export function placeholderName({ actor, number }: Pick<Placeholder, 'actor' | 'number'>): string {
  return `? ${number === sharedPlaceholder ? 'more' : number} ${actor}`;
}
