// A call as one reader sees it: in their language, with the names that they may see.

import type { CallTarget } from '../../../domain/calls/call.ts';
import { wordsIn } from '../../../domain/calls/words/catalogue.ts';
import { textFor } from '../../../domain/calls/words/stored-text.ts';
import { groupOf } from '../../../domain/escalation/escalation.ts';
import type { CallState } from '../../../domain/escalation/view/call-states.ts';
import type { PersonState } from '../../../domain/escalation/view/person-state.ts';
import type { PersonStep } from '../../../domain/escalation/view/person-step.ts';
import type { Language } from '../../../domain/language.ts';
import { ownerOfNumber } from '../../../domain/people/call-group.ts';
import { referenceWords } from '../../../domain/people/reference-words.ts';
import { foreignId, type Visibility, visibilityOf } from '../../../domain/people/visibility.ts';
import type { Instant } from '../../../store/store.ts';
import type { CallConfiguration } from '../../configuration/call-configuration.ts';
import { ReasonWording, type WordedReason } from './say-reason.ts';

/** Who reads it. */
export type CallReader = { readonly stationIds: readonly number[]; readonly language: Language };

/** What happens next: the call begins after its delay, or a step of a call that has begun. */
export type NextCallStep = 'start' | NonNullable<CallState['next']>['step'];

export type OpenCallPerson = WordedReason & {
  readonly userId: number;
  readonly name: string;
  readonly groupId: number | undefined;
  readonly isRelief: boolean;
  readonly isNotice: boolean;
  readonly step: PersonStep;
  readonly channel: string | undefined;
  /** The provider that carries the attempt under way. */
  readonly provider: string | undefined;
  /** The try of the present number and how many there are at most; undefined before the first and after the end. */
  readonly attempt: { readonly number: number; readonly of: number } | undefined;
  readonly nextAt: Instant | undefined;
};

export type OpenCallCause = {
  readonly kind: string;
  readonly alarmId: number | undefined;
  readonly priority: number;
  readonly text: string;
  readonly since: Instant;
};

export type OpenCall = WordedReason & {
  readonly id: number;
  readonly target: CallTarget;
  readonly targetName: string;
  readonly phase: CallState['phase'] | 'ended';
  readonly round: number;
  readonly startedAt: Instant;
  readonly next: { readonly step: NextCallStep; readonly at: Instant | undefined } | undefined;
  /** The most urgent ones that the reader sees. */
  readonly causes: readonly OpenCallCause[];
  readonly causeCount: number;
  readonly people: readonly OpenCallPerson[];
};

export type CauseRow = {
  call_id: number;
  kind: string;
  alarm_id: number | null;
  priority: number;
  text: string;
  created_at: Instant;
  total: number;
};

/** By id of an attempt under way: the name of the provider that carries it. */
export type Carriers = ReadonlyMap<number, string>;

export class CallShower {
  readonly visibility: Visibility;
  readonly wording: ReasonWording;
  readonly #language: Language;
  readonly #configuration: CallConfiguration;

  constructor({ stationIds, language }: CallReader, configuration: CallConfiguration, now: Instant) {
    const { snapshot, policy } = configuration;
    this.visibility = visibilityOf({ stationIds }, snapshot);
    const { visibility } = this;
    this.wording = new ReasonWording({ language, timeZone: policy.timeZone, now, snapshot, visibility });
    this.#language = language;
    this.#configuration = configuration;
  }

  state({ phase, round, reason, next, people }: CallState, carriers: Carriers) {
    return {
      phase,
      round,
      next,
      ...this.wording.worded(reason),
      people: people.map((person) => this.person(person, carriers)),
    };
  }

  person(person: PersonState, carriers: Carriers = new Map()): OpenCallPerson {
    const { userId, level, isNotice, step, channel, attemptId, tries, nextAt } = person;
    const isShown = this.visibility.seesPerson(userId);
    const groupId = groupOf(level);
    return {
      userId: isShown ? userId : foreignId,
      name: isShown ? (this.#configuration.snapshot.people.get(userId)?.name ?? '') : this.#words.anotherStation,
      groupId: groupId !== undefined && this.visibility.seesGroup(groupId) ? groupId : undefined,
      isRelief: level?.startsWith('relief') === true,
      isNotice,
      step,
      channel: isShown ? channel : undefined,
      // Providers belong to no station: only callers of the whole installation see them.
      provider: this.visibility.isWhole ? carriers.get(attemptId ?? 0) : undefined,
      attempt: tries,
      nextAt,
      ...this.wording.worded(person.reason),
    };
  }

  causes(causes: readonly Omit<CauseRow, 'call_id'>[]) {
    const { timeZone } = this.#configuration.policy;
    const reader = { words: wordsIn(this.#language), language: this.#language, timeZone };
    const shown: readonly OpenCallCause[] = causes.map(({ kind, alarm_id, priority, text, created_at }) => ({
      kind,
      alarmId: alarm_id ?? undefined,
      priority,
      text: textFor(text, reader),
      since: created_at,
    }));
    return { causes: shown, causeCount: Number(causes[0]?.total ?? 0) };
  }

  /** A number is shown as the person who has it. */
  target(target: CallTarget): Pick<OpenCall, 'target' | 'targetName'> {
    const { snapshot } = this.#configuration;
    const owner = target.kind === 'number' ? (ownerOfNumber(target.id, snapshot)?.id ?? foreignId) : undefined;
    const { kind, id } = owner === undefined ? target : { kind: 'user' as const, id: owner };
    if (kind === 'last-resort') return { target: { kind, id }, targetName: this.#words.lastResort };
    const isShown = kind === 'group' ? this.visibility.seesGroup(id) : this.visibility.seesPerson(id);
    if (!isShown) return { target: { kind, id: foreignId }, targetName: this.#words.anotherStation };
    const named = kind === 'group' ? snapshot.groups.get(id) : snapshot.people.get(id);
    return { target: { kind, id }, targetName: named?.name ?? '' };
  }

  get #words() {
    return referenceWords[this.#language];
  }
}
