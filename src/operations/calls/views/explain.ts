// Explains who is called for an alarm and why, at any time, by a forecast of the calling engine.

import { type Caller, seesStation } from '../../../domain/access/access.ts';
import {
  oncePerTarget,
  type Problem,
  problemOf,
  type Targets,
  targetsNamed,
  type WantedCall,
  wantedCalls,
} from '../../../domain/alarms/actions.ts';
import type { AlarmAction } from '../../../domain/alarms/definition.ts';
import { inertIn } from '../../../domain/alarms/inert-words.ts';
import { scenarioActions } from '../../../domain/alarms/scenario-actions.ts';
import { raisedIfHeld } from '../../../domain/alarms/transition.ts';
import { markForeign } from '../../../domain/alarms/visible-targets.ts';
import type { CallHistory } from '../../../domain/calls/call-history.ts';
import { type NotCalled, reasonsNotCalled } from '../../../domain/calls/not-called.ts';
import { groupOf } from '../../../domain/escalation/escalation.ts';
import { type ForecastStep, forecast } from '../../../domain/escalation/forecast.ts';
import type { Reason } from '../../../domain/escalation/reason.ts';
import { reasonOnClock } from '../../../domain/escalation/view/clocks.ts';
import type { Language } from '../../../domain/language.ts';
import type { NotCalledReason } from '../../../domain/on-call/duty-reason.ts';
import { dutyIn, type Worded } from '../../../domain/on-call/words/worded-duty.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { type ReferenceWords, referenceWords } from '../../../domain/people/reference-words.ts';
import { foreignId, type Visibility, visibilityOf, withoutForeignReasons } from '../../../domain/people/visibility.ts';
import { permittedList } from '../../../domain/script.ts';
import type { Instant, Query, ReadTx } from '../../../store/store.ts';
import { existingTargets } from '../../alarms/action-targets.ts';
import { findAlarmRecords } from '../../alarms/queries.ts';
import { type CallConfiguration, readCallConfiguration } from '../../configuration/call-configuration.ts';
import { findEntry } from '../../plant/queries.ts';
import { type ExplainedCall, type ExplainInput, fromNothing, fromStateOfNow, lastResort } from './explain-input.ts';
import { attemptsFor } from './list-attempts.ts';
import { ReasonWording, type WordedReason } from './say-reason.ts';

/** An existing alarm, or a draft of one. */
export type Explained =
  | { readonly kind: 'alarm'; readonly id: number }
  | {
      readonly kind: 'draft';
      readonly stationId: number;
      readonly tagGroupId: number | undefined;
      readonly priority: number;
      /** In seconds. */
      readonly alarmDelay: number;
      readonly actions: readonly AlarmAction[];
    };

/** A limit that ended the forecast early, and the instant up to which it is complete. */
type Stop = { readonly at: Instant; readonly limit: 'steps' | 'people' | 'time' };

type ShownStep = WordedReason & {
  readonly at: Instant;
  readonly what: ForecastStep['what'];
  readonly userId: number | undefined;
  readonly groupId: number | undefined;
  readonly channel: string | undefined;
  readonly address: string | undefined;
};

type ShownCall = WantedCall & {
  readonly targetName: string;
  /** When the call would begin. */
  readonly at: Instant;
  readonly steps: readonly ShownStep[];
  /** Whether calling would continue beyond the steps shown, which a limit ended. */
  readonly isCut: boolean;
  /** The people within reach of the target who are not called, and why. */
  readonly notCalled: readonly { readonly userId: number; readonly reason: Worded<NotCalledReason> }[];
};

type Inert = { readonly action: AlarmAction; readonly reason: string; readonly code: Problem['cause'] };

export type Explanation = {
  readonly calls: readonly ShownCall[];
  readonly stopped: Stop | undefined;
  /** The actions without effect, and why. */
  readonly inert: readonly Inert[];
  readonly names: Readonly<Record<number, string>>;
  readonly masked: boolean;
  /** The attempts made for the alarm so far, oldest first; empty for a draft. */
  readonly made: readonly CallHistory[];
};

const mostMade = 200;

/** A week of rounds of one person has about 7,000 steps; an answer of this size has about two megabytes. */
const mostSteps = 10_000;
const mostPeople = 5_000;
const mostComputingMs = 2_000;

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

type Question = {
  readonly caller: Caller;
  readonly what: Explained;
  readonly at: Instant;
  /** Whether the forecast begins from the state of calling now; otherwise nothing is under way at that time. */
  readonly isNow: boolean;
  readonly until: Instant;
  readonly language: Language;
};

