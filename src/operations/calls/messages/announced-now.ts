// What a person in a conversation needs to know now: what is open for them, which announced alarms are gone and why, and which key 9
// would take.

import { type AnnouncedItem, announcedItem, includesItem, isAlarmItem } from '../../../domain/calls/announced.ts';
import { mostAnnounced } from '../../../domain/calls/message-text.ts';
import type { AllAnnounced } from '../../../domain/calls/voice-menu.ts';
import type { AlarmFate } from '../../../domain/calls/words/alarm-fate.ts';
import type { StationCount } from '../../../domain/calls/words/words.ts';
import type { TryFor } from '../../../domain/escalation/escalation.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { beginUnitOfWork } from '../../unit-of-work.ts';
import { announcedIn, openAmong, openAnnouncedOf, untakenAmong } from '../announced.ts';
import { selectAttempt } from '../attempts.ts';
import { composeSpoken, countsByStation, type Spoken, stationNames } from './compose-messages.ts';
import { fateOf } from './fate-of.ts';

/** What a call reads, if it is answered now. */
export type AnnouncedNow = {
  readonly items: readonly AnnouncedItem[];
  /** The ids of all causes, read or counted. */
  readonly causes: readonly number[];
  readonly total: number;
  readonly stations: readonly StationCount[];
  /** Of each item. */
  readonly spoken: readonly (Spoken | undefined)[];
};

/**
 * Returns what of the tries is open for the person at this moment, the most urgent first: alarms may have joined since the phone
 * began to ring. Undefined if nothing is any more.
 */
export async function announceNow(
  tx: ReadTx,
  userId: number,
  tries: readonly TryFor[],
): Promise<AnnouncedNow | undefined> {
  const causeIds = tries.map(({ causeId }) => causeId);
  const open = await openAmong(tx, causeIds, mostAnnounced, await untakenAmong(tx, tries));
  const total = open.ids.length;
  if (total === 0) return undefined;
  return {
    items: open.causes.map(announcedItem),
    causes: open.ids,
    total,
    stations: total > 1 ? countsByStation(open, await stationNames(tx, [open])) : [],
    spoken: await composeSpoken(tx, userId, open.causes),
  };
}

/** Stores what a call begins to read: from now on it is for that and nothing else. */
export async function noteAnnounced(
  tx: Tx,
  attemptId: number,
  { items, causes }: Pick<AnnouncedNow, 'items' | 'causes'>,
): Promise<void> {
  await tx.run(storeAnnounced, { id: attemptId, announced: JSON.stringify({ items }), causes: JSON.stringify(causes) });
}

const storeAnnounced = statement((db, args: { id: number; announced: string; causes: string }) =>
  db
    .updateTable('call_attempts')
    .set((eb) => ({
      announced: args.announced,
      announced_causes: args.causes,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', args.id),
);

type IndexedItem = { readonly item: AnnouncedItem; readonly index: number };

/** Returns by index what became of items, of these causes, that nobody is called for any more. */
export async function fatesOf(
  tx: Tx,
  now: Instant,
  userId: number,
  items: readonly IndexedItem[],
  causes: readonly number[],
): Promise<ReadonlyMap<number, AlarmFate>> {
  if (items.length === 0) return new Map();
  const open = (await openAmong(tx, causes, Number.MAX_SAFE_INTEGER)).causes.map(announcedItem);
  const gone = items.filter(({ item }) => !includesItem(open, item));
  if (gone.length === 0) return new Map();
  const { snapshot } = await readCallConfiguration(tx);
  const { alarms } = beginUnitOfWork(tx, now);
  await alarms.load(gone.flatMap(({ item }) => (isAlarmItem(item) ? [item.alarmId] : [])));
  return new Map(
    gone.map(({ item, index }) => {
      const alarm = isAlarmItem(item) ? alarms.get(item.alarmId)?.alarm : undefined;
      return [index, fateOf(alarm, userId, snapshot)];
    }),
  );
}

/**
 * Returns the open alarms that the attempt announced, with their number by station: those that were read, and those that
 * were only counted or not read yet, except priority 1. Of those that are gone a person is told when they were named.
 */
export async function announcedAlarms(
  tx: Tx,
  now: Instant,
  attemptId: number,
  wasRead: readonly AnnouncedItem[],
): Promise<AllAnnounced> {
  const attempt = await tx.one(selectAttempt, { id: attemptId });
  if (attempt === undefined) return { items: [], stations: [], gone: [] };
  const { items: named, causes } = announcedIn(attempt);
  const open = (await openAnnouncedOf(tx, [attempt])).get(attempt)?.known ?? [];
  const meant = open.filter((cause) => {
    const item = announcedItem(cause);
    return isAlarmItem(item) && (cause.priority > 1 || includesItem(wasRead, item));
  });
  const isOpen = new Set(open.map(({ id }) => id));
  const over = causes.filter((id) => !isOpen.has(id));
  const gone = over.length === 0 ? [] : await tx.all(selectAlarmsOf, { ids: JSON.stringify(over) });
  const counted = gone.flatMap(({ alarm_id: alarmId }) => (alarmId === null ? [] : [{ alarmId }]));
  return {
    items: meant.map(announcedItem),
    stations: await countByStation(tx, meant),
    gone: await fatesOfAlarms(
      tx,
      now,
      attempt.user_id,
      counted.filter((item) => !includesItem(named, item)).map(({ alarmId }) => alarmId),
    ),
  };
}

/** What became of alarms, as the person is told. */
export async function fatesOfAlarms(
  tx: Tx,
  now: Instant,
  userId: number,
  alarmIds: readonly number[],
): Promise<readonly AlarmFate[]> {
  if (alarmIds.length === 0) return [];
  const { snapshot } = await readCallConfiguration(tx);
  const { alarms } = beginUnitOfWork(tx, now);
  await alarms.load(alarmIds);
  return alarmIds.map((id) => fateOf(alarms.get(id)?.alarm, userId, snapshot));
}

const selectAlarmsOf = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select('alarm_id')
    .where(isOneOfIds('id', args.ids, kind))
    .where('list', '=', 'alarm')
    .orderBy('id'),
);

/** Returns how many there are of each station, the station with most first. */
export async function countByStation(
  tx: ReadTx,
  causes: readonly { readonly station_id: number }[],
): Promise<readonly StationCount[]> {
  const byStation = Map.groupBy(causes, ({ station_id }) => station_id);
  const counted = { stations: new Map([...byStation].map(([id, of]) => [id, of.length])) };
  return countsByStation(counted, await stationNames(tx, [counted]));
}
