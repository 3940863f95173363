// Appends the events of alarms, each linked to the previous event of its alarm; the hub sends them to consoles.

import type { Transition } from '../../domain/alarms/alarm.ts';
import { type FilteredBy, isFilteredOtherwise, newsDueAt, newsKind, newsOf } from '../../domain/alarms/news.ts';
import { type Description, descriptionOf, isSameDescription, packEvent } from '../../domain/alarms/packed-event.ts';
import { viewOf } from '../../domain/alarms/view.ts';
import { appendChained, type NewEvent, removeReplaced } from '../../store/event-log.ts';
import type { NewIds } from '../../store/new-ids.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { ActionsToRun } from './actions-to-run.ts';
import { type NewDescription, writeDescriptions } from './descriptions.ts';
import { withNameVisibility } from './name-visibility.ts';
import type { AlarmChange, Reaction, TrackedAlarm } from './reaction.ts';
import type { AlarmRecord } from './record.ts';

type AlarmEvent = NewEvent & {
  readonly id: number;
  readonly previousId: number;
  readonly at: Instant;
  readonly historyId: number | undefined;
  /** What the alarm that it shows is called; undefined if it shows none. */
  readonly shows: { readonly entry: TrackedAlarm; readonly description: Description } | undefined;
  /** A placeholder, or that of a stored description; set when all changes are known. */
  descriptionId?: number;
};

/** A change of a definition or value that no event shows yet; `before` is undefined for gathered news that is due. */
type UntoldChange = { readonly before: AlarmRecord | undefined; readonly at: Instant; readonly actor: string };

/** Transitions that need no event, because neither clients nor the journal would gain from one. */
const withoutEvent = new Set<Transition['reason']>(['not-due', 'updated', 'delay-running', 'defined']);

export class AlarmEvents implements Reaction {
  readonly #tx: Tx;
  readonly #ids: NewIds;
  readonly #actions: ActionsToRun;
  readonly #events: AlarmEvent[] = [];
  readonly #untold = new Map<TrackedAlarm, UntoldChange>();
  /** Events of gathered news that newer news replaces, so that the log has one of each alarm at most. */
  readonly #replaced: number[] = [];
  readonly #changed = new Set<TrackedAlarm>();
  readonly #added: NewDescription[] = [];
  readonly #ended: { readonly id: number; readonly at: Instant }[] = [];

  constructor(tx: Tx, ids: NewIds, actions: ActionsToRun) {
    this.#tx = tx;
    this.#ids = ids;
    this.#actions = actions;
  }

  note(change: AlarmChange): void {
    const { entry, at, by, before } = change;
    this.#changed.add(entry);
    switch (change.kind) {
      case 'transition':
        if (!withoutEvent.has(change.transition.reason)) this.#appendTransition(entry, change.transition, at, by.actor);
        if (change.transition.isRemoved) this.#appendRemoval(entry, at, by.actor);
        break;
      case 'redefined':
        // A new alarm is told of when it is raised.
        if (entry.loaded !== undefined && !this.#untold.has(entry))
          this.#untold.set(entry, { before, at, actor: by.actor });
        break;
      case 'news-due':
        this.#untold.set(entry, { before: undefined, at, actor: by.actor });
        break;
      case 'commented':
        this.append(entry, at, {
          kind: 'alarm.commented',
          actor: by.actor,
          data: { comment: entry.alarm.comment, ...this.#shown(entry) },
        });
        break;
      case 'removed':
        this.#appendRemoval(entry, at, by.actor);
    }
  }

  #appendTransition(entry: TrackedAlarm, transition: Transition, at: Instant, actor: string): void {
    const { isAnnounced, isChanged, life, reason } = transition;
    const actions = transition.actions.flatMap((list) => this.#actions.recorded(entry.alarm, list));
    const data = { state: life.state, isAnnounced, isChanged, actions };
    const shown = isAnnounced || isChanged ? this.#shown(entry) : {};
    this.append(entry, at, { kind: `alarm.${reason}`, actor, data: { ...data, ...shown } });
  }

  /** Consoles that filter need the fields they filter by; the alarm itself is gone. */
  #appendRemoval(entry: TrackedAlarm, at: Instant, actor: string): void {
    const { name, tagGroupId, priority } = entry.alarm;
    this.append(entry, at, { kind: 'alarm.removed', actor, data: { name, tagGroupId, priority } });
  }

  /**
   * Returns the alarm as it is now for an event, because it may change or be removed before clients read it. With this
   * event, earlier changes of its definition and value are told.
   */
  #shown(entry: TrackedAlarm): Readonly<Record<string, unknown>> {
    const { before } = this.#untold.get(entry) ?? {};
    this.#untold.delete(entry);
    const { alarm } = entry;
    if (alarm.newsDue !== undefined) entry.alarm = { ...alarm, newsDue: undefined };
    const was = before !== undefined && isFilteredOtherwise(before, alarm) ? { was: filteredBy(before) } : {};
    return { tagGroupId: alarm.tagGroupId, ...was, alarm: viewOf(alarm) };
  }

  async conclude(): Promise<void> {
    for (const [entry, { before, at, actor }] of this.#untold) {
      if (entry.isRemoved) continue;
      const { alarm } = entry;
      const news = before === undefined ? 'gathered' : newsOf(before, alarm);
      if (news === 'none') continue;
      if (news === 'gathered') {
        this.#gather(entry, at, actor);
        continue;
      }
      if (before !== undefined && before.stationId !== alarm.stationId) this.#appendMove(entry, before, at, actor);
      this.#appendNews(entry, at, actor);
    }
    this.#describe(this.#events);
  }

