// A call as it goes on: whom it is for, which people it has come to, and how each of them is getting on. Pure.

import type { ContactNumber } from '../people/person.ts';

/** Whom a request calls. The last resort has no id of its own. */
export type CallTarget = { readonly kind: 'group' | 'user' | 'last-resort'; readonly id: number };

/** Unlike that of any other target. */
export function targetName({ kind, id }: CallTarget): string {
  return `${kind} ${id}`;
}

/**
 * Where a person's turn stands: an attempt is due or under way; a pause until the next; reached, and asked to acknowledge;
 * held back by the cap or for a line that is in use; or over: acknowledged, acknowledged and followed by another turn for
 * what came since, in vain, or ended from outside.
 */
export type CyclePhase =
  | 'attempting'
  | 'pausing'
  | 'reached'
  | 'held'
  | 'acknowledged'
  | 'followed'
  | 'failed'
  | 'ended';

/** One person's turn in a call: numbers in order, tries, waits. */
export type Cycle = {
  /** Below zero until it is written. */
  readonly id: number;
  readonly userId: number;
  readonly groupId: number | undefined;
  /** How deep in the chain of relief groups. */
  readonly level: number;
  readonly isRelief: boolean;
  readonly phase: CyclePhase;
  readonly numberId: number | undefined;
  /** Tries of this number that reached nobody, in a row. */
  readonly tries: number;
  /** Times this number was reached and nothing came back. */
  readonly unanswered: number;
  /** Attempts of the whole cycle. */
  readonly attempts: number;
  readonly wasReached: boolean;
  /** When it continues by itself; undefined while it waits for an attempt and after its end. */
  readonly due: number | undefined;
  /** Why a `held` cycle waits: the person's telephone line is in use by another call, or the cap on attempts is reached. */
  readonly hold: CycleHold | undefined;
  /** Why a `pausing` cycle waits: to retry the number, or because the person asked to be called later. */
  readonly pause: CyclePause | undefined;
  /** For people; no rule reads it. */
  readonly reason: string;
};

export type CycleHold = 'line' | 'cap';
export type CyclePause = 'retry' | 'asked-later';

/** The fields of a cycle that waits for nothing, or for an attempt alone. */
export const noWait = { due: undefined, hold: undefined, pause: undefined } as const;

export type CallPhase = 'calling' | 'waiting' | 'pausing' | 'ended';

export type Call = {
  readonly target: CallTarget;
  readonly phase: CallPhase;
  /** How often it began from the start. */
  readonly round: number;
  readonly level: number;
  /** The group of this level; undefined for a person called by name and for the administrators. */
  readonly groupId: number | undefined;
  /** The groups this round has come to. */
  readonly visited: readonly number[];
  /** When it goes on by itself, apart from its cycles. */
  readonly due: number | undefined;
  /** Of this round. */
  readonly cycles: readonly Cycle[];
  readonly reason: string;
};

export function newCall(target: CallTarget): Call {
  return {
    target,
    phase: 'calling',
    round: 0,
    level: 0,
    groupId: undefined,
    visited: [],
    due: undefined,
    cycles: [],
    reason: '',
  };
}

/** What happens to a call. */
export type CallEvent =
  | { readonly kind: 'begin' }
  | { readonly kind: 'cause-added' }
  | { readonly kind: 'time' }
  | ({ readonly kind: 'attempt-ended'; readonly cycleId: number; readonly outcome: AttemptOutcome } & Told)
  | ({ readonly kind: 'answered'; readonly userId: number; readonly answer: CallAnswer } & Answered)
  | { readonly kind: 'escalated'; readonly by: string }
  /** An attempt that was to be made is not there any more. */
  | { readonly kind: 'attempt-lost'; readonly cycleId: number }
  | { readonly kind: 'causes-ended'; readonly reason: string };

/** Whether the call is for more by now than the person was told of. */
type Told = { readonly hasMore?: boolean };
/** Why the call is over, should it be for nothing any more. */
type Answered = Told & { readonly reason?: string };

export type AttemptOutcome =
  | { readonly kind: 'reached' }
  | { readonly kind: 'failed'; readonly retry: 'later' | 'never'; readonly reason: string };

/** What a person says to a call. Taking the alarm is more: it ends the causes, and with them the call. */
export type CallAnswer = 'heard' | 'decline' | 'later';

