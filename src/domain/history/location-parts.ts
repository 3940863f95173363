// The parts of a location that lists filter by, with the numbers stored for them. Pure.

export const locationParts = { station: 0, dataServer: 1, tagGroup: 2 } as const;

export type Location = {
  readonly stationId: number;
  readonly dataServerId: number;
  readonly tagGroupId: number | undefined;
};

export type LocationPart = { readonly part: number; readonly part_id: number };

/** Returns the parts of a location, in order. */
export function partsOf({ stationId, dataServerId, tagGroupId }: Location): readonly LocationPart[] {
  return [
    { part: locationParts.station, part_id: stationId },
    { part: locationParts.dataServer, part_id: dataServerId },
    ...(tagGroupId === undefined ? [] : [{ part: locationParts.tagGroup, part_id: tagGroupId }]),
  ];
}
