// What consoles are told beside alarms, when they ask for it: sounds to play, and what their phones do.

import { seesStation } from '../domain/access/access.ts';
import type { RecordedAction } from '../domain/alarms/actions.ts';
import type { AlarmView } from '../domain/alarms/view.ts';
import { outcomeText } from '../domain/calls/phone-outcome.ts';
import type { StoredEvent } from '../store/event-log.ts';
import { printInstant } from '../wire/date-time.ts';
import { hears, type Subscription } from './subscription.ts';

/** Who listens, as far as this needs to know. */
export type Listener = {
  readonly stationIds: readonly number[];
  /** The person behind the connection; undefined for a key. */
  readonly userId?: number;
  readonly isAdmin?: boolean;
};

export type ConsoleEvents = {
  readonly target: 'onSound' | 'onPhone';
  readonly args: readonly [unknown];
  readonly isFor: (listener: Listener, subscription: Subscription) => boolean;
};

/** Only what happens now: nobody plays an old sound, and a phone that rang rings no more. */
export function consoleEventsOf(event: StoredEvent, timeZone: string): readonly ConsoleEvents[] {
  if (event.kind.startsWith('phone.')) return [phoneNews(event, timeZone)];
  return event.kind.startsWith('alarm.') && event.data.alarm !== undefined ? soundsOf(event) : [];
}

function soundsOf({ stationId = 0, data }: StoredEvent): readonly ConsoleEvents[] {
  const { id: alarmId, priority } = data.alarm as AlarmView;
  const heard = { stationId, tagGroupId: data.tagGroupId as number | undefined, priority };
  const isFor: ConsoleEvents['isFor'] = (listener, subscription) =>
    subscription.sounds && seesStation(listener, stationId) && hears(subscription, heard);
  const actions = (data.actions ?? []) as readonly RecordedAction[];
  return actions
    .filter(({ type, inert }) => type === 'PlaySound' && inert === undefined)
    .map(({ parameter, list }) => ({ target: 'onSound', args: [{ alarmId, media: parameter, list }], isFor }));
}

/** A phone is its owner's business, and the administrator's. */
function phoneNews({ kind, at, subjectId: userId = 0, data }: StoredEvent, timeZone: string): ConsoleEvents {
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
