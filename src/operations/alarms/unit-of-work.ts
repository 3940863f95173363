// The unit of work of alarms: loads them once, publishes every change to the reactions, and writes everything once.

import type { Transition } from '../../domain/alarms/alarm.ts';
import type { DefinitionChange } from '../../domain/alarms/definition.ts';
import type { NewIds } from '../../store/new-ids.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { ActionsToRun } from './actions-to-run.ts';
import { type AlarmCache, alarmCache, TagMap } from './cache.ts';
import { grownMessage, type SystemAlarm } from './intake/system-alarms.ts';
import { findAlarmRecords, findRecordsByTag } from './queries.ts';
import type { AlarmChange, ChangedBy, GatheredCommand, Reaction, TrackedAlarm } from './reaction.ts';
import type { AlarmRecord } from './record.ts';
import { writeAlarms } from './write-alarms.ts';

export type Tag = readonly [dataServerId: number, path: string];

type Parts = {
  readonly ids: NewIds;
  readonly actions: ActionsToRun;
  /** In the order in which they note changes and write. */
  readonly reactions: readonly Reaction[];
  readonly readLead: () => Promise<Lead>;
};

/** What our clock is ahead of that of the database, by which masks end: now, and when that shows a time. */
type Lead = { readonly now: number; readonly when: (civil: Instant) => number };

/** The parts of an alarm that a person or a source defines. */
type Definable = Partial<
  Pick<AlarmRecord, 'definition' | 'value' | 'priority' | 'tagGroupId' | 'name' | 'life'> & MovableFields
>;

type MovableFields = Pick<AlarmRecord, 'stationId' | 'dataServerId' | 'dataServerName'>;

export class AlarmUnitOfWork {
  readonly #tx: Tx;
  readonly #ids: NewIds;
  readonly #cache: AlarmCache | undefined;
  readonly actions: ActionsToRun;
  readonly #reactions: readonly Reaction[];
  readonly #byTag = new TagMap<TrackedAlarm>();
  readonly #requestedTags = new TagMap<true>();
  readonly #byId = new Map<number, TrackedAlarm>();
  readonly #systemAlarms = new Map<string, SystemAlarm>();
  readonly #now: Instant;
  readonly #readLead: Parts['readLead'];
  #lead: Lead | undefined;

  constructor(tx: Tx, now: Instant, { ids, actions, reactions, readLead }: Parts) {
    this.#tx = tx;
    this.#now = now;
    this.#readLead = readLead;
    this.#ids = ids;
    this.#cache = tx.cache?.(alarmCache);
    this.actions = actions;
    this.#reactions = reactions;
  }

