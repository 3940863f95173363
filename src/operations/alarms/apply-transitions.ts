// Applies decided transitions of an alarm to the unit of work: its occurrences, calls, scripts and events.

import { systemCaller } from '../../domain/access/access.ts';
import type { AlarmLife, OccurrenceChange, Transition } from '../../domain/alarms/alarm.ts';
import { viewOf } from '../../domain/alarms/view.ts';
import type { Instant } from '../../store/store.ts';
import type { AuditOrigin } from '../audit/append.ts';
import type { Acknowledger } from '../history/unit-of-work.ts';
import type { AlarmUnitOfWork, TrackedAlarm } from './unit-of-work.ts';

type Change = {
  readonly now: Instant;
  readonly actor: string;
  /** For the audit trail; needed where people command. */
  readonly origin?: AuditOrigin;
  readonly by?: Acknowledger;
};

/** Transitions that need no event, because neither clients nor the journal would gain from one. */
const withoutEvent = new Set<Transition['reason']>(['not-due', 'updated', 'delay-running', 'defined']);

/** Applies the transitions of one alarm, in order. */
export function applyTransitions(
  unit: AlarmUnitOfWork,
  entry: TrackedAlarm,
  transitions: readonly Transition[],
  change: Change,
): void {
  for (const transition of transitions) {
    const { life: before } = entry.alarm;
    const raisedBefore = before.raisedAt;
    if (transition.life !== entry.alarm.life) entry.alarm = { ...entry.alarm, life: transition.life };
    applyOccurrences(unit, entry, transition.occurrences, raisedBefore ?? change.now, change.by);
    unit.calls.note(unit, entry, transition, change.now);
    unit.scripts.note(unit, entry, transition, change.now);
    if (!withoutEvent.has(transition.reason)) publish(unit, entry, transition, change);
    audit(unit, entry, before, transition, change);
    if (transition.isRemoved) {
      unit.remove(entry);
      return;
    }
  }
}

function applyOccurrences(
  { history }: AlarmUnitOfWork,
  entry: TrackedAlarm,
  occurrences: readonly OccurrenceChange[],
  raisedBefore: Instant,
  by?: Acknowledger,
): void {
  let raisedAt = raisedBefore;
  for (const occurrence of occurrences) {
    switch (occurrence.kind) {
      case 'open':
        entry.alarm = history.open(entry.alarm, occurrence.at, raisedAt);
        raisedAt = occurrence.at;
        break;
      case 'close':
        entry.alarm = history.close(entry.alarm, occurrence.at, raisedAt);
        break;
      case 'acknowledge':
        entry.alarm = history.acknowledge(
          entry.alarm,
          occurrence.at,
          acknowledgerOf(occurrence, by),
          occurrence.comment,
        );
        break;
    }
  }
}

function acknowledgerOf({ by: name }: { by: string }, by: Acknowledger | undefined): Acknowledger {
  return { name, userId: by?.userId };
}

/**
 * Appends the event with a copy of the alarm as it is now, because it may change or be removed before clients read it.
 */
function publish(unit: AlarmUnitOfWork, entry: TrackedAlarm, transition: Transition, { now, actor }: Change): void {
  const { isAnnounced, isChanged } = transition;
  const isShown = isAnnounced || isChanged;
  unit.publish(entry, now, {
    kind: `alarm.${transition.reason}`,
    actor,
    data: {
      state: transition.life.state,
      isAnnounced,
      isChanged,
      actions: transition.actions.flatMap((list) => unit.actionsOf(entry, list)),
      tagGroupId: isShown ? entry.alarm.tagGroupId : undefined,
      alarm: isShown ? viewOf(entry.alarm) : undefined,
    },
  });
}

/** Transitions by people, and the end of a mask, which calls people again. */
const auditKinds = {
  acknowledged: 'alarm.acknowledged',
  reset: 'alarm.reset',
  masked: 'alarm.masked',
  unmasked: 'alarm.unmasked',
  'mask-expired': 'alarm.mask-expired',
} as const;

function isAudited(reason: Transition['reason']): reason is keyof typeof auditKinds {
  return Object.hasOwn(auditKinds, reason);
}

function audit(
  unit: AlarmUnitOfWork,
  { alarm }: TrackedAlarm,
  before: AlarmLife,
  { reason, life, occurrences }: Transition,
  { now, actor, origin = { actor } }: Change,
): void {
  if (!isAudited(reason)) return;
  const { id, name, stationId } = alarm;
  unit.audit.add(now, {
    kind: auditKinds[reason],
    origin: reason === 'mask-expired' ? systemCaller : origin,
    stationId,
    subject: `alarm:${id}`,
    before: { name, state: before.state, mask: before.mask },
    after: { name, state: life.state, mask: life.mask, ...acknowledgementIn(occurrences) },
  });
}

function acknowledgementIn(occurrences: readonly OccurrenceChange[]): object {
  const found = occurrences.find((occurrence) => occurrence.kind === 'acknowledge');
  return found === undefined ? {} : { ackUser: found.by, comment: found.comment };
}
