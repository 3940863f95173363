// Types of an alarm's state, the commands it takes and the transitions that follow; the rules are in `transition.ts`.
// Pure.

/** Bit 0: active. Bit 1: not acknowledged. State 2 is therefore back to normal, but not acknowledged yet. */
export type AlarmState = 0 | 1 | 2 | 3;

/**
 * The fields of the definition that control the transitions. A new definition is merged before the command is applied,
 * so a change takes effect at once.
 */
export type AlarmRules = {
  /** Returns to normal by itself at once. */
  readonly transitory: boolean;
  /** A report while active begins a new occurrence. */
  readonly reactivatable: boolean;
  /** False means latching: the alarm stays active after its source returns to normal, until an operator resets it. */
  readonly resettable: boolean;
  /** Removed once it is back to normal and acknowledged. */
  readonly temporary: boolean;
  /** Seconds the condition must hold before the alarm is raised. */
  readonly alarmDelay: number;
};

export type Mask = { readonly until: number; readonly reason: string; readonly by: string };

/** All times are milliseconds since 1970. */
export type AlarmLife = {
  readonly rules: AlarmRules;
  readonly state: AlarmState;
  /** Active although its source has returned to normal; an operator may reset it. */
  readonly isLatched: boolean;
  /** Start of the alarm delay: the condition is reported but has not held for the delay yet. Never set while active. */
  readonly pendingSince: number | undefined;
  /** The budget of occurrences: every one moves this time on by its share, and far ahead of now the alarm chatters. */
  readonly chatterUntil: number | undefined;
  /** A chattering alarm's source has returned to normal; it counts as returned once that has lasted. Set while active alone. */
  readonly returnSince: number | undefined;
  readonly mask: Mask | undefined;
  /** When the acknowledgement expires. Set in state 1 alone, and never while masked. */
  readonly ackUntil: number | undefined;
  /** Time of the latest raise; undefined if the alarm was never raised. */
  readonly raisedAt: number | undefined;
  /** The source's own timestamp of its latest report; undefined if the source sent none. */
  readonly sourceTime: number | undefined;
  /** When a report without such a timestamp arrived last; repeats that change nothing are noted only beside timestamps. */
  readonly reportedAt: number | undefined;
  readonly lastChange: number;
};

export type AlarmCommand =
  /** The source reports whether its condition holds; `sourceTime` is the source's own timestamp, if it sent one. */
  | { readonly kind: 'report'; readonly isRaised: boolean; readonly sourceTime?: number }
  /** The definition or the value changed, without any statement about the condition. */
  | { readonly kind: 'define'; readonly sourceTime?: number }
  /** The value cannot be compared with the condition, such as a sensor that reports ERROR instead of 93. */
  | { readonly kind: 'unclear'; readonly sourceTime?: number }
  /** A report that is older than the last one, and is only recorded. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'delayElapsed' }
  /** `lastsMs`: after this time an alarm that is still active is unacknowledged again; without it, never. */
  | { readonly kind: 'acknowledge'; readonly by: string; readonly comment: string; readonly lastsMs?: number }
  | { readonly kind: 'reset' }
  /** The caller checks the upper limit of `until`. */
  | ({ readonly kind: 'mask' } & Mask)
  | { readonly kind: 'unmask' }
  | { readonly kind: 'maskExpired' };

/** What a report of a source comes to. */
export type ReportCommand = Extract<AlarmCommand, { readonly kind: 'report' | 'define' | 'unclear' }>;

/** A change to the alarm's history. Changes are written in list order. */
export type OccurrenceChange =
  | { readonly kind: 'open'; readonly at: number }
  /** Closes the open occurrence; exactly one is open at that point. */
  | { readonly kind: 'close'; readonly at: number }
  /** Acknowledges every unacknowledged occurrence of the alarm. */
  | { readonly kind: 'acknowledge'; readonly at: number; readonly by: string; readonly comment: string };

export type ActionList = 'alarm' | 'reset' | 'ack';

export type TransitionReason =
  | 'raised'
  | 'reactivated'
  | 'updated'
  | 'delay-started'
  | 'delay-running'
  | 'delay-ended-early'
  | 'returned'
  | 'chattering'
  | 'latched'
  | 'acknowledged'
  | 'acknowledgement-expired'
  | 'reset'
  | 'masked'
  | 'unmasked'
  | 'mask-expired'
  | 'defined'
  | 'value-unclear'
  | 'stale'
  | 'not-due';

export type Transition = {
  readonly kind: 'accepted';
  readonly reason: TransitionReason;
  readonly life: AlarmLife;
  readonly occurrences: readonly OccurrenceChange[];
  /**
   * Run in list order. While `life.mask` is set they call nobody: only commands run, so that a command started earlier
   * can be stopped.
   */
  readonly actions: readonly ActionList[];
  /** Whether `onAlarm` is sent. */
  readonly isAnnounced: boolean;
  /** Whether the calls of the list `alarm` begin again, without the rest of its actions and without their delay. */
  readonly isCalledAgain: boolean;
  /** Whether anything changed that clients see (`onAlarmChanged`). */
  readonly isChanged: boolean;
  /** The effect on calls already in progress for this alarm. */
  readonly runningCalls: 'go-on' | 'cancel-delayed' | 'end';
  /** Time of the next end of a delay, a mask or an acknowledgement. */
  readonly nextDue: number | undefined;
  readonly isRemoved: boolean;
};

export type RefusalReason =
  | 'nothing-to-acknowledge'
  | 'already-acknowledged'
  | 'not-active'
  | 'not-latched'
  | 'still-active'
  | 'not-masked'
  | 'mask-reason-missing'
  | 'mask-end-past';

export type Refusal = { readonly kind: 'refused'; readonly reason: RefusalReason };

/** Whether people may be called for it: nobody has taken it, and it is not masked. */
export function isUntaken({ state, mask }: Pick<AlarmLife, 'state' | 'mask'>): boolean {
  return (state & 2) !== 0 && mask === undefined;
}

export function newLife(rules: AlarmRules, now: number): AlarmLife {
  return {
    rules,
    state: 0,
    isLatched: false,
    pendingSince: undefined,
    chatterUntil: undefined,
    returnSince: undefined,
    mask: undefined,
    ackUntil: undefined,
    raisedAt: undefined,
    sourceTime: undefined,
    reportedAt: undefined,
    lastChange: now,
  };
}

/**
 * Returns the ISA-18.2 name of the state. Masking is ISA-18.2 shelving and hides the other states. A latched alarm
 * counts as an ordinary alarm until it is reset.
 */
export function isaStateOf({ state, mask }: Pick<AlarmLife, 'state' | 'mask'>): IsaState {
  return mask === undefined ? isaStates[state] : 'SHLVD';
}

const isaStates = { 0: 'NORM', 1: 'ACKED', 2: 'RTNUN', 3: 'UNACK' } as const;
type IsaState = (typeof isaStates)[AlarmState] | 'SHLVD';
