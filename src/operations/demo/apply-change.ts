// Applies a change of the demo plant to an alarm: a source that reports, or one of its people who acknowledges or masks.

import { systemCaller } from '../../domain/access/access.ts';
import type { AlarmCommand } from '../../domain/alarms/alarm.ts';
import { advance } from '../../domain/alarms/transition.ts';
import type { Instant } from '../../store/store.ts';
import type { ChangedBy, TrackedAlarm } from '../alarms/reaction.ts';
import { redefine } from '../alarms/redefine.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

export type Actor = { readonly id: number; readonly name: string };

export type AlarmEvent =
  | { readonly kind: 'raise' | 'return'; readonly value: string }
  | { readonly kind: 'acknowledge'; readonly by: Actor; readonly comment: string }
  | { readonly kind: 'mask'; readonly by: Actor; readonly until: Instant; readonly reason: string };

/** Skips a change that the rules of alarms refuse, such as acknowledging an alarm that somebody has acknowledged meanwhile. */
export function applyChange({ alarms }: UnitOfWork, entry: TrackedAlarm, event: AlarmEvent, at: Instant): void {
  const by = changedBy(event);
  if ('value' in event) redefine(alarms, entry, { value: event.value }, at, by);
  const { due, outcome } = advance(entry.alarm.life, commandOf(event), at);
  if (outcome.kind === 'accepted') alarms.apply(entry, [...due, outcome], at, by);
}

function commandOf(event: AlarmEvent): AlarmCommand {
  switch (event.kind) {
    case 'raise':
    case 'return':
      return { kind: 'report', isRaised: event.kind === 'raise' };
    case 'acknowledge':
      return { kind: 'acknowledge', by: event.by.name, comment: event.comment };
    case 'mask':
      return { kind: 'mask', until: event.until, reason: event.reason, by: event.by.name };
  }
}

/** The journal names who really did it: the program. */
function changedBy(event: AlarmEvent): ChangedBy {
  if (!('by' in event)) return systemCaller;
  const acknowledger = { name: event.by.name, userId: event.by.id };
  return { actor: `user:${event.by.id}`, origin: systemCaller, acknowledger };
}
