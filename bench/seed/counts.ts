// Counts the made-up history as the server would: a step of each level at a time, handed on when the next one begins.

import { ladderLevels, stepsOf } from '../../src/domain/time-ladder.ts';
import type { BulkLoader, Values } from './bulk.ts';
import type { Place } from './plant.ts';
import type { Occurrence } from './year.ts';

const placeColumns = ['station_id', 'data_server_id', 'tag_group_id'];
const entryColumns = ['level', 'step', ...placeColumns, 'entries', 'min_id', 'max_id'];
const sums = ['interventions', 'reaction_ms', 'finished', 'intervention_ms'];
const interventionColumns = ['level', 'step', 'user_id', ...placeColumns, ...sums];

/** One open step of one level: the counts of each place, and of each user in each place. */
class StepCounts {
  readonly level: number;
  step = -1;
  readonly #places: readonly Place[];
  readonly #userIds: readonly number[];
  readonly #entries: Float64Array;
  readonly #interventions: Float64Array;

  constructor(level: number, places: readonly Place[], userIds: readonly number[]) {
    this.level = level;
    this.#places = places;
    this.#userIds = userIds;
    this.#entries = new Float64Array(places.length * 3);
    this.#interventions = new Float64Array(places.length * userIds.length * sums.length);
  }

  add({ id, raisedAt, ackAt, resetAt, user }: Occurrence, place: number): void {
    const at = place * 3;
    if (this.#entries[at] === 0) this.#entries[at + 1] = id;
    this.#entries[at] = (this.#entries[at] ?? 0) + 1;
    this.#entries[at + 2] = id;
    if (user === -1 || ackAt === null) return;
    const isFinished = resetAt !== null && resetAt >= ackAt;
    const cell = (user * this.#places.length + place) * sums.length;
    const added = [1, ackAt - raisedAt, isFinished ? 1 : 0, isFinished ? resetAt - ackAt : 0];
    for (const [index, value] of added.entries()) {
      this.#interventions[cell + index] = (this.#interventions[cell + index] ?? 0) + value;
    }
  }

  /** The rows of the step, which is then empty. */
  take(): { entries: Values[]; interventions: Values[] } {
    const entries = this.#places.flatMap((place, index) => {
      const counts = this.#entries.subarray(index * 3, index * 3 + 3);
      return counts[0] === 0 ? [] : [[this.level, this.step, ...keyOf(place), ...counts]];
    });
    const interventions: Values[] = [];
    for (const [user, userId] of this.#userIds.entries()) {
      for (const [index, place] of this.#places.entries()) {
        const cell = (user * this.#places.length + index) * sums.length;
        if (this.#interventions[cell] === 0) continue;
        const counts = this.#interventions.subarray(cell, cell + sums.length);
        interventions.push([this.level, this.step, userId, ...keyOf(place), ...counts]);
      }
    }
    this.#entries.fill(0);
    this.#interventions.fill(0);
    return { entries, interventions };
  }
}

function keyOf({ stationId, dataServerId, tagGroupId }: Place): Values {
  return [stationId, dataServerId, tagGroupId ?? 0];
}

export class Counts {
  readonly #open: readonly StepCounts[];
  #entries: Values[] = [];
  #interventions: Values[] = [];

  constructor(places: readonly Place[], userIds: readonly number[]) {
    this.#open = ladderLevels.map((level) => new StepCounts(level, places, userIds));
  }

  add(occurrence: Occurrence, place: number): void {
    for (const { level, step } of stepsOf(occurrence.raisedAt)) {
      const counts = this.#open[level];
      if (counts === undefined) continue;
      if (counts.step !== step) this.#close(counts);
      counts.step = step;
      counts.add(occurrence, place);
    }
  }

  #close(counts: StepCounts): void {
    if (counts.step === -1) return;
    const { entries, interventions } = counts.take();
    this.#entries.push(...entries);
    this.#interventions.push(...interventions);
  }

  /** Hands on what is complete; at the end, all. */
  async write(loader: BulkLoader, isEnd: boolean): Promise<void> {
    if (isEnd) for (const counts of this.#open) this.#close(counts);
    await loader.insert('history_counts', entryColumns, this.#entries);
    await loader.insert('intervention_counts', interventionColumns, this.#interventions);
    this.#entries = [];
    this.#interventions = [];
  }
}
