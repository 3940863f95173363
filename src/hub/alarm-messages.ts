// The messages that events of alarms become, and which client gets which of them.

import type { HubConnection } from '@tocsin/signalr';
import { seesStation } from '../domain/access/access.ts';
import type { FilteredBy } from '../domain/alarms/news.ts';
import type { AlarmView } from '../domain/alarms/view.ts';
import { foreignName } from '../domain/people/visibility.ts';
import type { StoredEvent } from '../store/event-log.ts';
import { type AlarmPrinting, printAlarm } from '../wire/alarms/alarm.ts';
import type { Listener } from './console-events.ts';
import { matches, type Subscription } from './subscription.ts';

/** A message as it is sent; those who get the same one get the same object. */
export type Delivery = {
  readonly target: 'onAlarm' | 'onAlarmChanged' | 'onAlarmRemoved';
  readonly args: readonly [unknown];
};

export type AlarmMessage = {
  readonly position: number;
  readonly deliveries: readonly Delivery[];
  /** Returns the delivery for a caller with this subscription; undefined if there is none. */
  readonly choose: (caller: Listener, subscription: Subscription) => Delivery | undefined;
};

export function deliveryFor(
  { principal }: HubConnection,
  subscription: Subscription | undefined,
  message: AlarmMessage,
): Delivery | undefined {
  return subscription && message.choose(principal as unknown as Listener, subscription);
}

export function messageOf(event: StoredEvent, printing: AlarmPrinting): AlarmMessage | undefined {
  if (!event.kind.startsWith('alarm.')) return undefined;
  if (event.data.alarm !== undefined) return shownMessage(event, printing);
  return event.kind === 'alarm.removed' || event.kind === 'alarm.moved' ? goneMessage(event) : undefined;
}

/** The message of an event that shows the alarm. */
function shownMessage({ position, stationId = 0, data }: StoredEvent, printing: AlarmPrinting): AlarmMessage {
  const alarm = data.alarm as AlarmView;
  const seenBy = data.ackSeenBy as readonly number[] | undefined;
  const is = { stationId, tagGroupId: data.tagGroupId as number | undefined, priority: alarm.priority };
  const was = data.was as FilteredBy | undefined;
  const args = [printAlarm(alarm, printing)] as const;
  const withoutName = seenBy && ([printAlarm({ ...alarm, ackUser: foreignName }, printing)] as const);
  const forms = withoutName === undefined ? [args] : [args, withoutName];
  const target = data.isAnnounced === true ? 'onAlarm' : 'onAlarmChanged';
  const fitting = forms.map((form): Delivery => ({ target, args: form }));
  const leaving = was === undefined ? [] : forms.map((form): Delivery => ({ target: 'onAlarmChanged', args: form }));
  return {
    position,
    deliveries: [...fitting, ...leaving],
    choose: (caller, subscription) => {
      if (!seesStation(caller, stationId)) return undefined;
      const seesName = caller.stationIds.length === 0 || (seenBy?.some((id) => seesStation(caller, id)) ?? true);
      const form = seesName ? 0 : 1;
      if (matches(subscription, is)) return target === 'onAlarm' || subscription.changes ? fitting[form] : undefined;
      // A client that the alarm was for learns why it is no longer: it gets the alarm as it is now.
      const wasFor = was !== undefined && subscription.changes && matches(subscription, was);
      return wasFor ? leaving[form] : undefined;
    },
  };
}

/** The message that an alarm was removed, or that it left the stations of a caller. */
function goneMessage({ position, stationId = 0, subjectId, data }: StoredEvent): AlarmMessage | undefined {
  // Events of earlier versions do not say whom they are for.
  if (typeof data.priority !== 'number') return undefined;
  const was = { stationId, tagGroupId: data.tagGroupId as number | undefined, priority: data.priority };
  const movedTo = data.movedTo as number | undefined;
  const delivery: Delivery = { target: 'onAlarmRemoved', args: [subjectId] };
  return {
    position,
    deliveries: [delivery],
    choose: (caller, subscription) => {
      const isSeenStill = movedTo !== undefined && seesStation(caller, movedTo);
      const isTheirs = seesStation(caller, stationId) && !isSeenStill && matches(subscription, was);
      return subscription.changes && isTheirs ? delivery : undefined;
    },
  };
}
