// Reads the events of alarms, by far the most frequent ones, apart from all others.

import type { FrequentTopic } from '../../store/event-feed.ts';
import {
  type EventPage,
  type EventRow,
  type PageAfter,
  readEvents,
  readPage,
  type StoredEvent,
  selectByTopic,
} from '../../store/event-log.ts';
import type { Query } from '../../store/store.ts';
import { withDescriptions } from './descriptions.ts';

const topic = 'alarm';

const selectAlarmEvents = selectByTopic(topic, 'own');
const selectOtherEvents = selectByTopic(topic, 'others');

/** Reads the alarm events of some stations, or of all when none is named. */
export const readAlarmEvents: Query<PageAfter & { stationIds: readonly number[] }, EventPage> = {
  name: 'read-alarm-events',
  isQuick: true,
  async run(tx, { stationIds, ...page }) {
    const isTheirs = ({ station_id }: EventRow): boolean =>
      stationIds.length === 0 || (station_id !== null && stationIds.includes(station_id));
    const { events, position } = await readPage(tx, selectAlarmEvents, page, isTheirs);
    return { events: await withDescriptions(tx, events), position };
  },
};

/** Reads the events that are not about alarms. */
export const readOtherEvents: Query<PageAfter, EventPage> = {
  name: 'read-other-events',
  isQuick: true,
  run: (tx, page) => readPage(tx, selectOtherEvents, page),
};

/** Reads all events. */
export const readWholeEvents: Query<PageAfter, readonly StoredEvent[]> = {
  name: 'read-whole-events',
  isQuick: true,
  run: async (tx, page) => withDescriptions(tx, await readEvents.run(tx, page)),
};

export const alarmTopic: FrequentTopic = { topic, readOthers: readOtherEvents, readAll: readWholeEvents };
