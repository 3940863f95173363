// The parts of a place by which lists are narrowed, as numbers that are kept. Pure.

export const locationParts = { station: 0, dataServer: 1, tagGroup: 2 } as const;

export type Location = {
  readonly stationId: number;
  readonly dataServerId: number;
  readonly tagGroupId: number | undefined;
};

export type LocationPart = { readonly part: number; readonly part_id: number };

/** The parts a place has, in order. */
export function partsOf({ stationId, dataServerId, tagGroupId }: Location): readonly LocationPart[] {
  return [
    { part: locationParts.station, part_id: stationId },
    { part: locationParts.dataServer, part_id: dataServerId },
    ...(tagGroupId === undefined ? [] : [{ part: locationParts.tagGroup, part_id: tagGroupId }]),
  ];
}