/** How calling is set up. */
export type CallPolicy = {
  /** Alarms of these priorities are called for until somebody has acknowledged them. */
  readonly untilAcknowledged: readonly number[];
  /** Alarms of these priorities are called for no longer once they are back to normal. */
  readonly endOnReturn: readonly number[];
  /** Between the end of a round and the next. */
  readonly pauseMs: number;
  /** Whether those who were called already are called again for a new alarm. */
  readonly callAgain: boolean;
  /** At most so many attempts for one person in the window; undefined: no cap. Never for priority 1. */
  readonly cap: { readonly attempts: number; readonly windowMs: number } | undefined;
  /** Called for what nobody else is called for; undefined: all administrators. */
  readonly lastResortGroupId: number | undefined;
  /** Whether a person without a number has the simulator's phone. */
  readonly hasSimulator: boolean;
  /** Of times in texts. */
  readonly timeZone: string;
};

/** Why a round is over that nobody took. */
export const calledInVain = 'nobody was reached who acknowledged';

/** As long as nobody has set up anything else. */
export const defaultPolicy: CallPolicy = {
  untilAcknowledged: [1, 2],
  endOnReturn: [],
  pauseMs: 300_000,
  callAgain: true,
  cap: { attempts: 30, windowMs: 900_000 },
  lastResortGroupId: undefined,
  hasSimulator: true,
  timeZone: 'UTC',
};

/** An attempt to be made for a cycle; without a number, only why none is made. */
export type NewAttempt = {
  readonly cycleId: number;
  readonly userId: number;
  readonly groupId: number | undefined;
  readonly number: ContactNumber | undefined;
  /** Counted from 1 within the cycle. */
  readonly attempt: number;
  readonly reason: string;
};

/** Something worth telling of a call, for the journal. */
export type CallNote = {
  readonly kind:
    | 'begun'
    | 'round'
    | 'level'
    | 'later'
    | 'acknowledged'
    | 'failed'
    | 'held'
    | 'waiting'
    | 'exhausted'
    | 'ended';
  readonly userId?: number;
  /** The person's turn, so that what still rings for it can stop. */
  readonly cycleId?: number;
  readonly groupId?: number | undefined;
  readonly reason: string;
};

/** What everyone must be able to see. */
export type CallTrouble = {
  readonly kind: 'nobody-on-call' | 'nobody-took-it';
  readonly groupId: number | undefined;
  readonly sentence: string;
  /** Somebody wants nobody to be called: it is seen, and nobody is called for it. */
  readonly isWanted?: true;
};

/** The user's cycle as call histories print it. */
export function cycleStatus({ phase, wasReached }: Pick<Cycle, 'phase' | 'wasReached'>): number {
  switch (phase) {
    case 'attempting':
    case 'pausing':
      return 1;
    case 'held':
      return 2;
    case 'reached':
      return 3;
    case 'failed':
      return wasReached ? 6 : 4;
    case 'acknowledged':
    case 'followed':
      return 5;
    case 'ended':
      return 0;
  }
}

/** Whether the person has acknowledged the call. */
export function hasAcknowledged({ phase }: Pick<Cycle, 'phase'>): boolean {
  return phase === 'acknowledged' || phase === 'followed';
}

/** A turn that was ended from outside, or was followed by another, says nothing about how the level is getting on. */
export function countsInLevel({ phase }: Pick<Cycle, 'phase'>): boolean {
  return phase !== 'ended' && phase !== 'followed';
}

/** Whether somebody has acknowledged the call, and was not called for more since. */
export function isHeard(cycles: readonly Pick<Cycle, 'phase'>[]): boolean {
  return cycles.some(({ phase }) => phase === 'acknowledged');
}

/** Whether the cycle still has something to do. */
export function isOpen({ phase }: Pick<Cycle, 'phase'>): boolean {
  return phase === 'attempting' || phase === 'pausing' || phase === 'reached' || phase === 'held';
}

/** When the call has to be looked at next. */
export function callDue({ due, cycles }: Call): number | undefined {
  const dues = [due, ...cycles.filter(isOpen).map((cycle) => cycle.due)].filter((at) => at !== undefined);
  return dues.length === 0 ? undefined : Math.min(...dues);
}
