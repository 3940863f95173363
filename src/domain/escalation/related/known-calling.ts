// What is known of all causes that people are called for, between decisions: what was read of them, how long what was decided stands,
// and which of them a change concerns. It holds nothing that is not stored, so that it may be forgotten at any time. Pure.

import { type Attempt, type Cause, type Escalation, groupOf } from '../escalation.ts';
import type { PlacedPart } from '../place.ts';
import type { DecisionTime } from '../world.ts';
import { isShownToAll, type Outlook } from './outlook.ts';

type KnownCause = { readonly cause: Cause; readonly escalations: readonly Escalation[] };

type KnownOutlook = Pick<Outlook, 'until' | 'untilCivil' | 'onWays' | 'userIds' | 'turns'> & {
  /** In engine time. */
  readonly lookedAt: number;
};

/** The ids of what is found by a key. */
class Finder<Key> {
  readonly #found = new Map<Key, Set<number>>();

  add(key: Key, id: number): void {
    const ids = this.#found.get(key);
    if (ids === undefined) this.#found.set(key, new Set([id]));
    else ids.add(id);
  }

  remove(key: Key, id: number): void {
    const ids = this.#found.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.#found.delete(key);
  }

  of(key: Key): Iterable<number> {
    return this.#found.get(key) ?? [];
  }
}

export class KnownCalling {
  readonly #causes = new Map<number, KnownCause>();
  readonly #attempts = new Map<number, Attempt>();
  readonly #outlooks = new Map<number, KnownOutlook>();
  /** By id: escalations that pause, or that everybody must be able to see. */
  readonly #noted = new Map<number, Escalation>();
  /** By id of a cause: parts that everybody must be able to see. */
  readonly #shown = new Map<number, readonly PlacedPart[]>();
  readonly #ofAlarm = new Finder<number>();
  readonly #calling = new Finder<number>();
  readonly #inTurn = new Finder<string>();
  readonly #attemptsTo = new Finder<number>();
  readonly #attemptsFor = new Finder<number>();
  /** By id of a group: the last attempt for it. */
  readonly #lastLines = new Map<number, Attempt>();
  /** The ids of the causes that something has changed for since they were decided on. */
  readonly #changed = new Set<number>();

  get size(): number {
    return this.#causes.size;
  }

  find(causeId: number): KnownCause | undefined {
    return this.#causes.get(causeId);
  }

  /** Those that pause, or say something that everybody must be able to see. */
  noted(): Iterable<Escalation> {
    return this.#noted.values();
  }

