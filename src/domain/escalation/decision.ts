// What a decision changes. Pure.

import type { Escalation, NewAttempt } from './escalation.ts';
import type { PlacedPart } from './place.ts';
import type { Reason } from './reason.ts';
import type { Outlook } from './related/outlook.ts';

/** An escalation to be opened: that of the last resort. */
export type NewEscalation = Pick<Escalation, 'causeId' | 'target' | 'dueAt'>;

export type Cancellation = { readonly attemptId: number; readonly reason: Reason };

/** Applied to what was stored, it leads to a state in which deciding again changes nothing until `lookAgainAt`. */
export type Decision = {
  /** The escalations that changed, as they are now. */
  readonly changed: readonly Escalation[];
  readonly opened: readonly NewEscalation[];
  /** Most urgent first. */
  readonly begin: readonly NewAttempt[];
  /** Attempts under way that are to be stopped. */
  readonly cancel: readonly Cancellation[];
  /** By id of a group: the person called last in turn, where it changed. */
  readonly turns: ReadonlyMap<number, number>;
  /** In engine time; undefined: when something changes. */
  readonly lookAgainAt: number | undefined;
  /** Who stands where, before what this decision begins. */
  readonly parts: readonly PlacedPart[];
  /** How long what was decided stands. */
  readonly outlooks: readonly Outlook[];
};
