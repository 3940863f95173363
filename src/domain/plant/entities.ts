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
  /** The attached scenarios; always empty for a data server. */
  readonly scenarioIds: readonly number[];
  /** Milliseconds since 1970, UTC. */
  readonly lastChange: number;
};

/** The station of alarms that name none; created on first start and never deleted. */
export const defaultStationId = 1;
export const defaultStationName = 'Main';

/** The data server of alarms that arrive over the interface and name none. */
export const builtInServerName = 'API';
