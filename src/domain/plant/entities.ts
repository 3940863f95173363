// The named things a plant is made of, what they are called to people, and what may refer to them. Pure.

export const plantKinds = {
  station: { noun: 'station', inStation: false },
  dataServer: { noun: 'data server', inStation: true },
  tagGroup: { noun: 'tag group', inStation: true },
} as const satisfies Record<string, { noun: string; inStation: boolean }>;

export type PlantKind = keyof typeof plantKinds;

export type PlantEntry = {
  readonly id: number;
  readonly name: string;
  /** The station it belongs to; for a station, itself. */
  readonly stationId: number;
  /** A data server that came with its station and goes with it. */
  readonly builtIn: boolean;
  /** The scenarios attached to it; a data server has none. */
  readonly scenarioIds: readonly number[];
  /** Milliseconds since 1970, UTC. */
  readonly lastChange: number;
};

/** What an alarm belongs to that names no station; it is there from the first start and stays. */
export const defaultStationId = 1;
export const defaultStationName = 'Main';

/** The data server of alarms that come in over the interface and name none. */
export const builtInServerName = 'API';
