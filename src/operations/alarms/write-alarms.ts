// Writes the alarms of a unit of work: the rows that changed, their search words and their actions.

import { searchableText } from '../../domain/search.ts';
import { changedColumns } from '../../store/entity-columns.ts';
import type { NewIds } from '../../store/new-ids.ts';
import type { Tx } from '../../store/store.ts';
import { alarmCache } from './cache.ts';
import type { TrackedAlarm } from './reaction.ts';
import { type AlarmRecord, stateRowOf } from './record.ts';
import { actionRows, alarmActionRows, alarmRows, alarmWordRows, lifeUpdateFor, lifeUpdates } from './rows.ts';

type StateRow = ReturnType<typeof stateRowOf>;

/** An alarm as it will be written, and as it was loaded. */
type WrittenAlarm = { readonly alarm: AlarmRecord; readonly row: StateRow; readonly loaded: AlarmRecord | undefined };

type KnownAlarm = WrittenAlarm & { readonly changed: readonly (keyof StateRow)[]; readonly isRedefined: boolean };

export async function writeAlarms(tx: Tx, ids: NewIds, entries: readonly TrackedAlarm[]): Promise<void> {
  const written = entries
    .filter(({ alarm, loaded, isRemoved }) => !isRemoved && alarm !== loaded)
    .map((entry) => writtenAlarm(entry, ids));
  const removed = entries.flatMap(({ isRemoved, loaded }) => (isRemoved && loaded !== undefined ? [loaded] : []));
  const fresh = written.filter(({ loaded }) => loaded === undefined);
  const known = written.flatMap((entry) => (entry.loaded === undefined ? [] : [knownAlarm(entry, entry.loaded)]));
  await tx.each(alarmRows.insert, fresh.map(definedRow));
  await updateLives(tx, known);
  await updateDefinitions(tx, fresh, known);
  await writeWords(tx, [
    ...written.map(({ alarm, loaded }) => [alarm.id, loaded?.words ?? '', alarm.words] as const),
    ...removed.map(({ id, words }) => [id, words, ''] as const),
  ]);
  await tx.each(
    alarmRows.remove,
    removed.map(({ id }) => ({ id })),
  );
  const cache = tx.cache?.(alarmCache);
  for (const { alarm } of written) cache?.put(alarm);
  for (const { id } of removed) cache?.remove(id);
}

function writtenAlarm({ alarm: decided, loaded }: TrackedAlarm, ids: NewIds): WrittenAlarm {
  const alarm = {
    ...decided,
    words: wordsNow(decided, loaded),
    occurrenceId: ids.optionalIdOf(decided.occurrenceId),
    seriesId: ids.optionalIdOf(decided.seriesId),
    textId: ids.optionalIdOf(decided.textId),
    lastEventId: ids.optionalIdOf(decided.lastEventId),
    descriptionId: ids.optionalIdOf(decided.descriptionId),
    newsEventId: ids.optionalIdOf(decided.newsEventId),
  };
  return { alarm, row: stateRowOf(alarm), loaded };
}

/** Returns the searchable words of an alarm; split again only if one of its texts changed. */
function wordsNow(alarm: AlarmRecord, loaded: AlarmRecord | undefined): string {
  const isSame =
    loaded !== undefined &&
    loaded.name === alarm.name &&
    loaded.value === alarm.value &&
    loaded.comment === alarm.comment &&
    loaded.definition.alarm.message === alarm.definition.alarm.message;
  if (isSame) return loaded.words;
  return searchableText(alarm.path, alarm.name, alarm.definition.alarm.message, alarm.comment, alarm.value);
}

function knownAlarm(entry: WrittenAlarm, loaded: AlarmRecord): KnownAlarm {
  const before = stateRowOf(loaded);
  const changed = changedColumns(Object.keys(before) as (keyof StateRow)[], entry.row, before);
  const hasOtherTargets = changed.includes('priority') || changed.includes('tag_group_id');
  return { ...entry, changed, isRedefined: hasOtherTargets || entry.alarm.definition !== loaded.definition };
}

function definedRow({ alarm, row }: WrittenAlarm) {
  return { ...row, definition: JSON.stringify(alarm.definition) };
}

async function updateLives(tx: Tx, known: readonly KnownAlarm[]): Promise<void> {
  const byUpdate = Map.groupBy(known, ({ changed }) => lifeUpdateFor(changed));
  for (const update of lifeUpdates)
    await tx.each(
      alarmRows[update],
      (byUpdate.get(update) ?? []).map(({ row }) => row),
    );
}

async function updateDefinitions(tx: Tx, fresh: readonly WrittenAlarm[], known: readonly KnownAlarm[]): Promise<void> {
  const redefined = known.filter(({ isRedefined }) => isRedefined);
  await tx.each(alarmRows.updateDefinition, redefined.map(definedRow));
  await tx.each(
    alarmRows.rename,
    known.filter(({ changed }) => changed.includes('name')).map(({ row }) => row),
  );
  await tx.each(
    alarmRows.move,
    known.filter(({ changed }) => changed.includes('data_server_id')).map(({ row }) => row),
  );
  await tx.each(
    alarmActionRows.remove,
    redefined.map(({ alarm }) => ({ alarm_id: alarm.id })),
  );
  await tx.each(
    alarmActionRows.insert,
    [...fresh, ...redefined].flatMap(({ alarm }) => actionRows(alarm)),
  );
}

type WordChange = readonly [alarmId: number, before: string, now: string];

/** Writes only the words that were added or removed. */
async function writeWords(tx: Tx, changes: readonly WordChange[]): Promise<void> {
  const removedWords: { word: string; alarm_id: number }[] = [];
  const addedWords: { word: string; alarm_id: number }[] = [];
  for (const [alarm_id, before, now] of changes) {
    if (before === now) continue;
    const [old, fresh] = [new Set(before.split(' ')), new Set(now.split(' '))];
    for (const word of old) if (word !== '' && !fresh.has(word)) removedWords.push({ word, alarm_id });
    for (const word of fresh) if (word !== '' && !old.has(word)) addedWords.push({ word, alarm_id });
  }
  await tx.each(alarmWordRows.remove, removedWords);
  await tx.each(alarmWordRows.insert, addedWords);
}

/** Sets when alarms are due again, which no cached alarm holds. */
export async function setDue(
  tx: Tx,
  due: readonly { readonly id: number; readonly next_due: number }[],
): Promise<void> {
  await tx.each(alarmRows.setDue, due);
}