  /** Finds what each of the events calls its alarm: as a stored description does, or as a new one. */
  #describe(events: readonly AlarmEvent[]): void {
    const added = new Map<TrackedAlarm, NewDescription[]>();
    for (const event of events) {
      if (event.shows === undefined) continue;
      const { entry, description } = event.shows;
      event.descriptionId = storedFor(entry, description) ?? this.#addedFor(added, entry, description).id;
    }
    for (const entry of this.#changed) {
      const last = descriptionOf(entry.alarm);
      const stored = storedFor(entry, last);
      const fresh = added.get(entry) ?? [];
      const own = fresh.find(({ description }) => isSameDescription(description, last));
      const { lastChange } = entry.alarm.life;
      const isCurrent = (id: number): boolean => !entry.isRemoved && id === (stored ?? own?.id);
      for (const one of fresh) if (!isCurrent(one.id)) one.endedAt = lastChange;
      const { descriptionId: known } = entry.loaded ?? {};
      if (known !== undefined && !isCurrent(known)) this.#ended.push({ id: known, at: lastChange });
      const descriptionId = stored ?? own?.id;
      if (entry.alarm.descriptionId !== descriptionId) entry.alarm = { ...entry.alarm, descriptionId };
    }
  }

  #addedFor(added: Map<TrackedAlarm, NewDescription[]>, entry: TrackedAlarm, description: Description): NewDescription {
    const ofEntry = added.get(entry) ?? [];
    if (ofEntry.length === 0) added.set(entry, ofEntry);
    const known = ofEntry.find((one) => isSameDescription(one.description, description));
    if (known !== undefined) return known;
    const fresh: NewDescription = { id: this.#ids.next('alarm_descriptions'), description, endedAt: undefined };
    ofEntry.push(fresh);
    this.#added.push(fresh);
    return fresh;
  }

  /** Tells the news now, or leaves it to the time when the next may be told. */
  #gather(entry: TrackedAlarm, at: Instant, actor: string): void {
    const { newsAt, newsDue, newsEventId } = entry.alarm;
    const dueAt = newsDueAt(newsAt, at);
    if (dueAt > at) {
      entry.alarm = { ...entry.alarm, newsDue: newsDue ?? dueAt };
      return;
    }
    if (newsEventId !== undefined) this.#replaced.push(newsEventId);
    // Appended first: it changes the entry, and news that stayed due would be told again every quarter of a second.
    const eventId = this.#appendNews(entry, at, actor);
    entry.alarm = { ...entry.alarm, newsEventId: eventId, newsAt: at };
  }

  /** Outside the chain of the alarm: news is replaced, and no part of its timeline. */
  #appendNews(entry: TrackedAlarm, at: Instant, actor: string): number {
    const data = this.#shown(entry);
    const { id: subjectId, stationId, occurrenceId: historyId } = entry.alarm;
    const id = this.#ids.next('events');
    const shows = { entry, description: descriptionOf(entry.alarm) };
    const about = { stationId, subjectId, historyId, data, shows };
    this.#events.push({ id, previousId: 0, kind: newsKind, at: timeOf(entry, at), actor, ...about });
    return id;
  }

  /** For those who see the station that the alarm has left, and not the one it is of now. */
  #appendMove(entry: TrackedAlarm, before: AlarmRecord, at: Instant, actor: string): void {
    const { stationId, ...others } = filteredBy(before);
    const data = { ...others, movedTo: entry.alarm.stationId };
    this.append(entry, at, { kind: 'alarm.moved', actor, data }, stationId);
  }

  append(
    entry: TrackedAlarm,
    at: Instant,
    event: Omit<NewEvent, 'stationId' | 'subjectId'>,
    stationId = entry.alarm.stationId,
  ): void {
    const { id: subjectId, occurrenceId: historyId, lastEventId: previousId = 0 } = entry.alarm;
    const { kind, actor, data = {} } = event;
    const id = this.#ids.next('events');
    const shows = data.alarm === undefined ? undefined : { entry, description: descriptionOf(entry.alarm) };
    const about = { stationId, subjectId, historyId, data, shows };
    this.#events.push({ id, previousId, kind, at: timeOf(entry, at), actor, ...about });
    entry.alarm = { ...entry.alarm, lastEventId: id };
  }

  async write(): Promise<void> {
    await removeReplaced(this.#tx, this.#replaced);
    const events = await withNameVisibility(this.#tx, this.#events);
    const added = this.#added.map((one) => ({ ...one, id: this.#ids.idOf(one.id) }));
    await writeDescriptions(this.#tx, added, this.#ended);
    await appendChained(
      this.#tx,
      events.map((event) => ({
        ...event,
        id: this.#ids.idOf(event.id),
        previousId: this.#ids.idOf(event.previousId),
        data: this.#dataOf(event),
      })),
    );
  }

  #dataOf({ data = {}, historyId, at, descriptionId }: AlarmEvent): Readonly<Record<string, unknown>> {
    const whole = { ...data, historyId: this.#ids.optionalIdOf(historyId) };
    return descriptionId === undefined ? whole : packEvent(whole, at, this.#ids.idOf(descriptionId));
  }
}

/** The time of the change as the alarm and its history have it: the clock of another node may have been ahead. */
function timeOf({ alarm }: TrackedAlarm, at: Instant): Instant {
  return Math.max(at, alarm.life.lastChange);
}

/** Returns the stored description of the alarm if it still tells what it is called. */
function storedFor({ loaded }: TrackedAlarm, description: Description): number | undefined {
  if (loaded?.descriptionId === undefined) return undefined;
  return isSameDescription(descriptionOf(loaded), description) ? loaded.descriptionId : undefined;
}

function filteredBy({ stationId, tagGroupId, priority }: AlarmRecord): FilteredBy {
  return { stationId, tagGroupId, priority };
}
