// Explains who is called for an alarm and why, at any time, by a forecast of the escalation engine.

import { type Caller, seesStation } from '../../../domain/access/access.ts';
import {
  oncePerTarget,
  problemOf,
  targetsNamed,
  type WantedCall,
  wantedCalls,
} from '../../../domain/alarms/actions.ts';
import type { AlarmAction } from '../../../domain/alarms/definition.ts';
import { scenarioActions } from '../../../domain/alarms/scenario-actions.ts';
import { raisedIfHeld } from '../../../domain/alarms/transition.ts';
import { markForeign } from '../../../domain/alarms/visible-targets.ts';
import { type CallTarget, targetName } from '../../../domain/calls/call.ts';
import type { CallHistory } from '../../../domain/calls/call-history.ts';
import { alarmCauses, type OpenCauses } from '../../../domain/calls/decision-context.ts';
import {
  type Forecast,
  type ForecastLimits,
  type ForecastRequest,
  type ForecastState,
  type ForecastStop,
  forecastCalls,
  unknownState,
} from '../../../domain/calls/forecast.ts';
import type { Language } from '../../../domain/language.ts';
import type { NotCalledReason } from '../../../domain/on-call/duty-reason.ts';
import { dutyIn, type SayDuty, type Worded } from '../../../domain/on-call/words/worded-duty.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { type ReferenceWords, referenceWords } from '../../../domain/people/reference-words.ts';
import { withNames } from '../../../domain/people/references.ts';
import { foreignId, type Visibility, visibilityOf, withoutForeignReasons } from '../../../domain/people/visibility.ts';
import { permittedList } from '../../../domain/script.ts';
import type { Instant, Query, ReadTx } from '../../../store/store.ts';
import { existingTargets } from '../../alarms/action-targets.ts';
import { findAlarmRecords } from '../../alarms/queries.ts';
import { type CallConfiguration, readCallConfiguration } from '../../configuration/call-configuration.ts';
import { findEntry } from '../../plant/queries.ts';
import { selectOpenCausesOf } from '../queries.ts';
import { attemptsFor } from './list-attempts.ts';
import { readStateOfNow } from './state-of-now.ts';

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

type WordedForecast = Omit<Forecast, 'notCalled'> & {
  readonly notCalled: readonly { readonly userId: number; readonly reason: Worded<NotCalledReason> }[];
};

