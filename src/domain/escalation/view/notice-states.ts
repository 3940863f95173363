// The state of the numbers that get notices of a call: sent, gathered or due. Pure.

import { noticeNumbers } from '../../calls/usable-numbers.ts';
import { ownerOfNumber } from '../../people/call-group.ts';
import type { ContactNumber } from '../../people/person.ts';
import { AttemptIndex } from '../attempt-index.ts';
import type { Attempt, Cause, Escalation, LevelKey } from '../escalation.ts';
import { isNoticeOver, nextNoticeAt } from '../notices.ts';
import type { PlacedPart } from '../place.ts';
import type { DecisionTime, World } from '../world.ts';
import type { Clocks } from './clocks.ts';
import type { PersonState } from './person-state.ts';

/** An escalation, and what stands for all that are alike. */
type Noticed = { readonly escalation: Escalation; readonly cause: Cause; readonly parts: readonly PlacedPart[] };

type Owed = {
  readonly userId: number;
  readonly number: ContactNumber;
  readonly level: LevelKey | undefined;
  readonly causeIds: Set<number>;
};

export class NoticeStates {
  readonly #world: World;
  readonly #time: DecisionTime;
  readonly #clocks: Clocks;
  readonly #index: AttemptIndex;
  /** By person and priority. */
  readonly #numbers = new Map<string, readonly ContactNumber[]>();

  constructor(world: World, attempts: readonly Attempt[], time: DecisionTime, clocks: Clocks) {
    this.#world = world;
    this.#time = time;
    this.#clocks = clocks;
    const notices = attempts.filter(({ kind }) => kind === 'notice');
    this.#index = new AttemptIndex(notices, new Map());
  }

  of(escalations: readonly Noticed[]): readonly PersonState[] {
    const owed = new Map<number, Owed>();
    for (const one of escalations)
      for (const { userId, number, level, causeId } of [...this.#ofPeople(one), ...this.#ofTarget(one)]) {
        const known = owed.get(number.id) ?? { userId, number, level, causeIds: new Set<number>() };
        known.causeIds.add(causeId);
        owed.set(number.id, known);
      }
    return [...owed.values()].map((one) => this.#stateOf(one));
  }

  #ofPeople({ parts }: Noticed) {
    return parts.flatMap(({ of: { userId, cause }, level }) =>
      this.#noticeNumbers(userId, cause.priority).map((number) => ({ userId, number, level, causeId: cause.id })),
    );
  }

  /** A follow-up goes to one number. */
  #ofTarget({ escalation: { target }, cause }: Noticed) {
    const owner = target.kind === 'number' ? ownerOfNumber(target.id, this.#world.snapshot) : undefined;
    const number = owner?.numbers.find(({ id }) => id === target.id);
    if (owner === undefined || number === undefined) return [];
    return [{ userId: owner.id, number, level: undefined, causeId: cause.id }];
  }

  #noticeNumbers(userId: number, priority: number): readonly ContactNumber[] {
    const key = `${userId} ${priority}`;
    const { snapshot, policy } = this.#world;
    const known = this.#numbers.get(key) ?? noticeNumbers(userId, { snapshot, policy, priority }, this.#time.civil);
    this.#numbers.set(key, known);
    return known;
  }

  #stateOf({ userId, number, level, causeIds }: Owed): PersonState {
    const sent = this.#index.notices(number.id);
    const own = sent.filter(({ tries }) => tries.some(({ causeId }) => causeIds.has(causeId)));
    const live = own.find(({ end }) => end === undefined);
    const isOver = (causeId: number): boolean =>
      isNoticeOver(
        { userId, number, tries: [{ causeId, escalationId: 0, level: `user ${userId}` }], priority: 0 },
        this.#index,
      );
    const isAllOver = live === undefined && [...causeIds].every(isOver);
    const nextAt = live === undefined && !isAllOver ? nextNoticeAt(number, sent) : undefined;
    const isGathering = nextAt !== undefined && !this.#time.hasPassed(nextAt);
    const isFailed = isAllOver && !own.some(({ end }) => end?.outcome === 'reached');
    return {
      userId,
      level,
      isNotice: true,
      step: isFailed ? 'failed' : isAllOver ? 'notified' : isGathering ? 'gathering' : 'calling',
      reason: { code: isFailed ? 'not-reached' : 'notice' },
      channel: number.channel,
      attemptId: live?.id,
      tries: undefined,
      nextAt: isGathering ? this.#clocks.ofEngine(nextAt) : undefined,
      wasReached: own.some(({ end }) => end?.outcome === 'reached'),
    };
  }
}
