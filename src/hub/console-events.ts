// Events for consoles that request them in addition to alarms: sounds to play, and activity of simulated phones.

import { seesStation } from '../domain/access/access.ts';
import type { RecordedAction } from '../domain/alarms/actions.ts';
import type { AlarmView } from '../domain/alarms/view.ts';
import { outcomeText } from '../domain/calls/phone-outcome.ts';
import type { StoredEvent } from '../store/event-log.ts';
import { printInstant } from '../wire/date-time.ts';
import { matches, type Subscription } from './subscription.ts';

/** The part of a hub caller that decides which console events it receives. */
export type Listener = {
  readonly stationIds: readonly number[];
  /** The user of the connection; undefined for an API key. */
  readonly userId?: number;
  readonly isAdmin?: boolean;
  /** Whether it has the scope `calls:read`. */
  readonly readsCalls?: boolean;
};

export type ConsoleEvent = {
  readonly target: 'onSound' | 'onPhone';
  readonly args: readonly [unknown];
  readonly isFor: (listener: Listener, subscription: Subscription) => boolean;
};

/**
 * Returns the console events of a live event. They are never replayed: nobody plays an old sound, and a phone that rang
 * does not ring any more.
 */
export function consoleEventsOf(event: StoredEvent, timeZone: string): readonly ConsoleEvent[] {
  if (event.kind.startsWith('phone.')) return [phoneEvent(event, timeZone)];
  return event.kind.startsWith('alarm.') && event.data.alarm !== undefined ? soundsOf(event) : [];
}

function soundsOf({ stationId = 0, data }: StoredEvent): readonly ConsoleEvent[] {
  const { id: alarmId, priority } = data.alarm as AlarmView;
  const alarm = { stationId, tagGroupId: data.tagGroupId as number | undefined, priority };
  const isFor: ConsoleEvent['isFor'] = (listener, subscription) =>
    subscription.sounds && seesStation(listener, stationId) && matches(subscription, alarm);
  const actions = (data.actions ?? []) as readonly RecordedAction[];
  return actions
    .filter(({ type, inert }) => type === 'PlaySound' && inert === undefined)
    .map(({ parameter, list }) => ({ target: 'onSound', args: [{ alarmId, media: parameter, list }], isFor }));
}

/** Phone events are only for the owner and administrators. */
function phoneEvent({ kind, at, subjectId: userId = 0, data }: StoredEvent, timeZone: string): ConsoleEvent {
  const event = {
    userId,
    event: kind.slice('phone.'.length),
    callId: Number(data.attemptId ?? 0),
    text: String(data.text ?? outcomeText(String(data.outcome ?? ''))),
    address: String(data.address ?? ''),
    time: printInstant(at, timeZone),
  };
  return {
    target: 'onPhone',
    args: [event],
    isFor: (listener, { phones }) => phones && (listener.isAdmin === true || listener.userId === userId),
  };
}
