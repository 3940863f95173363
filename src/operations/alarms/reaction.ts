// The port through which other subjects react to changes of alarms, in the transaction of the change.

import type { Transition } from '../../domain/alarms/alarm.ts';
import type { Instant } from '../../store/store.ts';
import type { AuditOrigin } from '../audit/append.ts';
import type { AlarmRecord } from './record.ts';

/**
 * An alarm in the unit of work. `alarm` is the current state; negative ids are placeholders for rows that get theirs
 * when written.
 */
export type TrackedAlarm = {
  alarm: AlarmRecord;
  /** The alarm as loaded; undefined for a new one. */
  readonly loaded: AlarmRecord | undefined;
  isRemoved: boolean;
};

/** The acknowledger; `userId` is set when it is a user. */
export type Acknowledger = { readonly name: string; readonly userId: number | undefined };

export type ChangedBy = {
  readonly actor: string;
  /** For the audit trail; set where people command. */
  readonly origin?: AuditOrigin;
  readonly acknowledger?: Acknowledger;
};

/** A change of an alarm: `before` is the alarm before it, `entry.alarm` the alarm after it. */
export type AlarmChange = {
  readonly entry: TrackedAlarm;
  readonly before: AlarmRecord;
  readonly at: Instant;
  readonly by: ChangedBy;
} & (
  | { readonly kind: 'transition'; readonly transition: Transition }
  /** The definition, the priority, the tag group, the value or the name is another one. */
  | { readonly kind: 'redefined' }
  | { readonly kind: 'commented' }
  /** The time has come to tell consoles of gathered news. */
  | { readonly kind: 'news-due' }
  /** A person removed the definition of the alarm. */
  | { readonly kind: 'removed' }
);

/** The commands whose outcome a reaction may need to load something for. */
export type GatheredCommand = 'acknowledge' | 'comment';

/** Collects what follows from the changes of alarms in one transaction, and writes it with them. */
export type Reaction = {
  /** Loads what `note` will need for the outcome of the command. */
  gather?(alarms: readonly AlarmRecord[], command: GatheredCommand): Promise<void>;
  /** Called for every change, in order. It may replace the columns of `entry.alarm` that belong to the reaction. */
  note(change: AlarmChange): void;
  /** Called once after the last change, before ids are assigned, for decisions that need the final state of the alarms. */
  conclude?(): Promise<void>;
  /** Writes the rows of the reaction; the alarms are written, and new ids are assigned. */
  write(): Promise<void>;
};
