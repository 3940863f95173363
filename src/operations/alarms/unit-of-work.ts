// The unit of work of alarms: loaded once, changed in memory, written once with one statement per table.

import { systemCaller } from '../../domain/access/access.ts';
import { type RecordedAction, recordedActions, type Targets, targetsNamed } from '../../domain/alarms/actions.ts';
import type { ActionList } from '../../domain/alarms/alarm.ts';
import type { AlarmAction, DefinitionChange } from '../../domain/alarms/definition.ts';
import {
  allScenarioActions,
  noScenarios,
  type ScenarioIndex,
  scenarioActions,
} from '../../domain/alarms/scenario-actions.ts';
import { nextDueOf } from '../../domain/alarms/transition.ts';
import { searchableText } from '../../domain/search.ts';
import { appendChained, type NewEvent } from '../../store/event-log.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { AuditBatch } from '../audit/append.ts';
import { CallReaction } from '../calls/alarm-reaction.ts';
import { type CallConfiguration, readCallConfiguration } from '../calls/configuration.ts';
import { HistoryUnitOfWork, type NewHistoryIds, newIdsFrom } from '../history/unit-of-work.ts';
import { ScriptReaction } from '../scripts/alarm-reaction.ts';
import { TargetLookup } from './action-targets.ts';
import { type AlarmCache, alarmCache, TagMap } from './cache.ts';
import { alarmUpdates, updateFor } from './choose-update.ts';
import { withNameVisibility } from './name-visibility.ts';
import { findAlarmRecords, findRecordsByTag } from './queries.ts';
import type { AlarmRecord } from './record.ts';
import { actionRows, alarmActionRows, alarmRows, alarmWordRows } from './rows.ts';

export type Tag = readonly [dataServerId: number, path: string];

/**
 * An alarm in the unit of work. `alarm` is the current state; negative ids are placeholders for rows that get theirs
 * when written.
 */
export type TrackedAlarm = {
  alarm: AlarmRecord;
  /** The alarm as loaded; undefined for a new one. */
  readonly loaded: AlarmRecord | undefined;
  lastEventId: number | undefined;
  isRemoved: boolean;
};

type AlarmEvent = NewEvent & {
  readonly id: number;
  readonly previousId: number;
  readonly at: Instant;
  readonly historyId: number | undefined;
};

type NewIds = NewHistoryIds & { readonly event: (id: number) => number };

const none: Targets = { userIds: new Set(), callGroupIds: new Set(), mediaNames: new Set(), scripts: undefined };

export class AlarmUnitOfWork {
  readonly #tx: Tx;
  readonly #cache: AlarmCache | undefined;
  readonly #byTag = new TagMap<TrackedAlarm>();
  readonly #requestedTags = new TagMap<true>();
  readonly #targetLookup: TargetLookup;
  #configuration: CallConfiguration | undefined;
  readonly #byId = new Map<number, TrackedAlarm>();
  readonly #events: AlarmEvent[] = [];
  readonly history: HistoryUnitOfWork;
  readonly calls = new CallReaction();
  readonly scripts = new ScriptReaction();
  readonly audit = new AuditBatch();
  targets: Targets = none;
  #scenarios: ScenarioIndex = noScenarios;

  constructor(tx: Tx) {
    this.#tx = tx;
    this.#cache = tx.cache?.(alarmCache);
    this.#targetLookup = new TargetLookup(tx);
    this.history = new HistoryUnitOfWork(tx);
  }

  async load(ids: readonly number[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#trackCached(this.#cache?.get(id)));
    if (unknown.length > 0) this.#read(await findAlarmRecords(this.#tx, unknown));
  }

  async loadByTag(tags: readonly Tag[]): Promise<void> {
    const unknown = tags.filter(([server, path]) => this.#mustRead(server, path));
    if (unknown.length > 0) this.#read(await findRecordsByTag(this.#tx, unknown));
  }

  /** Whether the tag must be read from the database: it was not requested before and is not cached. */
  #mustRead(dataServerId: number, path: string): boolean {
    if (this.#requestedTags.get(dataServerId, path)) return false;
    this.#requestedTags.set(dataServerId, path, true);
    return !this.#trackCached(this.#cache?.find(dataServerId, path));
  }

  #trackCached(alarm: AlarmRecord | undefined): boolean {
    if (alarm !== undefined) this.#track(alarm, alarm);
    return alarm !== undefined;
  }

  #read(alarms: readonly AlarmRecord[]): void {
    for (const alarm of alarms) {
      this.#track(alarm, alarm);
      this.#cache?.put(alarm);
    }
  }