  /** What was decided last of causes other than these. */
  partsOfOthers(causeIds: ReadonlySet<number>): readonly PlacedPart[] {
    return [...this.#shown].flatMap(([id, parts]) => (causeIds.has(id) ? [] : parts));
  }

  /** `isAnnounced`: whether something says that it has changed; one that is read again in its turn may be as it was. */
  setCause(known: KnownCause, isAnnounced = true): void {
    const { id, alarmId } = known.cause;
    this.#noteEscalations(id, known.escalations);
    this.#causes.set(id, known);
    if (isAnnounced) this.#changed.add(id);
    if (alarmId !== undefined) this.#ofAlarm.add(alarmId, id);
  }

  #noteEscalations(causeId: number, escalations: readonly Escalation[]): void {
    for (const { id } of this.#causes.get(causeId)?.escalations ?? []) this.#noted.delete(id);
    for (const escalation of escalations)
      if (escalation.pausedUntil !== undefined || escalation.trouble !== undefined)
        this.#noted.set(escalation.id, escalation);
  }

  removeCause(id: number): void {
    const known = this.#causes.get(id);
    if (known === undefined) return;
    const { alarmId } = known.cause;
    this.#forget(id);
    this.#noteEscalations(id, []);
    this.#causes.delete(id);
    this.#changed.delete(id);
    if (alarmId === undefined) return;
    this.#ofAlarm.remove(alarmId, id);
    // A notice of what became of the alarm waits no more.
    for (const other of this.#ofAlarm.of(alarmId)) this.#changed.add(other);
  }

  setAttempt(attempt: Attempt): void {
    this.removeAttempt(attempt.id);
    this.#attempts.set(attempt.id, attempt);
    this.#attemptsTo.add(attempt.userId, attempt.id);
    let noted = '';
    for (const { causeId, level } of attempt.tries) {
      this.#attemptsFor.add(causeId, attempt.id);
      if (level === noted) continue;
      noted = level;
      const groupId = groupOf(level);
      if (groupId === undefined) continue;
      const last = this.#lastLines.get(groupId);
      if (last === undefined || last.begunAt <= attempt.begunAt) this.#lastLines.set(groupId, attempt);
    }
    this.#noteChanged(attempt);
  }

  removeAttempt(id: number): void {
    const attempt = this.#attempts.get(id);
    if (attempt === undefined) return;
    this.#attempts.delete(id);
    this.#attemptsTo.remove(attempt.userId, id);
    for (const { causeId } of attempt.tries) this.#attemptsFor.remove(causeId, id);
    for (const [groupId, last] of this.#lastLines) if (last === attempt) this.#lastLines.delete(groupId);
    this.#noteChanged(attempt);
  }

  /** It concerns those that it was for, and all that its person is called for. */
  #noteChanged({ userId, tries }: Attempt): void {
    for (const { causeId } of tries) if (this.#causes.has(causeId)) this.#changed.add(causeId);
    for (const causeId of this.#calling.of(userId)) this.#changed.add(causeId);
  }

  /** Something has changed that every decision depends on. */
  forgetDecided(): void {
    for (const id of this.#causes.keys()) this.#changed.add(id);
  }

  /** The causes to decide on at an instant; `onWays`: those as well that depend on lines, providers and limits. */
  due({ engine, civil }: DecisionTime, onWays: boolean): Set<number> {
    const due = new Set(this.#changed);
    for (const [id, one] of this.#outlooks)
      if (one.until <= engine || one.untilCivil <= civil || (onWays && one.onWays)) due.add(id);
    return due;
  }

  /** Some of those that were decided on before `lookedAt`, the longest ago first. */
  notLookedAtSince(lookedAt: number, most: number): readonly number[] {
    const old: (readonly [number, KnownOutlook])[] = [];
    for (const entry of this.#outlooks) if (entry[1].lookedAt <= lookedAt) old.push(entry);
    if (old.length > most) old.sort(([, one], [, other]) => one.lookedAt - other.lookedAt);
    return old.slice(0, most).map(([id]) => id);
  }

  /** When the next of them is due, in engine time. */
  nextDue(time: DecisionTime): number {
    let next = this.#changed.size > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    for (const { until, untilCivil } of this.#outlooks.values()) next = Math.min(next, until, time.ofCivil(untilCivil));
    return next;
  }

  /** Notes what was decided; `touched`: the causes for which something is done now. */
  noteDecided(outlooks: readonly Outlook[], touched: ReadonlySet<number>, engine: number): void {
    for (const { causeIds, until, untilCivil, onWays, userIds, turns, parts } of outlooks) {
      const outlook = { until, untilCivil, onWays, userIds, turns, lookedAt: engine };
      const shown = parts.filter(isShownToAll);
      for (const id of causeIds) {
        if (!this.#causes.has(id)) continue;
        this.#forget(id);
        this.#outlooks.set(id, outlook);
        if (shown.length > 0) this.#shown.set(id, shown);
        for (const userId of userIds) this.#calling.add(userId, id);
        for (const level of turns) this.#inTurn.add(level, id);
        if (touched.has(id)) this.#changed.add(id);
        else this.#changed.delete(id);
      }
    }
  }

  #forget(id: number): void {
    const outlook = this.#outlooks.get(id);
    this.#outlooks.delete(id);
    this.#shown.delete(id);
    for (const userId of outlook?.userIds ?? []) this.#calling.remove(userId, id);
    for (const level of outlook?.turns ?? []) this.#inTurn.remove(level, id);
  }

  /** Adds those that have to be decided on together with one of them. */
  addRelated(causeIds: Set<number>): void {
    for (const id of causeIds) {
      const alarmId = this.#causes.get(id)?.cause.alarmId;
      if (alarmId !== undefined) for (const other of this.#ofAlarm.of(alarmId)) causeIds.add(other);
      for (const level of this.#outlooks.get(id)?.turns ?? []) this.addInTurn(causeIds, level);
    }
  }

  addInTurn(causeIds: Set<number>, level: string): void {
    for (const other of this.#inTurn.of(level)) causeIds.add(other);
  }

  /** Adds those that the person is called for. */
  addCalling(causeIds: Set<number>, userId: number): void {
    for (const other of this.#calling.of(userId)) causeIds.add(other);
    for (const attemptId of this.#attemptsTo.of(userId))
      for (const { causeId } of this.#attempts.get(attemptId)?.tries ?? [])
        if (this.#causes.has(causeId)) causeIds.add(causeId);
  }

  /** The people who are called for the causes, as far as it is known before they are decided on. */
  peopleOf(causeIds: ReadonlySet<number>): Set<number> {
    const people = new Set<number>();
    for (const id of causeIds) {
      for (const userId of this.#outlooks.get(id)?.userIds ?? []) people.add(userId);
      for (const attemptId of this.#attemptsFor.of(id)) {
        const attempt = this.#attempts.get(attemptId);
        if (attempt !== undefined) people.add(attempt.userId);
      }
    }
    return people;
  }

  /** All attempts to these people, all that are under way, and for each group the last, oldest first. */
  attemptsTo(people: ReadonlySet<number>, underWay: readonly Attempt[]): readonly Attempt[] {
    const found = new Map([...underWay, ...this.#lastLines.values()].map((attempt) => [attempt.id, attempt]));
    for (const userId of people) {
      for (const id of this.#attemptsTo.of(userId)) {
        const attempt = this.#attempts.get(id);
        if (attempt !== undefined) found.set(id, attempt);
      }
    }
    return [...found.values()].sort((one, other) => one.id - other.id);
  }

  hasAttemptsTo(userId: number): boolean {
    for (const _ of this.#attemptsTo.of(userId)) return true;
    return false;
  }
}
