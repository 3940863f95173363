// Carries what was decided about an alarm into the unit: its occurrences, and the events that tell of it.

import type { OccurrenceChange, Transition } from '../../domain/alarms/alarm.ts';
import { viewOf } from '../../domain/alarms/view.ts';
import type { Instant } from '../../store/store.ts';
import type { Acknowledger } from '../history/unit-of-work.ts';
import type { AlarmUnitOfWork, TrackedAlarm } from './unit-of-work.ts';

type Change = {
  readonly now: Instant;
  readonly actor: string;
  readonly by?: Acknowledger;
};

/** Steps that leave nothing to tell: neither state nor journal would gain from them. */
const silent = new Set<Transition['reason']>(['not-due', 'updated', 'delay-running', 'defined']);

/** Applies the transitions of one alarm, in order. */
export function applyTransitions(
  unit: AlarmUnitOfWork,
  entry: TrackedAlarm,
  transitions: readonly Transition[],
  change: Change,
): void {
  for (const transition of transitions) {
    const raisedBefore = entry.alarm.life.raisedAt;
    if (transition.life !== entry.alarm.life) entry.alarm = { ...entry.alarm, life: transition.life };
    applyOccurrences(unit, entry, transition.occurrences, raisedBefore ?? change.now, change.by);
    unit.calls.note(unit, entry, transition, change.now);
    unit.commands.note(unit, entry, transition, change.now);
    if (!silent.has(transition.reason)) tell(unit, entry, transition, change);
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
        entry.alarm = history.acknowledge(entry.alarm, occurrence.at, nameOf(occurrence, by), occurrence.comment);
        break;
    }
  }
}

function nameOf({ by: name }: { by: string }, by: Acknowledger | undefined): Acknowledger {
  return { name, userId: by?.userId };
}

/** What clients are told of is kept with the event, as it is at this moment: the alarm may be another soon, or gone. */
function tell(unit: AlarmUnitOfWork, entry: TrackedAlarm, transition: Transition, { now, actor }: Change): void {
  const { isAnnounced, isChanged } = transition;
  const isShown = isAnnounced || isChanged;
  unit.tell(entry, now, {
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
