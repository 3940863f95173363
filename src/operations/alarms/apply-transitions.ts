// Carries what was decided about an alarm into the ledger: its occurrences, and the events that tell of it.

import type { OccurrenceChange, Transition } from '../../domain/alarms/alarm.ts';
import { viewOf } from '../../domain/alarms/view.ts';
import type { Instant } from '../../store/store.ts';
import type { Acknowledger } from '../history/unit-of-work.ts';
import type { AlarmLedger, LedgerEntry } from './unit-of-work.ts';

type Change = {
  readonly now: Instant;
  readonly actor: string;
  readonly by?: Acknowledger;
};

/** Steps that leave nothing to tell: neither state nor journal would gain from them. */
const silent = new Set<Transition['reason']>(['not-due', 'updated', 'delay-running', 'defined']);

/** Applies the transitions of one alarm, in order. */
export function applyTransitions(
  ledger: AlarmLedger,
  entry: LedgerEntry,
  transitions: readonly Transition[],
  change: Change,
): void {
  for (const transition of transitions) {
    const raisedBefore = entry.alarm.life.raisedAt;
    if (transition.life !== entry.alarm.life) entry.alarm = { ...entry.alarm, life: transition.life };
    applyOccurrences(ledger, entry, transition.occurrences, raisedBefore ?? change.now, change.by);
    ledger.calls.note(ledger, entry, transition, change.now);
    ledger.commands.note(ledger, entry, transition, change.now);
    if (!silent.has(transition.reason)) tell(ledger, entry, transition, change);
    if (transition.isRemoved) {
      ledger.remove(entry);
      return;
    }
  }
}

function applyOccurrences(
  { history }: AlarmLedger,
  entry: LedgerEntry,
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
function tell(ledger: AlarmLedger, entry: LedgerEntry, transition: Transition, { now, actor }: Change): void {
  const { isAnnounced, isChanged } = transition;
  const isShown = isAnnounced || isChanged;
  ledger.tell(entry, now, {
    kind: `alarm.${transition.reason}`,
    actor,
    data: {
      state: transition.life.state,
      isAnnounced,
      isChanged,
      actions: transition.actions.flatMap((list) => ledger.actionsOf(entry, list)),
      tagGroupId: isShown ? entry.alarm.tagGroupId : undefined,
      alarm: isShown ? viewOf(entry.alarm) : undefined,
    },
  });
}