  /**
   * Loads in parallel what the reports will most likely need; the rest is loaded once it is known. `raises` is how many
   * of them begin an occurrence.
   */
  async prefetch(tags: readonly Tag[], changes: readonly DefinitionChange[], raises: number): Promise<void> {
    this.#tx.expectIds?.('alarm_histories', raises);
    this.#tx.expectIds?.('events', raises);
    const [configuration] = await Promise.all([
      readCallConfiguration(this.#tx),
      this.loadByTag(tags),
      this.#targetLookup.lookUp(targetsNamed(changes)),
    ]);
    this.#configuration = configuration;
  }

  /** Looks up the targets of all alarms in the unit and of the coming changes. */
  async resolveTargets(changes: readonly DefinitionChange[] = []): Promise<void> {
    const definitions = this.all().map(({ alarm }) => alarm.definition);
    const { scenarios, scripts } = this.#configuration ?? (await readCallConfiguration(this.#tx));
    this.#scenarios = scenarios;
    await this.#targetLookup.lookUp(targetsNamed([...definitions, ...changes], allScenarioActions(this.#scenarios)));
    this.targets = { ...this.#targetLookup.found, scripts };
  }

  get(id: number): TrackedAlarm | undefined {
    return this.#byId.get(id);
  }

  all(): readonly TrackedAlarm[] {
    return [...this.#byId.values()];
  }

  find([dataServerId, path]: Tag): TrackedAlarm | undefined {
    return this.#byTag.get(dataServerId, path);
  }

  add(alarm: AlarmRecord): TrackedAlarm {
    return this.#track(alarm, undefined);
  }

  #track(alarm: AlarmRecord, loaded: AlarmRecord | undefined): TrackedAlarm {
    const entry = { alarm, loaded, lastEventId: alarm.lastEventId, isRemoved: false };
    this.#byId.set(alarm.id, entry);
    this.#byTag.set(alarm.dataServerId, alarm.path, entry);
    return entry;
  }

  remove(entry: TrackedAlarm): void {
    this.history.endSeries(entry.alarm);
    this.history.endText(entry.alarm);
    entry.isRemoved = true;
  }

  /** Returns the actions of a list with their current effect, for the event log. */
  actionsOf(entry: TrackedAlarm, list: ActionList): readonly RecordedAction[] {
    return recordedActions(list, this.actionsToRun(entry, list), this.targets, entry.alarm.life.mask);
  }

  /** Returns the alarm's own actions and those its scenarios add. */
  actionsToRun({ alarm }: Pick<TrackedAlarm, 'alarm'>, list: ActionList): readonly AlarmAction[] {
    const added = scenarioActions(alarm, list, this.#scenarios);
    return added.length === 0 ? alarm.definition[list].actions : [...alarm.definition[list].actions, ...added];
  }

  publish(entry: TrackedAlarm, at: Instant, event: Omit<NewEvent, 'stationId' | 'subjectId'>): void {
    const { id: subjectId, stationId, occurrenceId: historyId } = entry.alarm;
    const { kind, actor, data = {} } = event;
    const id = -(this.#events.length + 1);
    this.#events.push({
      id,
      previousId: entry.lastEventId ?? 0,
      kind,
      at,
      actor,
      stationId,
      subjectId,
      historyId,
      data,
    });
    entry.lastEventId = id;
  }

  async write(): Promise<void> {
    await this.#publishRecalls();
    const [historyIds, eventIds] = await Promise.all([
      this.history.assignIds(),
      this.#tx.nextIds('events', this.#events.length),
    ]);
    const ids = { ...historyIds, event: newIdsFrom(eventIds) };
    await this.#writeAlarms(ids);
    await this.history.write();
    await this.calls.write(this.#tx, ids.history);
    await this.scripts.write(this.#tx);
    await this.audit.write(this.#tx);
    await appendChained(
      this.#tx,
      (await withNameVisibility(this.#tx, this.#events)).map((event) => ({
        ...event,
        id: ids.event(event.id),
        previousId: ids.event(event.previousId),
        data: { ...event.data, historyId: event.historyId && ids.history(event.historyId) },
      })),
    );
  }

  async #publishRecalls(): Promise<void> {
    for (const { alarmId, at, reason, targets } of await this.calls.recall(this.#tx, this)) {
      const entry = this.get(alarmId);
      const event = { kind: 'alarm.called-anew', actor: systemCaller.actor, data: { reason, targets } };
      if (entry !== undefined) this.publish(entry, at, event);
    }
  }

  async #writeAlarms(ids: NewIds): Promise<void> {
    const changed = this.all()
      .filter(isChanged)
      .map((entry) => writtenAlarm(entry, ids));
    const fresh = changed.filter(({ loaded }) => loaded === undefined);
    const known = changed.filter(({ loaded }) => loaded !== undefined);
    const redefined = known.filter(isRedefined);
    const removed = this.all().filter(({ isRemoved, loaded }) => isRemoved && loaded !== undefined);
    await this.#tx.each(
      alarmRows.insert,
      fresh.map(({ alarm }) => ({ ...identityRow(alarm), ...definitionRow(alarm), ...lifeRow(alarm) })),
    );
    const updates = Map.groupBy(known, ({ alarm, loaded = alarm }) => updateFor(alarm, loaded));
    for (const update of alarmUpdates)
      await this.#tx.each(
        alarmRows[update],
        (updates.get(update) ?? []).map(({ alarm }) => lifeRow(alarm)),
      );
    await this.#tx.each(
      alarmRows.updateDefinition,
      redefined.map(({ alarm }) => definitionRow(alarm)),
    );
    await this.#tx.each(
      alarmRows.rename,
      known
        .filter(({ alarm, loaded }) => alarm.name !== loaded?.name)
        .map(({ alarm }) => ({ id: alarm.id, name: alarm.name })),
    );
    await this.#tx.each(
      alarmActionRows.remove,
      redefined.map(({ alarm }) => ({ alarm_id: alarm.id })),
    );
    await this.#tx.each(
      alarmActionRows.insert,
      [...fresh, ...redefined].flatMap(({ alarm }) => actionRows(alarm)),
    );
    await this.#writeWords([
      ...changed.map(({ alarm, loaded }) => [alarm.id, loaded?.words ?? '', alarm.words] as const),
      ...removed.map(({ alarm, loaded }) => [alarm.id, loaded?.words ?? '', ''] as const),
    ]);
    await this.#tx.each(
      alarmRows.remove,
      removed.map(({ alarm }) => ({ id: alarm.id })),
    );
    for (const { alarm } of changed) this.#cache?.put(alarm);
    for (const { alarm } of removed) this.#cache?.remove(alarm.id);
  }

  /** Writes only the words that were added or removed. */
  async #writeWords(changes: readonly (readonly [alarmId: number, before: string, now: string])[]): Promise<void> {
    const removedWords: { word: string; alarm_id: number }[] = [];
    const addedWords: { word: string; alarm_id: number }[] = [];
    for (const [alarm_id, before, now] of changes) {
      if (before === now) continue;
      const [old, fresh] = [new Set(before.split(' ')), new Set(now.split(' '))];
      for (const word of old) if (word !== '' && !fresh.has(word)) removedWords.push({ word, alarm_id });
      for (const word of fresh) if (word !== '' && !old.has(word)) addedWords.push({ word, alarm_id });
    }
    await this.#tx.each(alarmWordRows.remove, removedWords);
    await this.#tx.each(alarmWordRows.insert, addedWords);
  }
}

