// Explains who is called for an alarm and why, at any time, by a forecast of the escalation engine.

import { type Caller, seesStation } from '../../../domain/access/access.ts';
import { problemOf, targetsNamed, type WantedCall, wantedCalls } from '../../../domain/alarms/actions.ts';
import type { AlarmAction } from '../../../domain/alarms/definition.ts';
import { scenarioActions } from '../../../domain/alarms/scenario-actions.ts';
import { markForeign } from '../../../domain/alarms/visible-targets.ts';
import type { CallHistory } from '../../../domain/calls/call-history.ts';
import { alarmCauses } from '../../../domain/calls/decision-context.ts';
import {
  type Forecast,
  type ForecastLimits,
  type ForecastStop,
  forecastCalls,
} from '../../../domain/calls/forecast.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { withNames } from '../../../domain/people/references.ts';
import {
  foreignId,
  foreignName,
  type Visibility,
  visibilityOf,
  withoutForeignReasons,
} from '../../../domain/people/visibility.ts';
import { permittedList } from '../../../domain/script.ts';
import type { Instant, Query, ReadTx } from '../../../store/store.ts';
import { existingTargets } from '../../alarms/action-targets.ts';
import { findAlarmRecords } from '../../alarms/queries.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { findEntry } from '../../plant/queries.ts';
import { attemptsFor } from './list-attempts.ts';

/** An existing alarm, or a draft of one. */
export type Explained =
  | { readonly kind: 'alarm'; readonly id: number }
  | {
      readonly kind: 'draft';
      readonly stationId: number;
      readonly tagGroupId: number | undefined;
      readonly priority: number;
      readonly actions: readonly AlarmAction[];
    };

export type Explanation = {
  readonly calls: readonly (WantedCall & {
    readonly targetName: string;
    /** When the call would begin. */
    readonly at: Instant;
    readonly forecast: Forecast;
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
  readonly until: Instant;
};

export const explainCalls: Query<ExplainInput, Explanation | undefined> = {
  name: 'explain-calls',
  isComputation: true,
  async run(tx, { caller, what, at, until }) {
    const loaded = await readCallConfiguration(tx);
    const visibility = visibilityOf(caller, loaded.snapshot);
    const configuration = { ...loaded, snapshot: withoutForeignReasons(loaded.snapshot, visibility) };
    const subject = await subjectOf(tx, what, caller, configuration.snapshot);
    if (subject === undefined || !seesStation(caller, subject.stationId)) return undefined;
    const actions = [...subject.actions, ...scenarioActions(subject, 'alarm', configuration.scenarios)];
    const named = await existingTargets(tx, targetsNamed([], actions));
    const targets = { ...named, scripts: configuration.scripts };
    const wanted = wantedCalls(actions, targets, 'alarm').map((call) => ({ ...call, from: at + call.delayMs }));
    const scope = { causes: alarmCauses(subject.priority, configuration.policy), until };
    const { forecasts, stopped } = forecastCalls(wanted, scope, configuration, newLimits());
    const calls = forecasts.map((forecast, index) => {
      const { from, ...call } = wanted[index] as (typeof wanted)[number];
      const shown = shownForecast(forecast, configuration.snapshot, visibility);
      return { ...shownTarget(call, configuration.snapshot, visibility), at: from, forecast: shown };
    });
    const people = calls.flatMap(({ forecast }) => [
      ...forecast.steps.flatMap(({ userId }) => userId ?? []),
      ...forecast.notCalled.map(({ userId }) => userId),
    ]);
    const nameOf = (id: number): string =>
      id === foreignId ? foreignName : (configuration.snapshot.people.get(id)?.name ?? '');
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
    };
  }
  const [alarm] = await findAlarmRecords(tx, [what.id]);
  if (alarm === undefined) return undefined;
  const { id, stationId, tagGroupId, priority, definition, life } = alarm;
  return { id, stationId, tagGroupId, priority, actions: definition.alarm.actions, isMasked: life.mask !== undefined };
}

/** Returns the call with the name of its target, or without its id if the caller does not see the target. */
function shownTarget(call: WantedCall, { groups, people }: PeopleSnapshot, visibility: Visibility) {
  const { kind, id } = call.target;
  if (kind === 'last-resort') return { ...call, targetName: 'last resort' };
  const isSeen = kind === 'group' ? visibility.seesGroup(id) : visibility.seesPerson(id);
  if (!isSeen) return { ...call, target: { kind, id: foreignId }, targetName: foreignName };
  return { ...call, targetName: (kind === 'group' ? groups.get(id)?.name : people.get(id)?.name) ?? '' };
}

/** Returns the forecast with names in its sentences, and without the ids and addresses of other stations. */
function shownForecast(forecast: Forecast, snapshot: PeopleSnapshot, visibility: Visibility): Forecast {
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
    reason: show(reason),
  }));
  return { ...forecast, steps, notCalled };
}
