// The attempts of a decision, found by alarm and person, by number, and by person. Built once for each decision. Pure.

import { isSpoken, lineOf } from '../calls/delivery.ts';
import type { ContactNumber } from '../people/person.ts';
import type { AnswerTo, Attempt } from './escalation.ts';

/** What one person has had of one cause, oldest first. */
export type Contacts = {
  /** The calls that count as tries for it. */
  readonly calls: readonly Attempt[];
  readonly answers: readonly GivenAnswer[];
};

/** An answer, and the tries of the attempt that it was given to. */
export type GivenAnswer = AnswerTo & Pick<Attempt, 'tries'>;

/** What one person has had of all causes together. */
export type PersonCalls = {
  /** The telephone call under way. */
  readonly live: Attempt | undefined;
  /** When the last telephone call ended. */
  readonly freeSince: number;
  /** When the last call began that did not wait for the rest of its number. */
  readonly exemptAt: number | undefined;
  /** When the person last took everything that was announced. */
  readonly tookAllAt: number | undefined;
  readonly bundledAt: number | undefined;
  /** Begin of each call and text that counts towards the cap, oldest first. */
  readonly counted: readonly number[];
};

/** The calls to a number, for whatever cause. */
export type NumberCalls = {
  readonly lastEndedAt: number | undefined;
  readonly isLive: boolean;
  /** Since when an attempt by it waits for a free line. */
  readonly withoutLineSince: number | undefined;
  /** When providers failed for it in a row, the last ones, oldest first. */
  readonly providerFailedAt: readonly number[];
};

/** Further failures of providers in a row make the pause after them no longer. */
const mostFailuresInARow = 6;

const noContacts: Contacts = { calls: [], answers: [] };
const noCalls: PersonCalls = {
  live: undefined,
  freeSince: Number.NEGATIVE_INFINITY,
  exemptAt: undefined,
  tookAllAt: undefined,
  bundledAt: undefined,
  counted: [],
};
const neverCalled: NumberCalls = {
  lastEndedAt: undefined,
  isLive: false,
  withoutLineSince: undefined,
  providerFailedAt: [],
};

type Collected = { -readonly [Key in keyof PersonCalls]: PersonCalls[Key] } & { counted: number[] };
type Contacted = { calls: Attempt[]; answers: GivenAnswer[] };

export class AttemptIndex {
  readonly #contacts = new Map<number, Map<number, Contacted>>();
  readonly #people = new Map<number, Collected>();
  readonly #numbers = new Map<number, NumberCalls>();
  readonly #notices = new Map<number, Attempt[]>();
  /** Those that a call of ours uses. */
  readonly #linesInUse = new Set<string>();
  readonly live: readonly Attempt[];
  /** By id of a group: when an attempt for it last began. */
  readonly lastLineOf = new Map<number, number>();

  /** By id of a cause: the one that stands for it and all that are alike; other causes are not found. */
  readonly #standsFor: ReadonlyMap<number, number>;

  /** `attempts`: those of the open escalations, and all others of their people that the rules still read, oldest first. */
  constructor(attempts: readonly Attempt[], standsFor: ReadonlyMap<number, number>) {
    this.#standsFor = standsFor;
    this.live = attempts.filter(({ end }) => end === undefined);
    for (const attempt of attempts) {
      if (attempt.kind === 'notice') this.#addNotice(attempt);
      else this.#addCall(attempt);
    }
  }

  #addNotice(attempt: Attempt): void {
    append(this.#notices, attempt.numberId, attempt);
    this.#addLine(attempt);
    this.#addAnswers(attempt);
    this.#addVerdict(attempt);
  }

  #addCall(attempt: Attempt): void {
    const { kind, userId, begunAt, tries } = attempt;
    if (kind === 'call') {
      let noted = '';
      for (const { causeId, level } of tries) {
        // In a storm a call is for hundreds of alarms, all at the same level.
        if (level !== noted) this.#noteLine(level, begunAt);
        noted = level;
        if (this.#standsFor.get(causeId) !== causeId) continue;
        const { calls } = this.#of(causeId, userId);
        if (calls.at(-1) !== attempt) calls.push(attempt);
      }
    }
    this.#addAnswers(attempt);
    this.#addToPerson(attempt);
    this.#addToNumber(attempt);
    this.#addVerdict(attempt);
  }

