// Types of a call and its contact cycles, the events that happen to it, and the call policy. Pure.

import { noTollLimits, type TollLimits } from '../channels/toll-limits.ts';
import type { ContactNumber } from '../people/person.ts';
import { plainWording, type Wording } from './words/wording.ts';

/** The group or person a call is for, or the number of a person that only gets notices. The last resort has the id 0. */
export type CallTarget = { readonly kind: 'group' | 'user' | 'last-resort' | 'number'; readonly id: number };

/** Returns a key that is unique per target. */
export function targetName({ kind, id }: CallTarget): string {
  return `${kind} ${id}`;
}

/**
 * The phase of a contact cycle.
 * - `attempting`: an attempt is due or under way
 * - `pausing`: waits for the next attempt
 * - `reached`: the person was reached and has not answered yet
 * - `held`: waits because of the cap or because the line is in use
 * - `acknowledged`: the person has heard the call
 * - `followed`: acknowledged, and another cycle announces the causes added since
 * - `failed`: all numbers were tried without success, or the person declined
 * - `notified`: a notice was sent; further alarms are sent with the next one
 * - `ended`: the call ended first
 */
export type CyclePhase =
  | 'attempting'
  | 'pausing'
  | 'reached'
  | 'held'
  | 'acknowledged'
  | 'followed'
  | 'failed'
  | 'notified'
  | 'ended';

/** A contact cycle: the attempts of one call to reach one person, with numbers in order, tries and waits. */
export type Cycle = {
  /** Given by `newCycleId` of the decision context until the cycle is stored. */
  readonly id: number;
  readonly userId: number;
  readonly groupId: number | undefined;
  /** Depth in the chain of relief groups; 0 is the group the call is for. */
  readonly level: number;
  readonly isRelief: boolean;
  /** Whether the cycle only sends notices to one number that is not final; see notice-cycle.ts. */
  readonly isNotice: boolean;
  readonly phase: CyclePhase;
  readonly numberId: number | undefined;
  /** Consecutive attempts at the current number that did not reach the person. */
  readonly tries: number;
  /** How often the current number was reached without an answer. */
  readonly unanswered: number;
  /** How often the person asked to be called later. */
  readonly laters: number;
  /** Attempts of the whole cycle, over all numbers. */
  readonly attempts: number;
  readonly wasReached: boolean;
  readonly lastAttemptAt: number | undefined;
  /** Whether an alarm joined the call after the last attempt began, so that the person was not called for it. */
  readonly isOwed: boolean;
  /**
   * Whether the person is only called for alarms that joined after their part of the round was over: neither the level nor
   * the round waits for it, so that a stream of alarms keeps no older one from its relief.
   */
  readonly isExtra: boolean;
  /** When the present hold began. */
  readonly heldSince: number | undefined;
  /** When the cycle continues without an event; undefined while it waits for an attempt and after its end. */
  readonly due: number | undefined;
  /**
   * Why a `held` cycle waits: the person's telephone line is in use by another call, the cap on attempts or a toll
   * limit is reached, or no provider of the channel works.
   */
  readonly hold: CycleHold | undefined;
  /** Why a `pausing` cycle waits: to retry, because the person asked to be called later, or to gather notices. */
  readonly pause: CyclePause | undefined;
  /** Text for people; no rule reads it. */
  readonly reason: string;
};

export type CycleHold = 'line' | 'cap' | 'channel' | 'toll';
export type CyclePause = 'retry' | 'asked-later' | 'gathering';

/** The wait fields of a cycle that has ended or waits only for its attempt. */
export const noWait = { due: undefined, hold: undefined, pause: undefined } as const;

export type CallPhase = 'calling' | 'waiting' | 'pausing' | 'ended';

export type Call = {
  readonly target: CallTarget;
  readonly phase: CallPhase;
  /** The number of the current round, from 1; 0 before the first. */
  readonly round: number;
  readonly level: number;
  /** The group of this level; undefined for a person called by name and for the administrators. */
  readonly groupId: number | undefined;
  /** Ids of the groups that were called in this round. */
  readonly visited: readonly number[];
  /** When the call itself continues; its cycles have due times of their own. */
  readonly due: number | undefined;
  /** The contact cycles of this round. */
  readonly cycles: readonly Cycle[];
  /** How the round ended; undefined while it goes on. */
  readonly roundEnd: RoundEnd | undefined;
  /** When a round last ended without anybody who acknowledged; undefined if a later one was heard. */
  readonly failedAt: number | undefined;
  /** Rounds in a row that ended without anybody taking the alarm; the pauses grow with them. */
  readonly vainRounds: number;
  /** When the first attempt of the present level was made: of the people on duty, of their relief, of a relief group. */
  readonly levelSince: number | undefined;
  /** When the next level is called although this one goes on. */
  readonly takeBy: number | undefined;
  /** Text for people; no rule reads it. */
  readonly reason: string;
};

