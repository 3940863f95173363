// The timeline of an alarm, as its caller sees it: events of the alarm, and of the calls made for it.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import type { CallTarget } from '../../domain/calls/call.ts';
import type { PeopleSnapshot } from '../../domain/people/call-group.ts';
import { withNames } from '../../domain/people/references.ts';
import { type Visibility, visibilityOf } from '../../domain/people/visibility.ts';
import { readTimeline, type StoredEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Query } from '../../store/store.ts';
import { readCallConfiguration } from '../calls/configuration.ts';

type TimelineInput = {
  readonly id: number;
  readonly caller: Pick<Caller, 'stationIds'>;
  readonly limit: number;
};

export type TimelineEvent = {
  readonly at: Instant;
  readonly kind: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
};

const selectStation = statement((db, args: { id: number }) =>
  db.selectFrom('alarms').select('station_id').where('id', '=', args.id),
);

const selectCauses = statement((db, args: { id: number }) =>
  db.selectFrom('call_causes').select(['call_id', 'created_at', 'ended_at']).where('alarm_id', '=', args.id),
);

/** Returns the newest events, oldest first; undefined if the caller sees no such alarm. */
export const getTimeline: Query<TimelineInput, readonly TimelineEvent[] | undefined> = {
  name: 'get-timeline',
  async run(tx, { id, caller, limit }) {
    const alarm = await tx.one(selectStation, { id });
    if (alarm === undefined || !seesStation(caller, alarm.station_id)) return undefined;
    const { snapshot } = await readCallConfiguration(tx);
    const visibility = visibilityOf(caller, snapshot);
    const events = await readTimeline(tx, { alarmId: id, limit });
    const show = (event: StoredEvent) => shownEvent(event, snapshot, visibility);
    if (visibility.isWhole) return events.map(show);
    const causes = await tx.all(selectCauses, { id });
    // A call may go on for alarms of other stations after it has ended for this one.
    const isForAlarm = ({ kind, subjectId, at }: StoredEvent): boolean =>
      !kind.startsWith('call.') ||
      causes.some(
        ({ call_id, created_at, ended_at }) =>
          call_id === subjectId && at >= created_at && (ended_at === null || at <= ended_at),
      );
    return events.filter(isForAlarm).map(show);
  },
};

function shownEvent(
  { at, kind, actor, data }: StoredEvent,
  snapshot: PeopleSnapshot,
  visibility: Visibility,
): TimelineEvent {
  const { alarm: _, ackSeenBy: __, userId, groupId, target, targets, reason, ...others } = data;
  const seesTarget = (one: CallTarget): boolean =>
    one.kind === 'group' ? visibility.seesGroup(one.id) : one.kind === 'last-resort' || visibility.seesPerson(one.id);
  const isSeen = {
    userId: typeof userId === 'number' && visibility.seesPerson(userId),
    groupId: typeof groupId === 'number' && visibility.seesGroup(groupId),
    target: target !== undefined && seesTarget(target as CallTarget),
  };
  return {
    at,
    kind,
    actor: shownActor(actor, visibility),
    data: {
      ...others,
      ...(isSeen.userId ? { userId } : {}),
      ...(isSeen.groupId ? { groupId } : {}),
      ...(isSeen.target ? { target } : {}),
      ...(targets === undefined ? {} : { targets: (targets as readonly CallTarget[]).filter(seesTarget) }),
      ...(reason === undefined ? {} : { reason: withNames(String(reason), snapshot, visibility) }),
    },
  };
}

/** The number of a user whom the caller does not see is left out. */
function shownActor(actor: string, visibility: Visibility): string {
  const [kind, id] = actor.split(':');
  return kind === 'user' && !visibility.seesPerson(Number(id)) ? 'user' : actor;
}