export type Explanation = {
  readonly calls: readonly (WantedCall & {
    readonly targetName: string;
    /** When the call would begin. */
    readonly at: Instant;
    readonly forecast: WordedForecast;
  })[];
  /** The limit that ended the forecast early; undefined if it is complete. */
  readonly stopped: ForecastStop | undefined;
  /** The actions without effect, and why. */
  readonly inert: readonly { readonly action: AlarmAction; readonly reason: string }[];
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

/** Counts the processor time of this thread, so that a busy machine does not shorten the answer. */
function newLimits(): ForecastLimits {
  const end = processorMs() + mostComputingMs;
  return { steps: mostSteps, people: mostPeople, isTimeUp: () => processorMs() > end };
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

type ExplainInput = {
  readonly caller: Caller;
  readonly what: Explained;
  readonly at: Instant;
  /** Whether the forecast begins from the state of calling now; otherwise nothing is under way at that time. */
  readonly isNow: boolean;
  readonly until: Instant;
  readonly language: Language;
};

export const explainCalls: Query<ExplainInput, Explanation | undefined> = {
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
    const wanted = oncePerTarget(wantedCalls(actions, targets, 'alarm'));
    const causes = alarmCauses(subject.priority, configuration.policy);
    const raisedAt = raisedIfHeld(isNow ? subject : { ...subject, pendingSince: undefined }, at);
    const { requests, state } = isNow
      ? await fromStateOfNow(tx, at, wanted, { alarmId: subject.id, causes, raisedAt }, configuration)
      : fromNothing(at, wanted, { causes, raisedAt });
    const { forecasts, stopped } = forecastCalls(requests, until, state, configuration, newLimits());
    const words = referenceWords[language];
    const say = dutyIn(language, configuration.snapshot, visibility);
    const calls = forecasts.map((forecast, index) => {
      const call = wanted[index] as (typeof wanted)[number];
      const from = requests[index]?.joins[0] ?? at;
      const shown = shownForecast(forecast, configuration.snapshot, visibility, say);
      return { ...shownTarget(call, configuration.snapshot, visibility, words), at: from, forecast: shown };
    });
    const people = calls.flatMap(({ forecast }) => [
      ...forecast.steps.flatMap(({ userId }) => userId ?? []),
      ...forecast.notCalled.map(({ userId }) => userId),
    ]);
    const nameOf = (id: number): string =>
      id === foreignId ? words.anotherStation : (configuration.snapshot.people.get(id)?.name ?? '');
    return {
      calls,
      stopped,
      inert: actions.flatMap((action) => {
        const problem = problemOf(action, targets);
        return problem === undefined ? [] : [{ action, reason: problem.sentence }];
      }),
      names: Object.fromEntries([...new Set(people)].map((id) => [id, nameOf(id)])),
      masked: subject.isMasked,
      made: what.kind === 'alarm' ? await attemptsFor(tx, what.id, caller, mostMade) : [],
    };
  },
};

type Forecasted = { readonly requests: readonly ForecastRequest[]; readonly state: ForecastState };

/** The id of an alarm that does not exist yet. */
const draftId = 0;

/** `raisedAt`: when the alarm is raised, if it is not yet. */
type ExplainedAlarm = { readonly alarmId: number; readonly causes: OpenCauses; readonly raisedAt: Instant };

function fromNothing(
  at: Instant,
  wanted: readonly WantedCall[],
  { causes, raisedAt }: Omit<ExplainedAlarm, 'alarmId'>,
): Forecasted {
  const requests = wanted.map(({ target, delayMs }) => ({
    target,
    joins: [raisedAt + delayMs],
    causes,
    alarmIds: [draftId],
  }));
  return { requests, state: unknownState(at) };
}

/** An alarm that calls somebody goes on as it is; any other joins, as if raised now, the calls that are under way. */
async function fromStateOfNow(
  tx: ReadTx,
  now: Instant,
  wanted: readonly WantedCall[],
  { alarmId, causes, raisedAt }: ExplainedAlarm,
  configuration: CallConfiguration,
): Promise<Forecasted> {
  const targets = wanted.map(({ target }) => target);
  const { state, open, pending } = await readStateOfNow(tx, now, targets, configuration);
  const own = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify([alarmId]) });
  const requests = wanted.map(({ target, delayMs }) => {
    const call = open.get(targetName(target));
    const cause = own.find(({ list, ...row }) => list === 'alarm' && targetName(targetIn(row)) === targetName(target));
    const alarmIds = [...(call?.request.alarmIds ?? []), alarmId];
    const joined = {
      target,
      causes: together(call?.request.causes, causes),
      alarmIds,
      underWay: call?.request.underWay,
    };
    if (cause === undefined && own.length > 0) return { target, causes, alarmIds, joins: [] };
    const joins = (pending.get(targetName(target)) ?? []).map(({ due_at }) => Math.max(now, due_at));
    return { ...joined, joins: cause === undefined ? [...joins, raisedAt + delayMs] : joins };
  });
  const names = new Set(targets.map(targetName));
  const others = [...open]
    .filter(([name]) => !names.has(name))
    .map(([name, { request }]) => ({ ...request, joins: (pending.get(name) ?? []).map(({ due_at }) => due_at) }));
  return { requests, state: { ...state, others } };
}

function targetIn({ target_kind, target_id }: { readonly target_kind: string; readonly target_id: number }) {
  return { kind: target_kind as CallTarget['kind'], id: target_id };
}

function together(one: OpenCauses | undefined, other: OpenCauses): OpenCauses {
  if (one === undefined) return other;
  return {
    areAny: true,
    isAsking: one.isAsking || other.isAsking,
    mostUrgent: Math.min(one.mostUrgent, other.mostUrgent),
    isUntilAcknowledged: one.isUntilAcknowledged || other.isUntilAcknowledged,
  };
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

/** Returns the forecast with names in its sentences, and without the ids and addresses of other stations. */
function shownForecast(
  forecast: Forecast,
  snapshot: PeopleSnapshot,
  visibility: Visibility,
  say: SayDuty,
): WordedForecast {
  const show = (sentence: string): string => withNames(sentence, snapshot, visibility);
  const steps = forecast.steps.map((step) => {
    const isPersonSeen = step.userId === undefined || visibility.seesPerson(step.userId);
    const isGroupSeen = step.groupId === undefined || visibility.seesGroup(step.groupId);
    return {
      ...step,
      ...(isPersonSeen ? {} : { userId: foreignId, address: undefined }),
      ...(isGroupSeen ? {} : { groupId: foreignId }),
      reason: show(step.reason),
    };
  });
  const notCalled = forecast.notCalled.map(({ userId, reason }) => ({
    userId: visibility.seesPerson(userId) ? userId : foreignId,
    reason: say(reason),
  }));
  return { ...forecast, steps, notCalled };
}
