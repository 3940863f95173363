// Which numbers of a person serve an alarm now, and whether a provider can carry a call to them. Pure.

import { callNumbers, isCallable, type NumberContext, noticeNumbers, numbersOf } from '../calls/usable-numbers.ts';
import { chooseProvider, providersOf, servesAddress, unusedProvider } from '../channels/choose-provider.ts';
import type { Provider } from '../channels/provider.ts';
import { type Tolls, tollHold, tollsAfter } from '../channels/toll-limits.ts';
import { dutyAt } from '../on-call/duty.ts';
import type { ContactNumber, Person } from '../people/person.ts';
import type { AttemptIndex } from './attempt-index.ts';
import { urgent } from './escalation.ts';
import type { Reason } from './reason.ts';
import type { DecisionTime, Depends, World } from './world.ts';

/** The first pause after the providers failed for a number; it doubles up to the longest. */
const providerRetryMs = 15_000;
const longestProviderRetryMs = 300_000;
/** A failure counts towards the pause for so long; shorter than attempts are read. */
const failureCountsMs = 2_700_000;
/** The time in which a provider begins so many deliveries at most. */
const rateMs = 1_000;

/** `full`: waits for a free line. `down`: nothing can be delivered for the moment, which uses up no try. */
export type Way =
  | { readonly kind: 'free'; readonly providerId: number }
  | { readonly kind: 'full' | 'down'; readonly reason: Reason };

type OfPriority = { readonly calling: readonly ContactNumber[]; readonly notices: readonly ContactNumber[] };

export class Numbers {
  readonly #world: World;
  readonly #time: DecisionTime;
  readonly #index: AttemptIndex;
  readonly #known = new Map<string, { readonly result: OfPriority; readonly depends: Depends }>();
  /** By id of a provider: deliveries that this decision has begun. */
  readonly #begun = new Map<number, number>();
  #tolls: Tolls;

  constructor(world: World, time: DecisionTime, index: AttemptIndex) {
    this.#world = world;
    this.#time = time;
    this.#index = index;
    this.#tolls = world.tolls;
  }

  /** The numbers that ring the person for an alarm of this priority, in order. */
  calling(userId: number, priority: number): readonly ContactNumber[] {
    return this.#of(userId, priority).calling;
  }

  /** The numbers that get a notice of it. */
  notices(userId: number, priority: number): readonly ContactNumber[] {
    return this.#of(userId, priority).notices;
  }

  /** Any number of the person, usable or not. */
  find(userId: number, numberId: number): ContactNumber | undefined {
    return this.#person(userId)?.numbers.find(({ id }) => id === numberId);
  }

