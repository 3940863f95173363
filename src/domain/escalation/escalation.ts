// What is stored of calling people: causes, the escalation of a cause to a target, and the attempts made for it. All instants
// are engine time, which advances by what elapsed, whatever the clock is set to. Pure.

import type { CallTarget } from '../calls/call.ts';
import type { Reason } from './reason.ts';

/** The priority that no cap, toll limit or rest holds back. */
export const urgent = 1;

/** What people are called for: an occurrence of an alarm, a message, a test, a hand-over or a follow-up. */
export type Cause = {
  readonly id: number;
  /** The priority as it is now. */
  readonly priority: number;
  /** Whether it asks to be taken; anything else can only be heard. */
  readonly asks: boolean;
  /** Why nobody is called for it any more: taken, masked, removed, back to normal, heard; undefined while it is open. */
  readonly ended: Reason | undefined;
  /** When its alarm came again, and the calling went on for the new occurrence; undefined: never. */
  readonly raisedAgainAt?: number | undefined;
  /** What it is about, if messages about that keep their order at a number. */
  readonly alarmId?: number | undefined;
};

/** A level of the chain: the people on duty of a group, its relief members, a person called by name, all administrators. */
export type LevelKey = `duty ${number}` | `relief ${number}` | `user ${number}` | 'administrators';

/** The group whose level it is. */
export function groupOf(level: LevelKey | undefined): number | undefined {
  const [kind, id] = level?.split(' ') ?? [];
  return kind === 'duty' || kind === 'relief' ? Number(id) : undefined;
}

/** A level that was entered in the present round, and when. */
export type EnteredLevel = { readonly key: LevelKey; readonly at: number; readonly reason: Reason };

/** A person who was picked from a level that does not call everybody at once: `turn`, and relief `perUser`. */
export type PickedPerson = { readonly key: LevelKey; readonly userId: number; readonly at: number };

/** `exhausted`: everybody was called, nobody took it, and its priority does not repeat; a more urgent one opens it again. */
export type EscalationState = 'open' | 'exhausted' | 'done';

/** Something that everybody must be able to see, while it lasts. */
export type Trouble = {
  /** `locked`: the duty is locked on purpose, so that nobody is called. */
  readonly kind: 'nobody-on-call' | 'in-vain' | 'locked';
  /** The group that has nobody on call; undefined for a person, the administrators, and where the whole chain was called. */
  readonly groupId: number | undefined;
  readonly round: number;
  readonly reason: Reason;
};

/** The calling of one target for one cause; what can be derived from attempts and the directory is not in it. */
export type Escalation = {
  readonly id: number;
  readonly causeId: number;
  readonly target: CallTarget;
  /** When it begins, after the delay of the alarm. */
  readonly dueAt: number;
  /** The most urgent priority that was acted upon; a more urgent one is news. Undefined before it began. */
  readonly actedPriority: number | undefined;
  /** Counted from 1; 0 before it began. */
  readonly round: number;
  readonly roundSince: number;
  readonly entered: readonly EnteredLevel[];
  readonly picked: readonly PickedPerson[];
  /** When the next round begins, after a round that nobody ended by taking the alarm. */
  readonly pausedUntil: number | undefined;
  /** Rounds in a row that ended without anybody taking the alarm; the pauses grow with them. 0 in a pause: the alarm came again. */
  readonly roundsInVain: number;
  readonly state: EscalationState;
  readonly trouble: Trouble | undefined;
  /** Why it is as it is: why it ended, or what it waits for. */
  readonly reason: Reason | undefined;
};

/** An escalation and level that an attempt counts as a try for. */
export type TryFor = { readonly escalationId: number; readonly causeId: number; readonly level: LevelKey };

/** How an attempt ended. */
export type AttemptEnd = {
  readonly at: number;
  /** `reached`: a person or, of a text, its provider has it. */
  readonly outcome: 'reached' | 'failed' | 'cancelled';
  /** Of a failure: the number cannot work, so that no other try of it is made. */
  readonly isFinal: boolean;
  /**
   * Of a failure: whether it uses up a try of the person. One of the providers does not; the verdict is written once, when the
   * attempt ends.
   */
  readonly counts: boolean;
  /** The provider asks for no other try before that time. */
  readonly notBefore: number | undefined;
};

/** `taken` needs no rule: it ends the cause. */
export type Answer = 'heard' | 'declined' | 'later';
export type AnswerTo = { readonly causeId: number; readonly answer: Answer; readonly at: number };

export type Attempt = {
  readonly id: number;
  /** A bundle tells a person whose cap is reached how many alarms wait; it is no try. */
  readonly kind: 'call' | 'notice' | 'bundle';
  readonly userId: number;
  readonly numberId: number;
  readonly channel: string;
  readonly address: string;
  readonly providerId: number | undefined;
  /** Fixed when it begins. Of notices: the causes that the message is for. */
  readonly tries: readonly TryFor[];
  /** The ids of the causes that were read or counted aloud: fixed at the proof, or when a text was sent. */
  readonly announced: readonly number[] | undefined;
  readonly begunAt: number;
  /** Whether it waits to be made. Without a provider it waits for a free line, because another provider has failed. */
  readonly isDue: boolean;
  /** Whether it left: it rang, or was sent. Only then it counts towards the cap. */
  readonly hasLeft: boolean;
  /** Whether it was begun for an alarm of priority 1. */
  readonly isUrgent: boolean;
  /** Whether it began before the rest of the number was over, for the first attempt for an alarm of priority 1. */
  readonly isExempt: boolean;
  readonly end: AttemptEnd | undefined;
  readonly answers: readonly AnswerTo[];
  /** When the person took all that was announced; the next call gathers for a while. */
  readonly tookAllAt: number | undefined;
};

/** An attempt to be made. */
export type NewAttempt = Pick<
  Attempt,
  'kind' | 'userId' | 'numberId' | 'channel' | 'address' | 'providerId' | 'tries' | 'isUrgent' | 'isExempt'
> & { readonly reason: Reason };

/** A number gets a notice of each occurrence: what it got before an alarm was raised again does not count for that. */
export function withoutFormerNotices(attempts: readonly Attempt[], causes: readonly Cause[]): readonly Attempt[] {
  const again = new Map(causes.flatMap(({ id, raisedAgainAt: at }) => (at === undefined ? [] : [[id, at] as const])));
  if (again.size === 0) return attempts;
  return attempts.map((attempt) => {
    if (attempt.kind !== 'notice' || attempt.end === undefined) return attempt;
    return { ...attempt, tries: attempt.tries.filter(({ causeId }) => attempt.begunAt >= (again.get(causeId) ?? 0)) };
  });
}
