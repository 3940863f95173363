// Notes in alarm events which stations may see the name of the person who acknowledged the alarm.

import type { AlarmView } from '../../domain/alarms/view.ts';
import type { NewEvent } from '../../store/event-log.ts';
import type { ReadTx } from '../../store/store.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';

function acknowledgerOf({ data }: NewEvent): number | undefined {
  return (data?.alarm as AlarmView | undefined)?.ackUserId;
}

/**
 * Adds `ackSeenBy`, the stations of the person, to each event that shows a person who is bound to stations. The hub sends
 * an event to many clients at once and cannot look people up.
 */
export async function withNameVisibility<E extends NewEvent>(tx: ReadTx, events: readonly E[]): Promise<readonly E[]> {
  if (events.every((event) => acknowledgerOf(event) === undefined)) return events;
  const { people } = (await readCallConfiguration(tx)).snapshot;
  return events.map((event) => {
    const userId = acknowledgerOf(event);
    const stationIds = userId === undefined ? [] : people.get(userId)?.stationIds;
    // A person who was removed since is named to nobody who is bound to stations.
    return stationIds?.length === 0 ? event : { ...event, data: { ...event.data, ackSeenBy: stationIds ?? [] } };
  });
}
