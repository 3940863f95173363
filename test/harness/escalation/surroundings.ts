// What the engine finds around it and cannot change: the directory, the policy, the clock and locked numbers, as they were at
// every instant of a day.

import type { CallPolicy } from '../../../src/domain/calls/call.ts';
import type { PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import type { Moment } from './directory.ts';
import { Timeline } from './timeline.ts';

export class Surroundings {
  /** In engine time, which no step of the clock moves. */
  now: number;
  readonly snapshots: Timeline<PeopleSnapshot>;
  readonly policies: Timeline<CallPolicy>;
  readonly locks: Timeline<ReadonlyMap<number, number>>;
  /** What civil time is ahead of engine time. */
  readonly civilOffsets: Timeline<number>;

  constructor(begin: number, snapshot: PeopleSnapshot, policy: CallPolicy, civilOffset: number) {
    this.now = begin;
    this.snapshots = new Timeline(begin, snapshot);
    this.policies = new Timeline(begin, policy);
    this.locks = new Timeline<ReadonlyMap<number, number>>(begin, new Map());
    this.civilOffsets = new Timeline(begin, civilOffset);
  }

  get snapshot(): PeopleSnapshot {
    return this.snapshots.last;
  }

  get policy(): CallPolicy {
    return this.policies.last;
  }

  get civil(): number {
    return this.now + this.civilOffsets.last;
  }

  get moment(): Moment {
    const { snapshot, policy, now: engine, civil } = this;
    return { snapshot, policy, engine, civil, locks: this.locks.last };
  }

  changeDirectory(changes: Partial<PeopleSnapshot>): void {
    this.snapshots.set(this.now, { ...this.snapshot, ...changes });
  }

  changePolicy(policy: CallPolicy): void {
    this.policies.set(this.now, policy);
  }

  lock(numberId: number, until: number): void {
    this.locks.set(this.now, new Map([...this.locks.last, [numberId, until]]));
  }

  stepClock(byMs: number): void {
    this.civilOffsets.set(this.now, this.civilOffsets.last + byMs);
  }
}