export const explainCalls: Query<Question, Explanation | undefined> = {
  name: 'explain-calls',
  isComputation: true,
  async run(tx, { caller, what, at, isNow, until, language }) {
    const loaded = await readCallConfiguration(tx);
    const visibility = visibilityOf(caller, loaded.snapshot);
    const configuration = { ...loaded, snapshot: withoutForeignReasons(loaded.snapshot, visibility) };
    const subject = await subjectOf(tx, what, caller, configuration.snapshot);
    if (subject === undefined || !seesStation(caller, subject.stationId)) return undefined;
    const actions = [...subject.actions, ...scenarioActions(subject, 'alarm', configuration.scenarios)];
    const named = await existingTargets(tx, targetsNamed([], actions));
    const targets = { ...named, scripts: configuration.scripts };
    const alarm = {
      ...subject,
      wanted: oncePerTarget(wantedCalls(actions, targets, 'alarm')),
      raisedAt: raisedIfHeld(isNow ? subject : { ...subject, pendingSince: undefined }, at),
    };
    const input = isNow ? await fromStateOfNow(tx, at, alarm) : fromNothing(at, alarm, configuration);
    const { calls, stopped } = new Forecasted(input, until, { configuration, visibility, language, at }).shown();
    return {
      calls,
      stopped,
      inert: inertActions(actions, targets, language),
      names: namesIn(calls, configuration.snapshot, referenceWords[language]),
      masked: subject.isMasked,
      made: what.kind === 'alarm' ? await attemptsFor(tx, what.id, { caller, language, now: at }, mostMade) : [],
    };
  },
};

function inertActions(actions: readonly AlarmAction[], targets: Targets, language: Language): readonly Inert[] {
  return actions.flatMap((action) => {
    const problem = problemOf(action, targets);
    return problem === undefined ? [] : [{ action, reason: inertIn(language, action, problem), code: problem.cause }];
  });
}

/** By id of each person in the explanation: the name. */
function namesIn(calls: readonly ShownCall[], { people }: PeopleSnapshot, words: ReferenceWords) {
  const ids = calls.flatMap(({ steps, notCalled }) => [
    ...steps.flatMap(({ userId }) => userId ?? []),
    ...notCalled.map(({ userId }) => userId),
  ]);
  const nameOf = (id: number): string => (id === foreignId ? words.anotherStation : (people.get(id)?.name ?? ''));
  return Object.fromEntries([...new Set(ids)].map((id) => [id, nameOf(id)]));
}

type Reading = {
  readonly configuration: CallConfiguration;
  readonly visibility: Visibility;
  readonly language: Language;
  readonly at: Instant;
};

/** A forecast as its reader sees it, by call. */
class Forecasted {
  readonly #input: ExplainInput;
  readonly #until: Instant;
  readonly #reading: Reading;
  readonly #wording: ReasonWording;

  constructor(input: ExplainInput, until: Instant, reading: Reading) {
    this.#input = input;
    this.#until = until;
    this.#reading = reading;
    const { configuration, visibility, language, at } = reading;
    const { snapshot, policy } = configuration;
    this.#wording = new ReasonWording({ language, timeZone: policy.timeZone, now: at, snapshot, visibility });
  }

