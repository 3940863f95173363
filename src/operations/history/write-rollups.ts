// Sums the rollup changes of a transaction, one row per key and sorted by key.

import { type Location, partsOf } from '../../domain/history/location-parts.ts';
import { bucketsOf, hourMs } from '../../domain/history/time-buckets.ts';
import type { Tx } from '../../store/store.ts';
import { historyCountRows, interventionCountRows } from './rows.ts';

type Intervention = {
  readonly userId: number;
  readonly interventions: number;
  readonly reactionMs: number;
  readonly finished: number;
  readonly interventionMs: number;
};

type Key = { level: number; step: number; station_id: number; data_server_id: number; tag_group_id: number };
type EntryCount = Key & { entries: number; min_id: number; max_id: number };
type InterventionKey = {
  level: number;
  part: number;
  part_id: number;
  step: number;
  user_id: number;
  station_id: number;
};
type InterventionCount = InterventionKey & {
  interventions: number;
  reaction_ms: number;
  finished: number;
  intervention_ms: number;
};

export class Rollups {
  readonly #entries = new Map<string, EntryCount>();
  /** The counts by hour and location: entries written together mostly share them. */
  readonly #byHour = new Map<string, readonly EntryCount[]>();
  readonly #interventions = new Map<string, InterventionCount>();

  /** `sign` is -1 for an entry that is removed. */
  addEntry(id: number, raisedAt: number, location: Location, sign: 1 | -1 = 1): void {
    for (const count of this.#countsOf(raisedAt, location)) {
      count.entries += sign;
      count.min_id = Math.min(count.min_id, id);
      count.max_id = Math.max(count.max_id, id);
    }
  }

  #countsOf(raisedAt: number, location: Location): readonly EntryCount[] {
    const hour = Math.floor(raisedAt / hourMs);
    const name = `${hour}/${location.stationId}/${location.dataServerId}/${location.tagGroupId ?? 0}`;
    let counts = this.#byHour.get(name);
    if (counts === undefined) {
      counts = keysOf(raisedAt, location).map((key) => this.#countOf(key));
      this.#byHour.set(name, counts);
    }
    return counts;
  }

  #countOf(key: Key): EntryCount {
    const name = nameOf(key);
    const count = this.#entries.get(name) ?? { ...key, entries: 0, min_id: Infinity, max_id: 0 };
    this.#entries.set(name, count);
    return count;
  }

  addIntervention(raisedAt: number, location: Location, change: Intervention, sign: 1 | -1 = 1): void {
    for (const key of interventionKeysOf(raisedAt, location, change.userId)) {
      const name = Object.values(key).join('/');
      let count = this.#interventions.get(name);
      if (count === undefined) {
        count = { ...key, interventions: 0, reaction_ms: 0, finished: 0, intervention_ms: 0 };
        this.#interventions.set(name, count);
      }
      count.interventions += sign * change.interventions;
      count.reaction_ms += sign * change.reactionMs;
      count.finished += sign * change.finished;
      count.intervention_ms += sign * change.interventionMs;
    }
  }

  async write(tx: Tx): Promise<void> {
    await tx.each(historyCountRows.add, sortedByKey(this.#entries));
    await tx.each(interventionCountRows.add, sortedByKey(this.#interventions));
  }

  /** To be called after a write that subtracts: a row of zero says nothing and would stay for ever. */
  async removeEmpty(tx: Tx): Promise<void> {
    const entries = sortedByKey(this.#entries).map(({ min_id: _, max_id: __, ...key }) => ({ ...key, entries: 0 }));
    const interventions = sortedByKey(this.#interventions).map(
      ({ reaction_ms: _, finished: __, intervention_ms: ___, ...key }) => ({ ...key, interventions: 0 }),
    );
    await tx.each(historyCountRows.removeEmpty, entries);
    await tx.each(interventionCountRows.removeEmpty, interventions);
  }
}

function keysOf(raisedAt: number, { stationId, dataServerId, tagGroupId }: Location): readonly Key[] {
  const location = { station_id: stationId, data_server_id: dataServerId, tag_group_id: tagGroupId ?? 0 };
  return bucketsOf(raisedAt).map((bucket) => ({ ...bucket, ...location }));
}

function interventionKeysOf(raisedAt: number, location: Location, userId: number): readonly InterventionKey[] {
  return bucketsOf(raisedAt).flatMap(({ level, step }) =>
    partsOf(location).map((part) => ({ level, ...part, step, user_id: userId, station_id: location.stationId })),
  );
}

function nameOf({ level, step, station_id, data_server_id, tag_group_id }: Key): string {
  return `${level}/${step}/${station_id}/${data_server_id}/${tag_group_id}`;
}

function sortedByKey<T>(counts: ReadonlyMap<string, T>): readonly T[] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}
