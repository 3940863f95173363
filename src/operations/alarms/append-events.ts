// Appends the events of alarms, each linked to the previous event of its alarm; the hub sends them to consoles.

import type { Transition } from '../../domain/alarms/alarm.ts';
import { viewOf } from '../../domain/alarms/view.ts';
import { appendChained, type NewEvent } from '../../store/event-log.ts';
import type { NewIds } from '../../store/new-ids.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { ActionsToRun } from './actions-to-run.ts';
import { withNameVisibility } from './name-visibility.ts';
import type { AlarmChange, Reaction, TrackedAlarm } from './reaction.ts';

type AlarmEvent = NewEvent & {
  readonly id: number;
  readonly previousId: number;
  readonly at: Instant;
  readonly historyId: number | undefined;
};

/** Transitions that need no event, because neither clients nor the journal would gain from one. */
const withoutEvent = new Set<Transition['reason']>(['not-due', 'updated', 'delay-running', 'defined']);

export class AlarmEvents implements Reaction {
  readonly #tx: Tx;
  readonly #ids: NewIds;
  readonly #actions: ActionsToRun;
  readonly #events: AlarmEvent[] = [];

  constructor(tx: Tx, ids: NewIds, actions: ActionsToRun) {
    this.#tx = tx;
    this.#ids = ids;
    this.#actions = actions;
  }

  note(change: AlarmChange): void {
    const { entry, at, by } = change;
    if (change.kind === 'commented')
      this.append(entry, at, { kind: 'alarm.commented', actor: by.actor, data: { comment: entry.alarm.comment } });
    if (change.kind === 'removed')
      this.append(entry, at, { kind: 'alarm.removed', actor: by.actor, data: { name: entry.alarm.name } });
    if (change.kind === 'transition' && !withoutEvent.has(change.transition.reason))
      this.append(entry, at, this.#transitionEvent(entry, change.transition, by.actor));
  }

  /** The event has a copy of the alarm as it is now, because it may change or be removed before clients read it. */
  #transitionEvent({ alarm }: TrackedAlarm, transition: Transition, actor: string): NewEvent {
    const { isAnnounced, isChanged, life } = transition;
    const isShown = isAnnounced || isChanged;
    return {
      kind: `alarm.${transition.reason}`,
      actor,
      data: {
        state: life.state,
        isAnnounced,
        isChanged,
        actions: transition.actions.flatMap((list) => this.#actions.recorded(alarm, list)),
        tagGroupId: isShown ? alarm.tagGroupId : undefined,
        alarm: isShown ? viewOf(alarm) : undefined,
      },
    };
  }

  append(entry: TrackedAlarm, at: Instant, event: Omit<NewEvent, 'stationId' | 'subjectId'>): void {
    const { id: subjectId, stationId, occurrenceId: historyId, lastEventId: previousId = 0 } = entry.alarm;
    const { kind, actor, data = {} } = event;
    const id = this.#ids.next('events');
    this.#events.push({ id, previousId, kind, at, actor, stationId, subjectId, historyId, data });
    entry.alarm = { ...entry.alarm, lastEventId: id };
  }

  async write(): Promise<void> {
    const events = await withNameVisibility(this.#tx, this.#events);
    await appendChained(
      this.#tx,
      events.map((event) => ({
        ...event,
        id: this.#ids.idOf(event.id),
        previousId: this.#ids.idOf(event.previousId),
        data: { ...event.data, historyId: this.#ids.optionalIdOf(event.historyId) },
      })),
    );
  }
}