/** Somebody has heard it but nobody took it; nobody acknowledged; or there was nobody to call. */
export type RoundEnd = 'heard' | 'unacknowledged' | 'nobody-to-call';

export const reasonOfRoundEnd: Readonly<Record<RoundEnd, string>> = {
  heard: 'heard, but nobody has taken the alarm',
  unacknowledged: 'nobody was reached who acknowledged',
  'nobody-to-call': 'there is nobody to call',
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
    roundEnd: undefined,
    failedAt: undefined,
    vainRounds: 0,
    levelSince: undefined,
    takeBy: undefined,
    reason: '',
  };
}

/** An event that advances a call. */
export type CallEvent =
  | {
      readonly kind: 'begin' /** Why it is called for, if not because an alarm was raised. */;
      readonly reason?: string;
    }
  | {
      readonly kind: 'cause-added' /** Whether it is an alarm or message that the call was not for. */;
      readonly isNewAlarm?: boolean;
    }
  | { readonly kind: 'time' }
  | ({ readonly kind: 'attempt-ended'; readonly cycleId: number; readonly outcome: AttemptOutcome } & Unannounced)
  /** A message that had been taken was not delivered after all; `attempt` counts those of the cycle. */
  | { readonly kind: 'attempt-bounced'; readonly cycleId: number; readonly attempt: number; readonly reason: string }
  | ({
      readonly kind: 'answered';
      readonly userId: number;
      readonly answer: CallAnswer;
      /** Why the call ends if no cause is open any more. */
      readonly reason?: string;
    } & Unannounced)
  | { readonly kind: 'escalated'; readonly by: string }
  /** The cycle waits for an attempt whose row does not exist. */
  | { readonly kind: 'attempt-lost'; readonly cycleId: number }
  | { readonly kind: 'causes-ended'; readonly reason: string };

/** Whether the call has open causes that were not announced to the person. */
type Unannounced = { readonly hasMore?: boolean };

export type AttemptOutcome =
  | { readonly kind: 'reached' }
  | {
      readonly kind: 'failed';
      readonly retry: Retry;
      /** The provider asks for no other try before that. */
      readonly retryAfterSeconds?: number;
      readonly reason: string;
    };

/** When a failed attempt is made again; `channel-up`: when a provider of the channel works, without using up a try. */
export type Retry = 'later' | 'never' | 'channel-up';

/** A person's answer to a call. Taking the alarm is not among them: it ends the causes, and the call ends with them. */
export type CallAnswer = 'heard' | 'decline' | 'later';

/**
 * The settings that decisions on calls read: the resource `callpolicy`, the means of the running process, and the channels
 * that can deliver.
 */
export type CallPolicy = PolicySettings & CallingMeans & { readonly channels: ChannelsUp };

/** The resource `callpolicy`. */
export type PolicySettings = {
  /** By priority, the most urgent first; priorities that are not listed have `noRules`. */
  readonly priorities: readonly PriorityRules[];
  /** Whether people who have heard the call are called again for a new alarm. */
  readonly callAgain: boolean;
  /** Maximum of attempts for one person in the window; undefined: no cap. Does not apply to priority 1. */
  readonly cap: { readonly attempts: number; readonly windowMs: number } | undefined;
  readonly tolls: TollLimits;
  /** The group of the last resort; undefined: all administrators. */
  readonly lastResortGroupId: number | undefined;
  readonly wording: Wording;
  /** Whether people are told in writing that they come on or go off duty. */
  readonly tellsHandOvers: boolean;
};

/** How alarms of one priority are called. */
export type PriorityRules = {
  readonly priority: number;
  /** Whether calls begin new rounds until somebody acknowledges the alarm. */
  readonly untilAcknowledged: boolean;
  /** From the end of the first round to the start of the next; doubled after each, up to the longest. */
  readonly pauseSeconds: number;
  readonly longestPauseSeconds: number;
  /** How long one level has to take an alarm before the next is called, where the group does not say; 0: no limit. */
  readonly timeToTakeSeconds: number;
  /** Whether calls end when the alarm is back to normal. */
  readonly endOnReturn: boolean;
  /** After how many minutes an acknowledgement of an alarm that is still active expires; 0: never. */
  readonly ackExpiryMinutes: number;
};

/** The abilities and the time zone of the running process; each start of a server stores them. */
export type CallingMeans = {
  /** Whether a person without a number is called on the simulated phone. */
  readonly hasSimulator: boolean;
  /** The time zone of times in texts. */
  readonly timeZone: string;
};

/** The names of the channels that are set up; `all` while the simulator serves every name. */
export type ChannelsUp = 'all' | readonly string[];

/** The rules of a priority that the policy does not list. */
export const noRules: Omit<PriorityRules, 'priority'> = {
  untilAcknowledged: false,
  pauseSeconds: 300,
  longestPauseSeconds: 1_800,
  timeToTakeSeconds: 0,
  endOnReturn: false,
  ackExpiryMinutes: 0,
};