  async load(ids: readonly number[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#byId.has(id) && !this.#trackCached(this.#cache?.get(id)));
    if (unknown.length > 0) this.#read(await findAlarmRecords(this.#tx, unknown));
    await this.#learnLeadForMasks();
  }

  async loadByTag(tags: readonly Tag[]): Promise<void> {
    const unknown = tags.filter(([server, path]) => this.#mustRead(server, path));
    if (unknown.length > 0) this.#read(await findRecordsByTag(this.#tx, unknown));
    await this.#learnLeadForMasks();
  }

  /** Now; 0 before it may matter. */
  get lead(): number {
    return this.#lead?.now ?? 0;
  }

  async learnLead(): Promise<Lead> {
    this.#lead ??= await this.#readLead();
    return this.#lead;
  }

  async #learnLeadForMasks(): Promise<void> {
    const mayEnd = ({ alarm }: TrackedAlarm): boolean => (alarm.life.mask?.until ?? this.#now + 1) <= this.#now;
    if (this.#lead === undefined && this.all().some(mayEnd)) await this.learnLead();
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

  /** Loads what decisions on the loaded alarms need: the targets of their actions and of the coming changes. */
  async gather(changes: readonly DefinitionChange[] = [], command?: GatheredCommand): Promise<void> {
    const alarms = this.all().map(({ alarm }) => alarm);
    await this.actions.gather(
      alarms.map(({ definition }) => definition),
      changes,
    );
    if (command !== undefined) for (const reaction of this.#reactions) await reaction.gather?.(alarms, command);
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

  /** Lets the next report of the tag of a removed alarm make a new one. */
  forget([dataServerId, path]: Tag): void {
    this.#byTag.delete(dataServerId, path);
  }

  add(alarm: AlarmRecord): TrackedAlarm {
    return this.#track(alarm, undefined);
  }

  #track(alarm: AlarmRecord, loaded: AlarmRecord | undefined): TrackedAlarm {
    const entry = { alarm, loaded, isRemoved: false };
    this.#byId.set(alarm.id, entry);
    this.#byTag.set(alarm.dataServerId, alarm.path, entry);
    return entry;
  }

  /** Applies decided transitions of one alarm, in order. */
  apply(entry: TrackedAlarm, transitions: readonly Transition[], at: Instant, by: ChangedBy): void {
    for (const transition of transitions) {
      const before = entry.alarm;
      if (transition.life !== before.life) entry.alarm = { ...before, life: transition.life };
      this.#publish({ kind: 'transition', entry, before, at, by, transition });
      if (!transition.isRemoved) continue;
      entry.isRemoved = true;
      return;
    }
  }

  redefine(entry: TrackedAlarm, defined: Definable, at: Instant, by: ChangedBy): void {
    const before = entry.alarm;
    const life = defined.life ?? before.life;
    entry.alarm = { ...before, ...defined, life: { ...life, lastChange: Math.max(life.lastChange, at) } };
    this.#publish({ kind: 'redefined', entry, before, at, by });
  }

  /** Redefines an alarm that is known by the tag of another data server from then on. */
  move(entry: TrackedAlarm, defined: Definable, at: Instant, by: ChangedBy): void {
    this.redefine(entry, defined, at, by);
    this.#byTag.set(entry.alarm.dataServerId, entry.alarm.path, entry);
  }

  comment(entry: TrackedAlarm, comment: string, at: Instant, by: ChangedBy): void {
    const before = entry.alarm;
    const life = { ...before.life, lastChange: Math.max(before.life.lastChange, at) };
    entry.alarm = { ...before, comment, life };
    this.#publish({ kind: 'commented', entry, before, at, by });
  }

  /** Tells consoles of gathered news that is due. */
  tellNews(entry: TrackedAlarm, at: Instant, by: ChangedBy): void {
    const { newsDue } = entry.alarm;
    if (newsDue !== undefined && newsDue <= at) this.#publish({ kind: 'news-due', entry, before: entry.alarm, at, by });
  }

  remove(entry: TrackedAlarm, at: Instant, by: ChangedBy): void {
    this.#publish({ kind: 'removed', entry, before: entry.alarm, at, by });
    entry.isRemoved = true;
  }

  #publish(change: AlarmChange): void {
    for (const reaction of this.#reactions) reaction.note(change);
  }

  /**
   * Asks for one of Tocsin's own alarms, to be raised after this unit of work is written. Of those with the same path the
   * first counts, with the lines of all if it grows.
   */
  raise(alarm: SystemAlarm): void {
    const key = `${alarm.stationId} ${alarm.path}`;
    const known = this.#systemAlarms.get(key);
    if (known === undefined) this.#systemAlarms.set(key, alarm);
    else if (alarm.isGrowing)
      this.#systemAlarms.set(key, { ...known, message: grownMessage(known.message, alarm.message) });
  }

  get systemAlarms(): readonly SystemAlarm[] {
    return [...this.#systemAlarms.values()];
  }

  async write(): Promise<void> {
    for (const reaction of this.#reactions) await reaction.conclude?.();
    await this.#ids.assign(this.#tx);
    await writeAlarms(this.#tx, this.#ids, this.all());
    for (const reaction of this.#reactions) await reaction.write();
  }
}