  shown(): { readonly calls: readonly ShownCall[]; readonly stopped: Stop | undefined } {
    const { steps, stopped } = this.#run();
    const byCall = this.#byCall(steps);
    let peopleLeft = mostPeople;
    const calls = byCall.map(({ call, own }) => {
      const notCalled = peopleLeft <= 0 ? [] : this.#notCalled(call, own);
      peopleLeft -= notCalled.length;
      return this.#shownCall(call, own, notCalled, stopped !== undefined);
    });
    return { calls, stopped: stopped ?? (peopleLeft <= 0 ? { at: this.#until, limit: 'people' } : undefined) };
  }

  #run(): { readonly steps: readonly ForecastStep[]; readonly stopped: Stop | undefined } {
    const { world, causes, stored, causeIds, from, civilOffset, toEngine, toClock } = this.#input;
    // Counts the processor time of this thread, so that a busy machine does not shorten the answer.
    const end = processorMs() + mostComputingMs;
    const limits = { causeIds, steps: mostSteps, isTimeUp: () => processorMs() > end };
    const span = { from, until: toEngine(this.#until), civilOffset };
    const { steps, stoppedAt } = forecast(world, causes, stored, span, limits);
    if (stoppedAt === undefined) return { steps, stopped: undefined };
    return { steps, stopped: { at: toClock(stoppedAt), limit: steps.length >= mostSteps ? 'steps' : 'time' } };
  }

  /** Each step with the first of the alarm's calls that it belongs to; the last resort may be called only later. */
  #byCall(steps: readonly ForecastStep[]) {
    const { calls, causeIds, toClock } = this.#input;
    const own = new Map(calls.map((call) => [call.escalationId, [] as ForecastStep[]]));
    const later = new Map<number, ForecastStep[]>();
    for (const step of steps) {
      const about = step.what === 'attempt' ? step.attempt.tries : [step];
      const ids = about.flatMap(({ causeId, escalationId }) => (causeIds.has(causeId) ? [escalationId] : []));
      const known = ids.find((id) => own.has(id));
      const [first = 0] = ids;
      if (known !== undefined) own.get(known)?.push(step);
      else later.set(first, [...(later.get(first) ?? []), step]);
    }
    return [
      ...calls.map((call) => ({ call, own: own.get(call.escalationId) ?? [] })),
      ...[...later].map(([escalationId, ofCall]) => ({
        call: {
          wanted: { target: lastResort, delayMs: 0 },
          beginsAt: toClock(ofCall[0]?.at ?? 0),
          escalationId,
        },
        own: ofCall,
      })),
    ];
  }

  #notCalled({ wanted: { target }, beginsAt }: ExplainedCall, own: readonly ForecastStep[]): readonly NotCalled[] {
    const called = new Set(own.flatMap((step) => (step.what === 'attempt' ? [step.attempt.userId] : [])));
    const { causes, causeIds, world, toClock } = this.#input;
    const locked = [...world.locks].filter(([, until]) => toClock(until) > beginsAt).map(([id]) => id);
    const context = {
      ...this.#reading.configuration,
      priority: causes.find(({ id }) => causeIds.has(id))?.priority,
      lockedNumbers: new Set(locked),
    };
    return reasonsNotCalled(target, context, beginsAt).filter(({ userId }) => !called.has(userId));
  }

  #shownCall(
    { wanted, beginsAt }: ExplainedCall,
    own: readonly ForecastStep[],
    notCalled: readonly NotCalled[],
    isStopped: boolean,
  ): ShownCall {
    const { configuration, visibility, language } = this.#reading;
    const { snapshot } = configuration;
    const say = dutyIn(language, snapshot, visibility);
    return {
      ...shownTarget(wanted, snapshot, visibility, referenceWords[language]),
      at: beginsAt,
      steps: own.map((step) => this.#shownStep(step)),
      isCut: isStopped && own.at(-1)?.what !== 'done',
      notCalled: notCalled.map(({ userId, reason }) => ({
        userId: visibility.seesPerson(userId) ? userId : foreignId,
        reason: say(reason),
      })),
    };
  }

  #onClock(reason: Reason): Reason {
    const { civilOffset, toClock } = this.#input;
    return reasonOnClock(reason, { ofEngine: toClock, ofCivil: (at) => toClock(at - civilOffset) });
  }

  /** Without the ids and addresses of other stations. */
  #shownStep(step: ForecastStep): ShownStep {
    const { visibility } = this.#reading;
    const attempt = step.what === 'attempt' ? step.attempt : undefined;
    const userId = step.what === 'held' ? step.userId : attempt?.userId;
    const ownTry = attempt?.tries.find(({ causeId }) => this.#input.causeIds.has(causeId));
    const groupId = groupOf(step.what === 'level' || step.what === 'held' ? step.level : ownTry?.level);
    const isPersonSeen = userId === undefined || visibility.seesPerson(userId);
    const isGroupSeen = groupId === undefined || visibility.seesGroup(groupId);
    const reason = step.what === 'attempt' ? step.attempt.reason : step.reason;
    return {
      at: this.#input.toClock(step.at),
      what: step.what,
      userId: isPersonSeen ? userId : foreignId,
      groupId: isGroupSeen ? groupId : foreignId,
      channel: attempt?.channel,
      address: isPersonSeen ? attempt?.address : undefined,
      ...this.#wording.worded(this.#onClock(reason ?? { code: 'raised' })),
    };
  }
}

async function subjectOf(tx: ReadTx, what: Explained, caller: Caller, snapshot: PeopleSnapshot) {
  if (what.kind === 'draft') {
    const permitted = permittedList(what.actions, caller.mayRunCommands === true, []);
    const tagGroup =
      what.tagGroupId === undefined ? undefined : await findEntry(tx, 'tagGroup', what.tagGroupId, caller);
    return {
      ...what,
      tagGroupId: tagGroup?.id,
      actions: markForeign(permitted, caller.stationIds, snapshot),
      id: 0,
      isMasked: false,
      rules: { alarmDelay: what.alarmDelay },
      pendingSince: undefined,
    };
  }
  const [alarm] = await findAlarmRecords(tx, [what.id]);
  if (alarm === undefined) return undefined;
  const { id, stationId, tagGroupId, priority, definition, life } = alarm;
  const { rules, pendingSince, mask } = life;
  const { actions } = definition.alarm;
  return { id, stationId, tagGroupId, priority, actions, isMasked: mask !== undefined, rules, pendingSince };
}

/** Returns the call with the name of its target, or without its id if the caller does not see the target. */
function shownTarget(
  call: WantedCall,
  { groups, people }: PeopleSnapshot,
  visibility: Visibility,
  { lastResort, anotherStation }: ReferenceWords,
) {
  const { kind, id } = call.target;
  if (kind === 'last-resort') return { ...call, targetName: lastResort };
  const isSeen = kind === 'group' ? visibility.seesGroup(id) : visibility.seesPerson(id);
  if (!isSeen) return { ...call, target: { kind, id: foreignId }, targetName: anotherStation };
  return { ...call, targetName: (kind === 'group' ? groups.get(id)?.name : people.get(id)?.name) ?? '' };
}
