// What an alarm is in, what can happen to it and what may follow, in words; `alarm-transition.ts` decides. Pure.

/** Bit 0: active. Bit 1: not acknowledged. So 2 is back to normal, but nobody has acknowledged it yet. */
export type AlarmState = 0 | 1 | 2 | 3;

/** The part of a definition that shapes the life. It is merged before a command, so a change counts at once. */
export type AlarmRules = {
  /** Returns to normal by itself at once. */
  readonly transitory: boolean;
  /** A report while active begins a new occurrence. */
  readonly reactivatable: boolean;
  /** False latches: it stays active after the source's return, until an operator resets it. */
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
  /** Active although its source has returned to normal: it may be reset. */
  readonly isLatched: boolean;
  /** Since when a condition is reported that has not held for the delay yet; never while active. */
  readonly pendingSince: number | undefined;
  readonly mask: Mask | undefined;
  /** The newest raise; undefined when there was none. */
  readonly raisedAt: number | undefined;
  /** The source's own time of its newest report; undefined when it told none. */
  readonly sourceTime: number | undefined;
  readonly lastChange: number;
};

export type AlarmCommand =
  /** The source says whether its condition holds; `sourceTime` is when it saw that, if it says so. */
  | { readonly kind: 'report'; readonly isRaised: boolean; readonly sourceTime?: number }
  /** The definition or the value changed, and nothing was said about the condition. */
  | { readonly kind: 'define'; readonly sourceTime?: number }
  /** The value can no longer be held against the condition: a sensor that reports ERROR instead of 93. */
  | { readonly kind: 'unclear'; readonly sourceTime?: number }
  | { readonly kind: 'delayElapsed' }
  | { readonly kind: 'acknowledge'; readonly by: string; readonly comment: string }
  | { readonly kind: 'reset' }
  /** Whether `until` is too far away is for the caller to say. */
  | ({ readonly kind: 'mask' } & Mask)
  | { readonly kind: 'unmask' }
  | { readonly kind: 'maskExpired' };

/** What to write into the history, in this order. */
export type OccurrenceChange =
  | { readonly kind: 'open'; readonly at: number }
  /** Ends the open one; there is always exactly one then. */
  | { readonly kind: 'close'; readonly at: number }
  /** Acknowledges all of this alarm that are not acknowledged. */
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
  | 'latched'
  | 'acknowledged'
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
   * In this order. While `life.mask` is there nobody is called by them: only commands run, so that what was started
   * before can be stopped.
   */
  readonly actions: readonly ActionList[];
  /** Whether `onAlarm` is sent. */
  readonly isAnnounced: boolean;
  /** Whether anything changed that clients see (`onAlarmChanged`). */
  readonly isChanged: boolean;
  /** What becomes of calls already under way for this alarm. */
  readonly runningCalls: 'go-on' | 'cancel-delayed' | 'end';
  /** When a delay or a mask ends next. */
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

export function newLife(rules: AlarmRules, now: number): AlarmLife {
  return {
    rules,
    state: 0,
    isLatched: false,
    pendingSince: undefined,
    mask: undefined,
    raisedAt: undefined,
    sourceTime: undefined,
    lastChange: now,
  };
}

/**
 * The state in the words of ISA-18.2. Masking is its shelving, and hides the rest. A latched alarm is an alarm like
 * any other there, until it is reset.
 */
export function isaStateOf({ state, mask }: Pick<AlarmLife, 'state' | 'mask'>): IsaState {
  return mask === undefined ? isaStates[state] : 'SHLVD';
}

const isaStates = { 0: 'NORM', 1: 'ACKED', 2: 'RTNUN', 3: 'UNACK' } as const;
export type IsaState = (typeof isaStates)[AlarmState] | 'SHLVD';
