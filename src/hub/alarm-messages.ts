// The messages that events of alarms become, and which client gets which of them.

import type { HubConnection } from '@tocsin/signalr';
import { seesStation } from '../domain/access/access.ts';
import type { FilteredBy } from '../domain/alarms/news.ts';
import type { AlarmView } from '../domain/alarms/view.ts';
import type { Language } from '../domain/language.ts';
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
  /** Returns the delivery for a caller with this subscription, who reads in this language; undefined if there is none. */
  readonly choose: (caller: Listener, subscription: Subscription, language: ReadIn) => Delivery | undefined;
};

/** The language that a client asked for; undefined: that of the server. */
export type ReadIn = Language | undefined;

/** Whom a message is for. */
export type Reader = { readonly subscription: Subscription | undefined; readonly language: ReadIn };

export function deliveryFor(
  { principal }: HubConnection,
  { subscription, language }: Reader,
  message: AlarmMessage,
): Delivery | undefined {
  return subscription && message.choose(principal as unknown as Listener, subscription, language);
}

/** `languages` are those of the clients. */
export function messageOf(
  event: StoredEvent,
  printing: AlarmPrinting,
  languages: () => Iterable<ReadIn>,
): AlarmMessage | undefined {
  if (!event.kind.startsWith('alarm.')) return undefined;
  if (event.data.alarm !== undefined) return shownMessage(event, printing, languages);
  return event.kind === 'alarm.removed' || event.kind === 'alarm.moved' ? goneMessage(event) : undefined;
}

/** A message in one language: for those whom it fits, and for those whom it leaves, each with and without a name. */
type Forms = { readonly fitting: readonly Delivery[]; readonly leaving: readonly Delivery[] };

/** The message of an event that shows the alarm. */
function shownMessage(
  { position, stationId = 0, data }: StoredEvent,
  printing: AlarmPrinting,
  languages: () => Iterable<ReadIn>,
): AlarmMessage {
  const alarm = data.alarm as AlarmView;
  const seenBy = data.ackSeenBy as readonly number[] | undefined;
  const is = { stationId, tagGroupId: data.tagGroupId as number | undefined, priority: alarm.priority };
  const was = data.was as FilteredBy | undefined;
  const target = data.isAnnounced === true ? 'onAlarm' : 'onAlarmChanged';
  const formsIn = (language: ReadIn): Forms => {
    const own = language === undefined ? printing : { ...printing, languages: [language] };
    const args = [printAlarm(alarm, own)] as const;
    const withoutName = seenBy && ([printAlarm({ ...alarm, ackUser: foreignName }, own)] as const);
    const forms = withoutName === undefined ? [args] : [args, withoutName];
    return {
      fitting: forms.map((form): Delivery => ({ target, args: form })),
      leaving: was === undefined ? [] : forms.map((form): Delivery => ({ target: 'onAlarmChanged', args: form })),
    };
  };
  // Most alarms are the same in every language.
  const isWorded = alarm.definition.systemText !== undefined || Object.keys(alarm.definition.names).length > 0;
  const byLanguage = new Map([...(isWorded ? languages() : [undefined])].map((one) => [one, formsIn(one)]));
  return {
    position,
    deliveries: [...byLanguage.values()].flatMap(({ fitting, leaving }) => [...fitting, ...leaving]),
    choose: (caller, subscription, language) => {
      const forms = byLanguage.get(isWorded ? language : undefined);
      if (forms === undefined || !seesStation(caller, stationId)) return undefined;
      const { fitting, leaving } = forms;
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
