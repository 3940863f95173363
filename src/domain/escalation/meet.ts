// Makes the wishes of all escalations into calls: one call to a person and number carries every alarm that is open for them. The
// most urgent alarm goes first; of equal ones the group that had a line least recently. Pure.

import { isSpoken, lineOf } from '../calls/delivery.ts';
import type { ContactNumber } from '../people/person.ts';
import { triesAt } from './alike.ts';
import type { AttemptIndex } from './attempt-index.ts';
import { type NewAttempt, type TryFor, urgent } from './escalation.ts';
import type { Numbers } from './numbers.ts';
import { isOver, type Parts, type Wish } from './part.ts';
import type { PlacedPart } from './place.ts';
import type { PersonScopes } from './related/person-scopes.ts';

/** A call that is wanted, by everybody who wants it now. */
type Wanted = {
  readonly userId: number;
  readonly number: ContactNumber;
  readonly by: readonly (PlacedPart & { readonly part: Wish })[];
};

export class Meeting {
  readonly #index: AttemptIndex;
  readonly #numbers: Numbers;
  readonly #parts: Parts;
  readonly #scopes: PersonScopes;
  readonly #begun: NewAttempt[] = [];
  readonly #people = new Set<number>();
  readonly #lines = new Set<string>();
  readonly #numbersInUse = new Set<number>();
  readonly #countOf = new Map<number, number>();

  constructor(index: AttemptIndex, numbers: Numbers, parts: Parts, scopes: PersonScopes) {
    this.#index = index;
    this.#numbers = numbers;
    this.#parts = parts;
    this.#scopes = scopes;
  }

  /** The calls to begin, the most urgent first. */
  callsFor(placed: readonly PlacedPart[]): readonly NewAttempt[] {
    const ofPerson = Map.groupBy(placed, ({ of }) => of.userId);
    for (const wanted of this.#wantedBy(placed))
      this.#scopes.of(wanted.userId, () => this.#begin(wanted, ofPerson.get(wanted.userId) ?? []));
    for (const [userId, parts] of ofPerson) this.#scopes.of(userId, () => this.#bundle(userId, parts));
    return this.#begun;
  }

  #wantedBy(placed: readonly PlacedPart[]): readonly Wanted[] {
    const wishes = placed.filter((one): one is PlacedPart & { part: Wish } => one.part.state === 'wants');
    const groups = Map.groupBy(wishes, ({ of, part }) => `${of.userId} ${part.number.id}`);
    const wanted = [...groups.values()].flatMap((by) => {
      const [first] = by;
      return first === undefined ? [] : [{ userId: first.of.userId, number: first.part.number, by }];
    });
    const urgency = ({ by }: Wanted): number => Math.min(...by.map(({ of }) => of.cause.priority));
    const lastLine = ({ by }: Wanted): number => Math.min(...by.map(({ level }) => this.#lastLineOf(level)));
    const since = ({ by }: Wanted): number => Math.min(...by.map(({ part }) => part.since));
    return wanted
      .map((one) => ({ one, keys: [urgency(one), lastLine(one), since(one)] as const }))
      .sort((a, b) => a.keys[0] - b.keys[0] || a.keys[1] - b.keys[1] || a.keys[2] - b.keys[2])
      .map(({ one }) => one);
  }

  #lastLineOf(level: string): number {
    return this.#index.lastLineOf.get(Number(level.split(' ')[1])) ?? Number.NEGATIVE_INFINITY;
  }

  #begin({ userId, number, by }: Wanted, ofPerson: readonly PlacedPart[]): void {
    const priority = Math.min(...by.map(({ of }) => of.cause.priority));
    if (!this.#isFree(userId, number)) return;
    const begun = this.#countOf.get(userId) ?? 0;
    const isCapped = priority > urgent && this.#parts.throttledUntil(this.#index.ofPerson(userId), begun) !== undefined;
    const way = isCapped ? undefined : this.#numbers.wayTo(userId, number, priority);
    if (way?.kind !== 'free') return;
    const first = by.find(({ of }) => of.cause.priority === priority) ?? by[0];
    const carried = ofPerson.filter((one) => !isOver(one.part) && this.#parts.serves(one.of, number));
    this.#add(userId, number, way.providerId, {
      kind: 'call',
      tries: carried.flatMap(triesOfPart),
      isUrgent: priority <= urgent,
      isExempt: by.every(({ part }) => part.isExempt),
      reason: first?.part.reason ?? first?.reason ?? { code: 'raised' },
    });
    if (priority > urgent) this.#countOf.set(userId, begun + 1);
  }

  #isFree(userId: number, number: ContactNumber): boolean {
    const { channel, address, id } = number;
    if (this.#numbersInUse.has(id)) return false;
    if (!isSpoken(channel)) return true;
    this.#scopes.noteWays();
    const isInUse = this.#people.has(userId) || this.#lines.has(lineOf(channel, address, id));
    return !isInUse && this.#index.ofPerson(userId).live === undefined && !this.#index.isLineInUse(number);
  }

  #add(
    userId: number,
    number: ContactNumber,
    providerId: number,
    rest: Pick<NewAttempt, 'kind' | 'tries' | 'isUrgent' | 'isExempt' | 'reason'>,
  ): void {
    const { id: numberId, channel, address } = number;
    this.#begun.push({ userId, numberId, channel, address, providerId, ...rest });
    this.#numbers.noteBegun(userId, number, providerId);
    this.#numbersInUse.add(numberId);
    if (!isSpoken(channel)) return;
    this.#people.add(userId);
    this.#lines.add(lineOf(channel, address, numberId));
  }

  /** Tells a person whose cap is reached how many alarms wait: when it is reached, and then once in each of its windows. */
  #bundle(userId: number, parts: readonly PlacedPart[]): void {
    const held = parts.filter(({ part }) => part.state === 'blocked' && part.reason.code === 'throttled');
    const [first] = held.toSorted((one, other) => one.of.cause.priority - other.of.cause.priority);
    if (first === undefined || !this.#parts.mayBundle(this.#index.ofPerson(userId))) return;
    const { priority } = first.of.cause;
    const numbers = [...this.#numbers.calling(userId, priority), ...this.#numbers.notices(userId, priority)];
    const texts = numbers.filter(({ channel }) => !isSpoken(channel));
    for (const number of texts.length > 0 ? texts : numbers) {
      const way = this.#isFree(userId, number) ? this.#numbers.wayTo(userId, number, priority) : undefined;
      if (way?.kind !== 'free') continue;
      const tries = held.flatMap(triesOfPart);
      const reason = { code: 'bundled', count: new Set(tries.map(({ causeId }) => causeId)).size } as const;
      this.#add(userId, number, way.providerId, { kind: 'bundle', tries, isUrgent: false, isExempt: false, reason });
      break;
    }
  }
}

function triesOfPart({ alike, place, level }: PlacedPart): readonly TryFor[] {
  return triesAt(alike, place, level);
}