  #of(userId: number, priority: number): OfPriority {
    const key = `${userId} ${priority}`;
    const known = this.#known.get(key);
    if (known === undefined) {
      const found = this.#time.during(() => this.#find(userId, priority));
      this.#known.set(key, found);
      return found.result;
    }
    this.#time.note(known.depends);
    return known.result;
  }

  #find(userId: number, priority: number): OfPriority {
    const person = this.#person(userId);
    const context = this.#contextOf(priority, person);
    this.#noteHours(person);
    const { civil } = this.#time;
    return { calling: callNumbers(userId, context, civil), notices: noticeNumbers(userId, context, civil) };
  }

  #contextOf(priority: number, person: Person | undefined): NumberContext {
    const { snapshot, policy } = this.#world;
    const locked = (person?.numbers ?? []).filter(({ id }) => this.#isLocked(id));
    return { snapshot, policy, priority, lockedNumbers: new Set(locked.map(({ id }) => id)) };
  }

  #isLocked(numberId: number): boolean {
    const until = this.#world.locks.get(numberId);
    return until !== undefined && !this.#time.hasPassed(until);
  }

  #noteHours(person: Person | undefined): void {
    for (const { scheduleId } of person?.numbers ?? []) {
      const schedule = this.#world.snapshot.schedules.get(scheduleId ?? 0);
      if (schedule !== undefined) this.#time.noteCivil(dutyAt(schedule, this.#time.civil).to);
    }
  }

  #person(userId: number): Person | undefined {
    return this.#world.snapshot.people.get(userId);
  }

  /** Why no number of the person can be used for an alarm. */
  whyNone(userId: number): Reason {
    const person = this.#person(userId);
    if (person === undefined) return { code: 'person-removed' };
    const numbers = numbersOf(person, { policy: this.#world.policy });
    if (numbers.length === 0) return { code: 'no-number' };
    if (numbers.some(({ id }) => this.#isLocked(id))) return { code: 'locked-number' };
    if (!numbers.some(isCallable)) return { code: 'unverified' };
    return { code: 'no-usable-number' };
  }

  /** Whether a provider can carry a delivery to the number now, after those that this decision has begun. */
  wayTo(userId: number, number: ContactNumber, priority: number): Way {
    const { channel, id } = number;
    this.#time.noteWays();
    if (this.#isPausedAfterFailures(id, channel)) return { kind: 'down', reason: { code: 'channel-down', channel } };
    const toll =
      priority <= urgent || this.#tolls === undefined ? undefined : this.#tollHold(userId, number, this.#tolls);
    return toll ?? this.#choose(number, priority);
  }

  /** What was long ago does not count, so that nothing changes when it is not read any more. */
  #isPausedAfterFailures(numberId: number, channel: string): boolean {
    const failedAt = this.#index.ofNumber(numberId).providerFailedAt;
    const last = failedAt.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (last < (this.#world.recoveries.get(channel) ?? Number.NEGATIVE_INFINITY)) return false;
    const counting = failedAt.filter((at) => !this.#time.hasPassed(at + failureCountsMs));
    return counting.length > 0 && !this.#time.hasPassed(last + retryMs(counting.length));
  }

  #tollHold(userId: number, number: ContactNumber, tolls: NonNullable<Tolls>): Way | undefined {
    const hold = tollHold(userId, number, tolls.use, tolls.rules, this.#time.civil);
    if (hold === undefined) return undefined;
    this.#time.noteCivil(hold.until);
    return { kind: 'down', reason: { code: 'toll', limit: hold.limit, until: hold.until } };
  }

  #choose({ channel, address }: ContactNumber, priority: number): Way {
    const { providers, uses, hasSimulator, goneNodes } = this.#world.providers;
    const now = this.#time.engine;
    for (const { health } of uses.values()) if (health.state === 'down') this.#time.hasPassed(health.probeAt);
    const context = { providers, uses: this.#usesNow(uses), hasSimulator, goneNodes, nodeName: undefined, now };
    const choice = chooseProvider({ channel, address, priority }, [], context);
    if (choice.kind === 'use') return { kind: 'free', providerId: choice.provider.id };
    const last = priority <= urgent && choice.kind === 'none' ? this.#lastLeft(channel, address) : undefined;
    if (last !== undefined) return { kind: 'free', providerId: last };
    if (choice.kind === 'wait') return this.#full(channel);
    if (choice.reason === 'limited') this.#time.noteCivil(this.#tolls?.use.dayEnd);
    return { kind: 'down', reason: { code: codeOf[choice.reason], channel } };
  }

  /** A provider whose rate is used up carries the next one a second later. */
  #full(channel: string): Way {
    const hasRate = this.#world.providers.providers.some(
      (one) => one.channel === channel && one.perSecond !== undefined,
    );
    if (hasRate) this.#time.hasPassed(this.#time.engine + rateMs);
    return { kind: 'full', reason: { code: 'no-free-line', channel, since: this.#time.engine } };
  }

  /** Being down changes the order only: the last provider that could carry it is tried for priority 1. */
  #lastLeft(channel: string, address: string): number | undefined {
    const { providers, hasSimulator, goneNodes } = this.#world.providers;
    const uses = this.#usesNow(this.#world.providers.uses);
    const isThere = ({ id, node, lines = Number.POSITIVE_INFINITY }: Provider): boolean =>
      (node === undefined || !goneNodes.has(node)) && (uses.get(id)?.inUse ?? 0) < lines;
    const serving = providersOf(channel, providers, hasSimulator).filter((one) => servesAddress(one, address));
    return serving.findLast(isThere)?.id;
  }

  #usesNow(uses: World['providers']['uses']): World['providers']['uses'] {
    if (this.#begun.size === 0) return uses;
    const now = new Map(uses);
    for (const [id, begun] of this.#begun) {
      const use = uses.get(id) ?? unusedProvider;
      now.set(id, { ...use, inUse: use.inUse + begun, lastSecond: use.lastSecond + begun, today: use.today + begun });
    }
    return now;
  }

  /** Counts a delivery that this decision begins. */
  noteBegun(userId: number, number: ContactNumber, providerId: number): void {
    this.#begun.set(providerId, (this.#begun.get(providerId) ?? 0) + 1);
    const { channel, address } = number;
    this.#tolls = tollsAfter(this.#tolls, { userId, channel, address, providerId }, this.#time.civil);
  }
}

const codeOf = {
  'not-set-up': 'channel-not-set-up',
  'switched-off': 'channel-down',
  'not-served': 'number-not-served',
  down: 'channel-down',
  limited: 'channel-down',
} as const;

function retryMs(failures: number): number {
  return Math.min(providerRetryMs * 2 ** (failures - 1), longestProviderRetryMs);
}