function isChanged({ alarm, loaded, lastEventId, isRemoved }: TrackedAlarm): boolean {
  return !isRemoved && (alarm !== loaded || lastEventId !== loaded.lastEventId);
}

/** An alarm as it will be written, and as it was loaded. */
type WrittenAlarm = { readonly alarm: AlarmRecord; readonly loaded: AlarmRecord | undefined };

function writtenAlarm({ alarm, loaded, lastEventId }: TrackedAlarm, ids: NewIds): WrittenAlarm {
  const idOf = (id: number | undefined, real: (id: number) => number): number | undefined => id && real(id);
  return {
    alarm: {
      ...alarm,
      words: wordsNow(alarm, loaded),
      occurrenceId: idOf(alarm.occurrenceId, ids.history),
      seriesId: idOf(alarm.seriesId, ids.series),
      textId: idOf(alarm.textId, ids.text),
      lastEventId: idOf(lastEventId, ids.event),
    },
    loaded,
  };
}

function isRedefined({ alarm, loaded }: WrittenAlarm): boolean {
  return (
    alarm.definition !== loaded?.definition ||
    alarm.priority !== loaded.priority ||
    alarm.tagGroupId !== loaded.tagGroupId
  );
}

function identityRow(alarm: AlarmRecord) {
  return {
    station_id: alarm.stationId,
    data_server_id: alarm.dataServerId,
    path: alarm.path,
    name: alarm.name,
    created_at: alarm.createdAt,
  };
}

function definitionRow(alarm: AlarmRecord) {
  return {
    id: alarm.id,
    tag_group_id: alarm.tagGroupId ?? null,
    priority: alarm.priority,
    definition: JSON.stringify(alarm.definition),
  };
}

function lifeRow(alarm: AlarmRecord) {
  const { life } = alarm;
  return {
    id: alarm.id,
    state: life.state,
    is_latched: life.isLatched ? 1 : 0,
    pending_since: life.pendingSince ?? null,
    raised_at: life.raisedAt ?? null,
    source_time: life.sourceTime ?? null,
    last_change: life.lastChange,
    next_due: nextDueOf(life) ?? null,
    mask_until: life.mask?.until ?? null,
    mask_reason: life.mask?.reason ?? null,
    mask_by: life.mask?.by ?? null,
    ack_time: alarm.ackTime ?? null,
    ack_user: alarm.ackUser,
    ack_user_id: alarm.ackUserId ?? null,
    reset_time: alarm.resetTime ?? null,
    comment: alarm.comment,
    occurrence_id: alarm.occurrenceId ?? null,
    occurrences: alarm.occurrences,
    series_id: alarm.seriesId ?? null,
    text_id: alarm.textId ?? null,
    active_ms: alarm.activeMs,
    noted_raise: alarm.notedRaise,
    longest_gap: alarm.longestGap,
    occurrence_group_id: alarm.occurrenceGroupId ?? null,
    unacknowledged_since: alarm.unacknowledgedSince ?? null,
    last_event_id: alarm.lastEventId ?? null,
    value: alarm.value,
    words: alarm.words,
  };
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
