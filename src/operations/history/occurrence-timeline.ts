// The timeline of one occurrence of an alarm: what happened to it from its raise to the next one, and the calls made for it.

import { sql } from 'kysely';
import { seesStation } from '../../domain/access/access.ts';
import { newsKind } from '../../domain/alarms/news.ts';
import { type EventRow, eventColumns, type StoredEvent } from '../../store/event-log.ts';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query } from '../../store/store.ts';
import { withDescriptions } from '../alarms/descriptions.ts';
import { attemptCancelled } from '../calls/engine/call-events.ts';
import type { CallReader } from '../calls/views/shown-call.ts';
import { nextRaise } from './next-raise.ts';
import { idsInData, inOrder, newestFirst, shownTo, type TimelineEvent } from './timeline.ts';

type Input = { readonly id: number; readonly reader: CallReader; readonly limit: number; readonly now: Instant };

type OccurrenceRow = {
  alarm_id: number;
  station_id: number;
  raised_at: Instant;
  next_raise: Instant | null;
  /** The event that the chain is walked back from; null if there is none. */
  last_event: number | null;
};

/** `to` is the next raise of the alarm. */
type Args = { alarmId: number; lastEvent: number; from: Instant; to: Instant; limit: number };

/** Returns the newest events of the occurrence, oldest first, also of a removed alarm; undefined if the reader sees no such one. */
export const getOccurrenceTimeline: Query<Input, readonly TimelineEvent[] | undefined> = {
  name: 'get-occurrence-timeline',
  isLong: true,
  async run(tx, { id, reader, limit, now }) {
    const found = await tx.one(selectOccurrence, { id });
    if (found === undefined || !seesStation(reader, found.station_id)) return undefined;
    const { alarm_id: alarmId, raised_at: from, next_raise, last_event } = found;
    const args = { alarmId, lastEvent: last_event ?? 0, from, to: next_raise ?? Number.MAX_SAFE_INTEGER, limit };
    const ofAlarm = [await tx.all(selectChain, args), await tx.all(selectUnchained, args)];
    const events = await withDescriptions(tx, inOrder([...ofAlarm, await tx.all(selectCallEvents, args)]));
    const { show } = await shownTo(tx, reader, now);
    return events
      .filter((event) => isOf(id, event))
      .slice(-limit)
      .map(show);
  },
};

/** Events of the alarm name their occurrence; those of earlier versions do not. */
function isOf(id: number, { kind, data }: StoredEvent): boolean {
  return kind.startsWith('call.') || data.historyId === undefined || data.historyId === id;
}

/** Of the first occurrence after it that names an event; of the alarm, if none does; of a removed alarm its own. */
const lastEvent = sql`coalesce(
    (select event_id from ${table('alarm_histories')} where id = (select min((select later.id from ${table('alarm_histories')} as later
        where later.series_id = series.id and later.raised_at >= occurrence.raised_at and later.id > occurrence.id
          and later.event_id is not null
        order by later.raised_at, later.id limit 1))
      from ${table('history_series')} as series where series.alarm_id = occurrence.alarm_id)),
    (select last_event_id from ${table('alarms')} where id = occurrence.alarm_id), occurrence.event_id)`;

const selectOccurrence = sqlStatement<{ id: number }, OccurrenceRow>(
  ({ id }) => sql`select alarm_id, station_id, raised_at, ${nextRaise} as next_raise, ${lastEvent} as last_event
    from ${table('alarm_histories')} as occurrence where id = ${id}`,
);

const columns = sql.join(eventColumns.map((column) => sql.ref(`events.${column}`)));

/** Walks from an event after the occurrence back to the raise. */
const selectChain = sqlStatement<Args, EventRow>(({ lastEvent: last, from, to, limit }, kind) => {
  const id = sql.ref(kind === 'sqlite' ? 'events.position' : 'events.id');
  return sql`with recursive chain (event_id) as (
      select cast(${last} as bigint)
      union all select previous_id from chain join ${table('events')} on ${id} = event_id where events.at >= ${from})
    select ${columns} from chain join ${table('events')} on ${id} = event_id where events.at between ${from} and ${to}
    order by ${newestFirst[kind]} limit ${limit}`;
});

/** The alarm's events outside the chain, including those written before events were chained. */
const selectUnchained = sqlStatement<Args, EventRow>(
  ({ alarmId, from, to, limit }, kind) => sql`select ${columns} from ${table('events')}
    where subject_id = ${alarmId} and kind like 'alarm.%' and kind <> ${sql.lit(newsKind)} and previous_id is null
      and at >= ${from} and at < ${to} order by ${newestFirst[kind]} limit ${limit}`,
);

/** The events of calls for the alarm in the time of the occurrence; those of earlier versions name no causes. */
const selectCallEvents = sqlStatement<Args, EventRow>(
  ({ alarmId, from, to, limit }, kind) => sql`with causes as materialized (
      select coalesce(cause_id, id) as id, call_id, created_at, ended_at from ${table('call_causes')}
      where alarm_id = ${alarmId} and created_at < ${to} and (ended_at is null or ended_at >= ${from}))
    select ${columns} from ${table('events')}
    where kind like 'call.%' and kind <> ${sql.lit(attemptCancelled)} and previous_id is null
      and events.at >= ${from} and events.at < ${to}
      and subject_id in (select call_id from causes where call_id is not null)
      and exists (select 1 from causes
        where causes.created_at <= events.at and (causes.ended_at is null or events.at <= causes.ended_at)
          and case when events.data like '%"causes":%'
            then ${idsInData} like '%,' || causes.id || ',%' else causes.call_id = subject_id end)
    order by ${newestFirst[kind]} limit ${limit}`,
);
