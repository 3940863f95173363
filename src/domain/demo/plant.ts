// The demo plant: its stations, tag groups and tags. Pure.

import type { DemoTag } from './tag.ts';
import { hillReservoirTags } from './tags/hill-reservoir.ts';
import { floodPath, liftStationTags } from './tags/lift-station-4.ts';
import { northWorksTags } from './tags/north-works.ts';
import { riverIntakeTags } from './tags/river-intake.ts';

export const demoTags: readonly DemoTag[] = [
  ...riverIntakeTags,
  ...northWorksTags,
  ...liftStationTags,
  ...hillReservoirTags,
];

export const demoStations: readonly string[] = [...new Set(demoTags.map(({ station }) => station))];

export const demoTagGroups: readonly { readonly name: string; readonly station: string }[] = [
  ...new Map(demoTags.map(({ tagGroup: name, station }) => [name, { name, station }])).values(),
];

/** The tag whose alarm rings first: "Lift station 4 floods in ten seconds". */
export const firstTag = demoTags.find(({ path }) => path === floodPath) as DemoTag;
