// The timeline of an alarm, as its caller sees it: events of the alarm, and of the calls made for it.

import { sql } from 'kysely';
import { seesStation } from '../../domain/access/access.ts';
import { newsKind } from '../../domain/alarms/news.ts';
import type { CallTarget } from '../../domain/calls/call.ts';
import type { Reason } from '../../domain/escalation/reason.ts';
import { ownerOfNumber, type PeopleSnapshot } from '../../domain/people/call-group.ts';
import { type Visibility, visibilityOf } from '../../domain/people/visibility.ts';
import { type EventRow, eventColumns, eventOf, type StoredEvent } from '../../store/event-log.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import { withDescriptions } from '../alarms/descriptions.ts';
import { attemptCancelled } from '../calls/engine/call-events.ts';
import { ReasonWording } from '../calls/views/say-reason.ts';
import type { CallReader } from '../calls/views/shown-call.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';

type TimelineInput = {
  readonly id: number;
  readonly reader: CallReader;
  readonly limit: number;
  readonly now: Instant;
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

/** Returns the newest events, oldest first; undefined if the reader sees no such alarm. */
export const getTimeline: Query<TimelineInput, readonly TimelineEvent[] | undefined> = {
  name: 'get-timeline',
  async run(tx, { id, reader, limit, now }) {
    const alarm = await tx.one(selectStation, { id });
    if (alarm === undefined || !seesStation(reader, alarm.station_id)) return undefined;
    const events = await withDescriptions(tx, await readTimeline(tx, { alarmId: id, limit }));
    const { visibility, show } = await shownTo(tx, reader, now);
    if (visibility.isWhole) return events.map(show);
    const causes = await tx.all(selectCauses, { id });
    // Events of earlier versions name no causes: a call may have gone on for alarms of other stations.
    const isForAlarm = ({ kind, subjectId, at, data }: StoredEvent): boolean =>
      !kind.startsWith('call.') ||
      data.causes !== undefined ||
      causes.some(
        ({ call_id, created_at, ended_at }) =>
          call_id === subjectId && at >= created_at && (ended_at === null || at <= ended_at),
      );
    return events.filter(isForAlarm).map(show);
  },
};

/** Returns how events are shown to the reader. */
export async function shownTo(tx: ReadTx, reader: CallReader, now: Instant) {
  const { snapshot, policy } = await readCallConfiguration(tx);
  const visibility = visibilityOf(reader, snapshot);
  const { language } = reader;
  const wording = new ReasonWording({ language, timeZone: policy.timeZone, now, snapshot, visibility });
  return { visibility, show: (event: StoredEvent) => shownEvent(event, snapshot, visibility, wording) };
}

function shownEvent(
  { at, kind, actor, data }: StoredEvent,
  snapshot: PeopleSnapshot,
  visibility: Visibility,
  wording: ReasonWording,
): TimelineEvent {
  const { alarm: _, ackSeenBy: __, causes: ___, userId, groupId, target, targets, reason, ...others } = data;
  const seesTarget = (one: CallTarget): boolean =>
    one.kind === 'group'
      ? visibility.seesGroup(one.id)
      : one.kind === 'last-resort' || visibility.seesPerson(personOf(one, snapshot));
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
      ...shownReason(reason, wording),
    },
  };
}

/** A code with parameters; a sentence in events of earlier versions, and in those that are not about calls. */
function shownReason(reason: unknown, wording: ReasonWording): Readonly<Record<string, unknown>> {
  if (reason === undefined) return {};
  return typeof reason === 'string' ? { reason: wording.withNames(reason) } : wording.worded(reason as Reason);
}

function personOf({ kind, id }: CallTarget, snapshot: PeopleSnapshot): number {
  return kind === 'number' ? (ownerOfNumber(id, snapshot)?.id ?? 0) : id;
}

/** The number of a user whom the caller does not see is left out. */
function shownActor(actor: string, visibility: Visibility): string {
  const [kind, id] = actor.split(':');
  return kind === 'user' && !visibility.seesPerson(Number(id)) ? 'user' : actor;
}

/** Events without a position are the newest: sorted first, so that a person sees the result of an action at once. */
export const newestFirst = {
  sqlite: sql`position desc`,
  postgres: sql`position desc nulls first, id desc`,
};

/** Walks from the alarm's newest event back through previous_id. */
const selectChain = sqlStatement<{ alarmId: number; limit: number }, EventRow>((args, kind) => {
  const id = sql.ref(kind === 'sqlite' ? 'events.position' : 'events.id');
  return sql`with recursive chain (event_id, nth) as (
      select last_event_id, 1 from ${table('alarms')} where id = ${args.alarmId}
      union all select previous_id, nth + 1 from chain join ${table('events')} on ${id} = event_id where nth < ${args.limit})
    select ${sql.join(eventColumns.map((column) => sql.ref(column)))} from chain join ${table('events')} on ${id} = event_id
    order by ${newestFirst[kind]}`;
});

/** The alarm's events outside the chain, including those written before events were chained. */
const selectUnchained = statement((db, args: { alarmId: number; limit: number }, kind) =>
  db
    .selectFrom('events')
    .select(eventColumns)
    .where('subject_id', '=', args.alarmId)
    .where('kind', 'like', 'alarm.%')
    .where('kind', '<>', newsKind)
    .where('previous_id', 'is', null)
    .orderBy(newestFirst[kind])
    .limit(args.limit),
);

/** A JSON list of ids as text in which each id is between commas. */
export const idsInData = sql`replace(replace(events.data, '[', ','), ']', ',')`;

/**
 * The events of the calls made for the alarm: those that name one of its causes, and those of earlier versions, which name none.
 */
const selectCallEvents = sqlStatement<{ alarmId: number; limit: number }, EventRow>(
  (args, kind) => sql`select ${sql.join(eventColumns.map((column) => sql.ref(column)))} from ${table('events')}
    where kind like 'call.%' and kind <> ${sql.lit(attemptCancelled)} and previous_id is null
      and subject_id in (select call_id from ${table('call_causes')}
        where alarm_id = ${args.alarmId} and call_id is not null)
      and (events.data not like '%"causes":%' or exists (select 1 from ${table('call_causes')}
        where alarm_id = ${args.alarmId} and call_causes.created_at <= events.at
          and (call_causes.ended_at is null or events.at <= call_causes.ended_at)
          and ${idsInData} like '%,' || coalesce(cause_id, call_causes.id) || ',%'))
    order by ${newestFirst[kind]} limit ${args.limit}`,
);

/** Reads the newest events of one alarm and of the calls made for it, oldest first. */
async function readTimeline(
  tx: ReadTx,
  args: { readonly alarmId: number; readonly limit: number },
): Promise<readonly StoredEvent[]> {
  const parts = [
    await tx.all(selectChain, args),
    await tx.all(selectUnchained, args),
    await tx.all(selectCallEvents, args),
  ];
  return inOrder(parts).slice(-args.limit);
}

/** Returns the events of lists that have the newest first, oldest first. */
export function inOrder(parts: readonly (readonly EventRow[])[]): readonly StoredEvent[] {
  // Events without a position are the newest.
  const sortKey = ({ position }: EventRow): number => position ?? Number.MAX_SAFE_INTEGER;
  const all = parts.flatMap((rows) => rows.toReversed()).toSorted((one, other) => sortKey(one) - sortKey(other));
  return all.map(eventOf);
}
