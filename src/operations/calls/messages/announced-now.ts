// What a person in a conversation needs to know now: which announced alarms are gone and why, and which key 9 would take.

import {
  type AnnouncedItem,
  announcedItem,
  includesItem,
  isAlarmItem,
  isSameItem,
} from '../../../domain/calls/announced.ts';
import { mostAnnounced } from '../../../domain/calls/message-text.ts';
import type { AlarmFate } from '../../../domain/calls/words/alarm-fate.ts';
import type { StationCount } from '../../../domain/calls/words/words.ts';
import { idsIn, statement } from '../../../store/statement.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { beginUnitOfWork } from '../../unit-of-work.ts';
import { announcedIn, announcedJson, openCausesOfCall } from '../announced.ts';
import { selectAttempt } from '../attempts.ts';
import { openCausesOf } from '../queries.ts';
import { composeSpoken, type Spoken, stationCounts } from './compose-messages.ts';
import { fateOf } from './fate-of.ts';

type IndexedItem = { readonly item: AnnouncedItem; readonly index: number };

/** Returns by index what became of the items of an attempt that nobody is called for any more. */
export async function fatesOf(
  tx: Tx,
  now: Instant,
  attemptId: number,
  items: readonly IndexedItem[],
): Promise<ReadonlyMap<number, AlarmFate>> {
  const attempt = await tx.one(selectAttempt, { id: attemptId });
  if (attempt === undefined || items.length === 0) return new Map();
  const asked = items.map(({ item }) => item);
  const open = (await openAmong(tx, attempt.call_id, asked)).map(announcedItem);
  const gone = items.filter(({ item }) => !includesItem(open, item));
  if (gone.length === 0) return new Map();
  const { snapshot } = await readCallConfiguration(tx);
  const { alarms } = beginUnitOfWork(tx, now);
  await alarms.load(gone.flatMap(({ item }) => (isAlarmItem(item) ? [item.alarmId] : [])));
  return new Map(
    gone.map(({ item, index }) => {
      const alarm = isAlarmItem(item) ? alarms.get(item.alarmId)?.alarm : undefined;
      return [index, fateOf(alarm, attempt.user_id, snapshot)];
    }),
  );
}

export type AnnouncedNow = {
  readonly items: readonly AnnouncedItem[];
  readonly total: number;
  readonly stations: readonly StationCount[];
};

/**
 * Returns what the call is for at this moment, the most urgent first, and stores it as announced by the attempt: alarms may
 * have joined since the phone began to ring. Undefined if the call is for nothing any more.
 */
export async function announceNow(tx: Tx, attemptId: number): Promise<AnnouncedNow | undefined> {
  const attempt = await tx.one(selectAttempt, { id: attemptId });
  if (attempt === undefined) return undefined;
  const open = await openCausesOf(tx, [attempt.call_id], mostAnnounced);
  const now = open.get(attempt.call_id);
  if (now === undefined) return undefined;
  const announced = announcedJson(now);
  if (announced !== attempt.announced) await tx.run(storeAnnounced, { id: attemptId, announced });
  const stations = (await stationCounts(tx, open)).get(attempt.call_id) ?? [];
  return { items: now.causes.map(announcedItem), total: now.total, stations };
}

const storeAnnounced = statement((db, args: { id: number; announced: string }) =>
  db.updateTable('call_attempts').set({ announced: args.announced }).where('id', '=', args.id),
);

/** Returns what is said for the items of an attempt now; undefined for one that nobody is called for any more. */
export async function spokenNow(
  tx: Tx,
  attemptId: number,
  items: readonly AnnouncedItem[],
): Promise<readonly (Spoken | undefined)[]> {
  const attempt = await tx.one(selectAttempt, { id: attemptId });
  if (attempt === undefined) return [];
  const open = await openAmong(tx, attempt.call_id, items);
  const causes = items.map((item) => open.find((cause) => isSameItem(announcedItem(cause), item)));
  return composeSpoken(tx, attempt.user_id, causes);
}

/** Returns the open causes of the call that announced these items. */
async function openAmong(tx: ReadTx, callId: number, items: readonly AnnouncedItem[]) {
  const alarmIds = items.flatMap((item) => (isAlarmItem(item) ? [item.alarmId] : []));
  const causeIds = items.flatMap((item) => (isAlarmItem(item) ? [] : [item.causeId]));
  const args = { callId, alarmIds: JSON.stringify(alarmIds), causeIds: JSON.stringify(causeIds) };
  return tx.all(selectOpenAmong, args);
}

/**
 * Returns the open alarms that the attempt announced, with their number by station: those that were read, and those that
 * were only counted or not read yet, except priority 1.
 */
export async function announcedAlarms(
  tx: Tx,
  attemptId: number,
  wasRead: readonly AnnouncedItem[],
): Promise<{ readonly items: readonly AnnouncedItem[]; readonly stations: readonly StationCount[] }> {
  const attempt = await tx.one(selectAttempt, { id: attemptId });
  if (attempt === undefined) return { items: [], stations: [] };
  const { items: named, upTo } = announcedIn(attempt);
  const meant = (await openCausesOfCall(tx, attempt.call_id)).filter((cause) => {
    const item = announcedItem(cause);
    if (!isAlarmItem(item)) return false;
    const isAnnounced = includesItem(named, item) || cause.id <= upTo;
    return isAnnounced && (cause.priority > 1 || includesItem(wasRead, item));
  });
  return { items: meant.map(announcedItem), stations: await countByStation(tx, meant) };
}

/** Returns how many there are of each station, the station with most first. */
export async function countByStation(
  tx: ReadTx,
  causes: readonly { readonly station_id: number }[],
): Promise<readonly StationCount[]> {
  const byStation = Map.groupBy(causes, ({ station_id }) => station_id);
  const names = await stationNames(tx, [...byStation.keys()]);
  return [...byStation]
    .map(([id, of]) => ({ station: names.get(id) ?? '', count: of.length }))
    .toSorted((one, other) => other.count - one.count || one.station.localeCompare(other.station));
}

async function stationNames(tx: ReadTx, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  return new Map((await tx.all(selectStationNames, { ids: JSON.stringify(ids) })).map(({ id, name }) => [id, name]));
}

const selectStationNames = statement((db, args: { ids: string }, kind) =>
  db.selectFrom('stations').select(['id', 'name']).where('id', 'in', idsIn(args.ids, kind)),
);

const selectOpenAmong = statement((db, args: { callId: number; alarmIds: string; causeIds: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'kind', 'list', 'alarm_id', 'is_transitory', 'message_id', 'text', 'short_text'])
    .where('call_id', '=', args.callId)
    .where('ended_at', 'is', null)
    .where((eb) =>
      eb.or([eb('alarm_id', 'in', idsIn(args.alarmIds, kind)), eb('id', 'in', idsIn(args.causeIds, kind))]),
    ),
);
