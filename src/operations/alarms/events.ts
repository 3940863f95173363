// Reads the events of alarms, by far the most frequent ones, apart from all others.

import type { FrequentTopic } from '../../store/event-feed.ts';
import { type EventPage, type EventRow, type PageAfter, readPage, selectByTopic } from '../../store/event-log.ts';
import type { Query } from '../../store/store.ts';

const topic = 'alarm';

const selectAlarmEvents = selectByTopic(topic, 'own');
const selectOtherEvents = selectByTopic(topic, 'others');

/** Reads the alarm events of some stations, or of all when none is named. */
export const readAlarmEvents: Query<PageAfter & { stationIds: readonly number[] }, EventPage> = {
  name: 'read-alarm-events',
  isQuick: true,
  run(tx, { stationIds, ...page }) {
    const isTheirs = ({ station_id }: EventRow): boolean =>
      stationIds.length === 0 || (station_id !== null && stationIds.includes(station_id));
    return readPage(tx, selectAlarmEvents, page, isTheirs);
  },
};

/** Reads the events that are not about alarms. */
export const readOtherEvents: Query<PageAfter, EventPage> = {
  name: 'read-other-events',
  isQuick: true,
  run: (tx, page) => readPage(tx, selectOtherEvents, page),
};

export const alarmTopic: FrequentTopic = { topic, readOthers: readOtherEvents };