  #addToNumber(attempt: Attempt): void {
    const { numberId, end, hasLeft, begunAt } = attempt;
    const known = this.ofNumber(numberId);
    if (end === undefined) {
      const withoutLineSince = isWithoutLine(attempt) ? begunAt : known.withoutLineSince;
      this.#numbers.set(numberId, { ...known, isLive: true, withoutLineSince });
      return;
    }
    // A call that never left its provider has disturbed nobody.
    if (hasLeft) this.#numbers.set(numberId, { ...known, lastEndedAt: Math.max(end.at, known.lastEndedAt ?? end.at) });
  }

  /** A failure of the providers; also of a notice, as it is the same number that they cannot reach. */
  #addVerdict({ numberId, end }: Attempt): void {
    if (end === undefined || end.outcome === 'cancelled') return;
    const known = this.ofNumber(numberId);
    const isOfProvider = end.outcome === 'failed' && !end.counts;
    const providerFailedAt = isOfProvider ? [...known.providerFailedAt, end.at].slice(-mostFailuresInARow) : [];
    this.#numbers.set(numberId, { ...known, providerFailedAt });
  }

  #noteLine(level: string, at: number): void {
    if (!level.startsWith('duty') && !level.startsWith('relief')) return;
    const groupId = Number(level.slice(level.indexOf(' ') + 1));
    this.lastLineOf.set(groupId, Math.max(at, this.lastLineOf.get(groupId) ?? at));
  }

  #addAnswers({ userId, answers, tries }: Attempt): void {
    for (const answer of answers) {
      if (this.#standsFor.get(answer.causeId) !== answer.causeId) continue;
      const contacted = this.#of(answer.causeId, userId);
      // A text may be answered after a later one.
      const place = contacted.answers.findLastIndex(({ at }) => at <= answer.at) + 1;
      contacted.answers.splice(place, 0, { ...answer, tries });
    }
  }

  /** A telephone call occupies its person and its line. */
  #addLine(attempt: Attempt): void {
    const { channel, address, numberId, end, userId } = attempt;
    if (!isSpoken(channel)) return;
    const person = this.#person(userId);
    if (end === undefined) {
      person.live = attempt;
      this.#linesInUse.add(lineOf(channel, address, numberId));
    } else person.freeSince = Math.max(person.freeSince, end.at);
  }

  #person(userId: number): Collected {
    const person = this.#people.get(userId) ?? { ...noCalls, counted: [] };
    this.#people.set(userId, person);
    return person;
  }

  #addToPerson(attempt: Attempt): void {
    const { kind, userId, begunAt, end, hasLeft, isUrgent, isExempt, tookAllAt } = attempt;
    const person = this.#person(userId);
    this.#addLine(attempt);
    if (isExempt) person.exemptAt = Math.max(begunAt, person.exemptAt ?? begunAt);
    if (kind === 'bundle') person.bundledAt = Math.max(begunAt, person.bundledAt ?? begunAt);
    else if ((hasLeft || end === undefined) && !isUrgent) person.counted.push(begunAt);
    if (tookAllAt !== undefined) person.tookAllAt = Math.max(tookAllAt, person.tookAllAt ?? tookAllAt);
  }

  #of(causeId: number, userId: number): Contacted {
    const ofCause = this.#contacts.get(causeId) ?? new Map<number, Contacted>();
    if (ofCause.size === 0) this.#contacts.set(causeId, ofCause);
    const found = ofCause.get(userId) ?? { calls: [], answers: [] };
    ofCause.set(userId, found);
    return found;
  }

  /** The cause that stands for it. */
  standInOf(causeId: number): number {
    return this.#standsFor.get(causeId) ?? causeId;
  }

  contacts(causeId: number, userId: number): Contacts {
    return this.#contacts.get(this.standInOf(causeId))?.get(userId) ?? noContacts;
  }

  ofPerson(userId: number): PersonCalls {
    return this.#people.get(userId) ?? noCalls;
  }

  ofNumber(numberId: number): NumberCalls {
    return this.#numbers.get(numberId) ?? neverCalled;
  }

  /** The notices to the number, oldest first. */
  notices(numberId: number): readonly Attempt[] {
    return this.#notices.get(numberId) ?? [];
  }

  isLineInUse({ channel, address, id }: ContactNumber): boolean {
    return this.#linesInUse.has(lineOf(channel, address, id));
  }
}

/** Whether it waits for a free line, because a provider has failed and the others have none. */
export function isWithoutLine({ isDue, providerId, end }: Attempt): boolean {
  return end === undefined && isDue && providerId === undefined;
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
