// The parts of a place by which lists are narrowed, as numbers that are kept. Pure.

export const placeParts = { station: 0, dataServer: 1, tagGroup: 2 } as const;

export type Place = {
  readonly stationId: number;
  readonly dataServerId: number;
  readonly tagGroupId: number | undefined;
};

export type PlacePart = { readonly part: number; readonly part_id: number };

/** The parts a place has, in order. */
export function partsOf({ stationId, dataServerId, tagGroupId }: Place): readonly PlacePart[] {
  return [
    { part: placeParts.station, part_id: stationId },
    { part: placeParts.dataServer, part_id: dataServerId },
    ...(tagGroupId === undefined ? [] : [{ part: placeParts.tagGroup, part_id: tagGroupId }]),
  ];
}