/** The default rules of a priority whose alarms are called for until somebody acknowledges them. */
export const repeatingRules = { ...noRules, untilAcknowledged: true, timeToTakeSeconds: 900 } as const;

/** The policy of a database in which no server has stored one yet. */
export const defaultPolicy: CallPolicy = {
  priorities: [
    { priority: 1, ...repeatingRules },
    { priority: 2, ...repeatingRules },
  ],
  callAgain: true,
  cap: { attempts: 30, windowMs: 900_000 },
  tolls: noTollLimits,
  lastResortGroupId: undefined,
  wording: plainWording,
  tellsHandOvers: false,
  hasSimulator: true,
  channels: 'all',
  timeZone: 'UTC',
};

type Priorities = Pick<PolicySettings, 'priorities'>;

export function rulesOf(priority: number, { priorities }: Priorities): PriorityRules {
  return priorities.find((rules) => rules.priority === priority) ?? { priority, ...noRules };
}

/** Returns how long an acknowledgement of an alarm of this priority counts while the alarm is active; undefined: for good. */
export function acknowledgementMs(priority: number, policy: Priorities): number | undefined {
  const { ackExpiryMinutes } = rulesOf(priority, policy);
  return ackExpiryMinutes === 0 ? undefined : ackExpiryMinutes * 60_000;
}

/** Returns the priorities that are called for until somebody acknowledges the alarm. */
export function repeatedPriorities({ priorities }: Priorities): readonly number[] {
  return priorities.filter(({ untilAcknowledged }) => untilAcknowledged).map(({ priority }) => priority);
}

/** A new attempt of a cycle; without a number, a row of the call history that says why no attempt is made. */
export type NewAttempt = {
  readonly cycleId: number;
  readonly userId: number;
  readonly groupId: number | undefined;
  readonly isNotice: boolean;
  readonly number: ContactNumber | undefined;
  /** Why no attempt is made; undefined if there is a number. */
  readonly outcome?: 'limited' | 'busy' | 'undeliverable';
  /** Counted from 1 within the cycle. */
  readonly attempt: number;
  readonly reason: string;
};

/** A step of a call that is written to the event log as `call.<kind>`. */
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
  /** The contact cycle, so that the dispatcher can abort its delivery. */
  readonly cycleId?: number;
  readonly groupId?: number | undefined;
  readonly reason: string;
};

/** A problem that is raised as a system alarm. */
export type CallTrouble = {
  readonly kind: 'nobody-on-call' | 'nobody-took-it';
  readonly groupId: number | undefined;
  readonly sentence: string;
  /** The duty is locked on purpose: the system alarm is shown but calls nobody. */
  readonly isWanted?: true;
};

/** The result of applying an event to a call. */
export type CallStep = {
  readonly call: Call;
  readonly attempts: readonly NewAttempt[];
  readonly notes: readonly CallNote[];
  readonly troubles: readonly CallTrouble[];
  /** Cycles that ended because a new round began. */
  readonly replaced: readonly Cycle[];
  /** By group with call mode `turn`: the user id of the person called in this step. */
  readonly inTurn: ReadonlyMap<number, number>;
};

/** Returns the status code of the cycle in the call history of the interface. */
export function cycleStatus({ phase, wasReached }: Pick<Cycle, 'phase' | 'wasReached'>): number {
  switch (phase) {
    case 'attempting':
    case 'pausing':
      return 1;
    case 'held':
      return 2;
    case 'reached':
    case 'notified':
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

export function hasAcknowledged({ phase }: Pick<Cycle, 'phase'>): boolean {
  return phase === 'acknowledged' || phase === 'followed';
}

/**
 * Whether the cycle counts when the engine decides if a level is finished: not a notice or an extra call, and not if the
 * call ended it or another follows it.
 */
export function countsInLevel({ phase, isNotice, isExtra }: Pick<Cycle, 'phase' | 'isNotice' | 'isExtra'>): boolean {
  return !isNotice && !isExtra && phase !== 'ended' && phase !== 'followed';
}

/** Whether at least one person has heard the call and is not being called again for new causes. */
export function isHeard(cycles: readonly Pick<Cycle, 'phase'>[]): boolean {
  return cycles.some(({ phase }) => phase === 'acknowledged');
}

/** Whether the cycle has not ended. */
export function isOpen({ phase }: Pick<Cycle, 'phase'>): boolean {
  return phase === 'attempting' || phase === 'pausing' || phase === 'reached' || phase === 'held';
}

/** Returns the earliest due time of the call, its level and its open cycles. */
export function callDue({ due, phase, takeBy, cycles }: Call): number | undefined {
  const dues = [
    due,
    phase === 'calling' ? takeBy : undefined,
    ...cycles.filter(isOpen).map((cycle) => cycle.due),
  ].filter((at) => at !== undefined);
  return dues.length === 0 ? undefined : Math.min(...dues);
}
