// Computes the rollups of the generated history as the server would, one open time bucket per level.

import { type LocationPart, partsOf } from '../../src/domain/history/location-parts.ts';
import { bucketLevels, bucketsOf } from '../../src/domain/history/time-buckets.ts';
import type { BulkLoader, Values } from './bulk.ts';
import type { Location } from './plant.ts';
import type { Occurrence } from './year.ts';

const locationColumns = ['station_id', 'data_server_id', 'tag_group_id'];
const entryColumns = ['level', 'step', ...locationColumns, 'entries', 'min_id', 'max_id'];
const sums = ['interventions', 'reaction_ms', 'finished', 'intervention_ms'];
const interventionColumns = ['level', 'part', 'part_id', 'step', 'user_id', 'station_id', ...sums];

/**
 * The counts of one open bucket of one level: entries by location, and acknowledgements by user and part of a location.
 */
class BucketCounts {
  readonly level: number;
  step = -1;
  readonly #locations: readonly Location[];
  /** The indexes of each location's parts. */
  readonly #partsOf: readonly (readonly number[])[];
  readonly #parts: readonly Part[];
  readonly #userIds: readonly number[];
  readonly #entries: Float64Array;
  readonly #interventions: Float64Array;

  constructor(level: number, locations: readonly Location[], userIds: readonly number[]) {
    this.level = level;
    this.#locations = locations;
    this.#userIds = userIds;
    this.#parts = distinctParts(locations);
    const names = this.#parts.map(nameOf);
    this.#partsOf = locations.map((location) => partsWithStation(location).map((part) => names.indexOf(nameOf(part))));
    this.#entries = new Float64Array(locations.length * 3);
    this.#interventions = new Float64Array(this.#parts.length * userIds.length * sums.length);
  }

  add({ id, raisedAt, ackAt, resetAt, user }: Occurrence, locationIndex: number): void {
    const at = locationIndex * 3;
    if (this.#entries[at] === 0) this.#entries[at + 1] = id;
    this.#entries[at] = (this.#entries[at] ?? 0) + 1;
    this.#entries[at + 2] = id;
    if (user === -1 || ackAt === null) return;
    const tookMs = resetAt !== null && resetAt >= ackAt ? resetAt - ackAt : -1;
    for (const part of this.#partsOf[locationIndex] ?? [])
      this.#addTo(part * this.#userIds.length + user, ackAt - raisedAt, tookMs);
  }

  #addTo(cell: number, reactionMs: number, tookMs: number): void {
    const at = cell * sums.length;
    const counts = this.#interventions;
    counts[at] = (counts[at] ?? 0) + 1;
    counts[at + 1] = (counts[at + 1] ?? 0) + reactionMs;
    if (tookMs < 0) return;
    counts[at + 2] = (counts[at + 2] ?? 0) + 1;
    counts[at + 3] = (counts[at + 3] ?? 0) + tookMs;
  }

  /** Returns the rows of the bucket and clears it. */
  take(): { entries: Values[]; interventions: Values[] } {
    const entries = this.#locations.flatMap((location, index) => {
      const counts = this.#entries.subarray(index * 3, index * 3 + 3);
      return counts[0] === 0 ? [] : [[this.level, this.step, ...keyOf(location), ...counts]];
    });
    const interventions: Values[] = [];
    for (const [index, { part, part_id, stationId }] of this.#parts.entries()) {
      for (const [user, userId] of this.#userIds.entries()) {
        const cell = (index * this.#userIds.length + user) * sums.length;
        if (this.#interventions[cell] === 0) continue;
        const counts = this.#interventions.subarray(cell, cell + sums.length);
        interventions.push([this.level, part, part_id, this.step, userId, stationId, ...counts]);
      }
    }
    this.#entries.fill(0);
    this.#interventions.fill(0);
    return { entries, interventions };
  }
}

type Part = LocationPart & { readonly stationId: number };

function partsWithStation(location: Location): readonly Part[] {
  const parts = partsOf({ ...location, tagGroupId: location.tagGroupId ?? undefined });
  return parts.map((part) => ({ ...part, stationId: location.stationId }));
}

function distinctParts(locations: readonly Location[]): readonly Part[] {
  return [...new Map(locations.flatMap(partsWithStation).map((part) => [nameOf(part), part])).values()];
}

function nameOf({ part, part_id }: LocationPart): string {
  return `${part}/${part_id}`;
}

function keyOf({ stationId, dataServerId, tagGroupId }: Location): Values {
  return [stationId, dataServerId, tagGroupId ?? 0];
}

export class Counts {
  readonly #open: readonly BucketCounts[];
  #entries: Values[] = [];
  #interventions: Values[] = [];

  constructor(locations: readonly Location[], userIds: readonly number[]) {
    this.#open = bucketLevels.map((level) => new BucketCounts(level, locations, userIds));
  }

  add(occurrence: Occurrence, locationIndex: number): void {
    for (const { level, step } of bucketsOf(occurrence.raisedAt)) {
      const counts = this.#open[level];
      if (counts === undefined) continue;
      if (counts.step !== step) this.#close(counts);
      counts.step = step;
      counts.add(occurrence, locationIndex);
    }
  }

  #close(counts: BucketCounts): void {
    if (counts.step === -1) return;
    const { entries, interventions } = counts.take();
    this.#entries.push(...entries);
    this.#interventions.push(...interventions);
  }

  /** Writes the complete buckets; at the end, all of them. */
  async write(loader: BulkLoader, isEnd: boolean): Promise<void> {
    if (isEnd) for (const counts of this.#open) this.#close(counts);
    await loader.insert('history_counts', entryColumns, this.#entries);
    await loader.insert('intervention_counts', interventionColumns, this.#interventions);
    this.#entries = [];
    this.#interventions = [];
  }
}
