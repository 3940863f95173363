// What a day left behind, with the time of everything, for the checkers: nothing in it comes from a function of the engine.

import type { CallPolicy, CallTarget } from '../../../src/domain/calls/call.ts';
import type { Provider } from '../../../src/domain/channels/provider.ts';
import type { Attempt, Escalation } from '../../../src/domain/escalation/escalation.ts';
import type { Reason } from '../../../src/domain/escalation/reason.ts';
import type { PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import type { ContactNumber } from '../../../src/domain/people/person.ts';
import { isSpokenOn, type Moment } from './directory.ts';
import type { Timeline } from './timeline.ts';

export type CauseTrace = {
  readonly id: number;
  readonly raisedAt: number;
  readonly asks: boolean;
  readonly priority: Timeline<number>;
  /** When its alarm came again while nobody had taken it. */
  readonly raisedAgainAt: number[];
  /** When it was taken, masked or ended otherwise. */
  endedAt: number | undefined;
};

export type EscalationTrace = {
  readonly id: number;
  readonly causeId: number;
  readonly target: CallTarget;
  readonly openedAt: number;
  readonly dueAt: number;
  readonly states: Timeline<Escalation>;
};

export type AttemptTrace = {
  /** As it is at the end of the day. */
  attempt: Attempt;
  readonly reason: Reason;
  /** The number as it was when the attempt began. */
  readonly number: ContactNumber;
  leftAt: number | undefined;
  /** When what it announced was fixed. */
  announcedAt: number | undefined;
  cancelReason: Reason | undefined;
  /** Lost in a restart. */
  isLost: boolean;
};

/**
 * Ids of the providers that work as far as is known, of those that have a free line besides, and of those that have carried as much
 * as they may in a day.
 */
export type ChannelState = {
  readonly working: ReadonlySet<number>;
  readonly free: ReadonlySet<number>;
  readonly usedUp: ReadonlySet<number>;
};

export type Trace = {
  readonly seed: number;
  readonly begin: number;
  readonly end: number;
  /** How long a change may go unnoticed. */
  readonly slackMs: number;
  readonly policies: Timeline<CallPolicy>;
  readonly providers: readonly Provider[];
  readonly snapshots: Timeline<PeopleSnapshot>;
  readonly locks: Timeline<ReadonlyMap<number, number>>;
  readonly channels: Timeline<ChannelState>;
  /** What civil time is ahead of engine time, which no step of the clock moves. */
  readonly civilOffsets: Timeline<number>;
  /** When somebody had the next group called for a cause by hand. */
  readonly escalated: readonly { readonly at: number; readonly causeId: number }[];
  readonly causes: ReadonlyMap<number, CauseTrace>;
  readonly escalations: ReadonlyMap<number, EscalationTrace>;
  readonly attempts: ReadonlyMap<number, AttemptTrace>;
  /** Faults that showed while the day was lived. */
  readonly flaws: readonly string[];
  readonly counts: Counts;
};

export type Counts = {
  alarms: number;
  attempts: number;
  decisions: number;
  dropped: number;
  /** Changes that a look found although no wake was dropped. */
  late: number;
  restarts: number;
  /** How often it was decided again while there was nothing to do, and how often that would have changed something. */
  again: number;
  rewritten: number;
};

export function noCounts(): Counts {
  return { alarms: 0, attempts: 0, decisions: 0, dropped: 0, late: 0, restarts: 0, again: 0, rewritten: 0 };
}

export function momentAt(trace: Trace, engine: number): Moment {
  return {
    snapshot: trace.snapshots.at(engine),
    policy: trace.policies.at(engine),
    engine,
    civil: engine + trace.civilOffsets.at(engine),
    locks: trace.locks.at(engine),
  };
}

/** Whether directory, policy and clock stayed as they were. */
export function isUnchanged({ snapshots, policies, civilOffsets }: Trace, from: number, to: number): boolean {
  return [snapshots, policies, civilOffsets].every((one) => one.during(from, to).length === 1);
}

export function stateAt(trace: Trace, escalationId: number, at: number): Escalation | undefined {
  const escalation = trace.escalations.get(escalationId);
  return escalation === undefined || escalation.openedAt > at ? undefined : escalation.states.at(at);
}

export function isOpenAt(cause: CauseTrace | undefined, at: number): boolean {
  return cause !== undefined && (cause.endedAt === undefined || cause.endedAt > at);
}

export function isLiveAt({ attempt }: AttemptTrace, at: number): boolean {
  return attempt.begunAt <= at && (attempt.end === undefined || attempt.end.at > at);
}

export function isSpoken({ attempt }: AttemptTrace): boolean {
  return isSpokenOn(attempt.channel);
}

/** Returns the time of day for sentences. */
export function shown(trace: Pick<Trace, 'begin'>, at: number): string {
  const seconds = (at - trace.begin) / 1_000;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two((seconds / 60) % 60)}:${(seconds % 60).toFixed(3).padStart(6, '0')}`;
}
