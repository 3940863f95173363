// Whom a call is for, what a person can answer, and the call policy. Pure.

import { noTollLimits, type TollLimits } from '../channels/toll-limits.ts';
import { plainWording, type Wording } from './words/wording.ts';

/** The group or person a call is for, or the number of a person that only gets notices. The last resort has the id 0. */
export type CallTarget = { readonly kind: 'group' | 'user' | 'last-resort' | 'number'; readonly id: number };

/** Returns a key that is unique per target. */
export function targetName({ kind, id }: CallTarget): string {
  return `${kind} ${id}`;
}

/** A person's answer to a call. Taking the alarm is not among them: it ends the causes. */
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
