// One line of time for an alarm: what will happen above "now", what happened below it. Pure.

import type { AlarmEvent, CallHistory, Explanation, ForecastCall, ForecastStep } from '@tocsin/client';
import type { Names } from '../../../data/names.ts';
import { isSpoken } from '../../../data/spoken.ts';
import type { Words } from '../../../words/words.ts';

export type TimelineIcon =
  | 'call'
  | 'reached'
  | 'unanswered'
  | 'text'
  | 'group'
  | 'round'
  | 'raised'
  | 'acknowledged'
  | 'cleared'
  | 'comment'
  | 'masked'
  | 'other';

export type TimelineLine = {
  readonly key: string;
  readonly at: number;
  readonly icon: TimelineIcon;
  /** Read first. */
  readonly text: string;
  /** Read second: why. */
  readonly why: string;
};

export type Timeline = {
  /** The last step is first: farthest up. */
  readonly ahead: readonly TimelineLine[];
  /** The newest is first. */
  readonly past: readonly TimelineLine[];
};

type Facts = { readonly words: Words; readonly names: Names; readonly groupName: (id: number | undefined) => string };

/** More steps ahead would push "now" off the screen. */
const mostAhead = 5;

/** Without a call under way there is nothing ahead: the steps of the explanation are those of another raise. */
export function timelineOf(
  explanation: Explanation | undefined,
  isCalled: boolean,
  events: readonly AlarmEvent[],
  now: number,
  facts: Facts,
): Timeline {
  const calls = isCalled ? (explanation?.calls ?? []) : [];
  const ahead = calls
    .flatMap((call) => call.steps.filter(isShownAhead).map((step) => ({ step, call })))
    .filter(({ step }) => Date.parse(step.time) > now)
    .toSorted((one, other) => Date.parse(one.step.time) - Date.parse(other.step.time))
    .slice(0, mostAhead)
    .map(({ step, call }, index) => aheadLine(step, call, index, facts));
  const attempts = (explanation?.made ?? []).flatMap((attempt) => attemptLines(attempt, facts));
  const happened = events.flatMap((event, index) => eventLine(event, index, facts));
  return { ahead: ahead.reverse(), past: [...attempts, ...happened].toSorted((a, b) => b.at - a.at) };
}

/** The first level of a round begins with it. */
function isShownAhead({ what, time }: ForecastStep, index: number, steps: readonly ForecastStep[]): boolean {
  if (what === 'level') return !(steps[index - 1]?.what === 'round' && steps[index - 1]?.time === time);
  return what === 'attempt' || what === 'round' || what === 'nobody';
}

/** Who of the called groups is not called and why, each once: "Chidi: not on duty". */
export function notCalledOf({ calls }: Pick<Explanation, 'calls'>, names: Names): readonly string[] {
  const lines = calls.flatMap(({ notCalled }) =>
    notCalled.map(({ userId, reason }) => `${names.byId(userId)}: ${reason}`),
  );
  return [...new Set(lines)];
}

function aheadLine(step: ForecastStep, call: ForecastCall, index: number, facts: Facts): TimelineLine {
  const { words, names, groupName } = facts;
  const { what, time, userId, channel, callGroupId, reason, reasonCode } = step;
  const line = { key: `ahead-${index}`, at: Date.parse(time), why: reason };
  if (what === 'attempt') {
    const icon = isSpoken(channel) ? 'call' : 'text';
    return {
      ...line,
      icon,
      text: words.timeline.attemptAhead(names.byId(userId), words.timeline.channel(channel ?? '')),
    };
  }
  if (what === 'nobody') return { ...line, icon: 'group', text: words.timeline.nobody };
  if (what === 'level') return { ...line, icon: 'group', text: words.timeline.groupAhead(groupName(callGroupId)) };
  const isAgain = reasonCode === 'new-round' || reasonCode === 'more-urgent';
  if (isAgain) return { ...line, icon: 'round', text: words.timeline.roundAhead };
  return { ...line, icon: 'group', text: words.timeline.calls(targetName(call, facts)) };
}

/** The group or person that is called, or the last resort. */
function targetName(
  { callGroupId, userId }: { readonly callGroupId?: number | undefined; readonly userId?: number | undefined },
  { names, groupName }: Facts,
): string {
  return userId === undefined ? groupName(callGroupId) : names.byId(userId);
}

function attemptLines(attempt: CallHistory, { words, names }: Facts): readonly TimelineLine[] {
  const { id, userId, channel, startTime, endTime, outcome, reason, detail, attempt: number } = attempt;
  const name = names.byId(userId);
  const way = words.timeline.channel(channel);
  const began: TimelineLine = {
    key: `attempt-${id}`,
    at: Date.parse(startTime),
    icon: isSpoken(channel) ? 'call' : 'text',
    text: number === 0 ? words.timeline.notTried(name) : words.timeline.attempt(name, way, isSpoken(channel)),
    why: number === 0 ? detail : (reason ?? ''),
  };
  if (endTime === undefined || number === 0) return [began];
  const icon = outcome === 'answered' ? 'reached' : isSpoken(channel) ? 'unanswered' : 'text';
  return [
    {
      key: `end-${id}`,
      at: Date.parse(endTime),
      icon,
      text: words.timeline.outcome(name, outcome ?? '', way, isSpoken(channel)),
      why: detail,
    },
    ...(isSpoken(channel) ? [began] : []),
  ];
}

const icons: Readonly<Record<string, TimelineIcon>> = {
  raised: 'raised',
  acknowledged: 'acknowledged',
  'returned to normal': 'cleared',
  returned: 'cleared',
  reset: 'cleared',
  commented: 'comment',
  masked: 'masked',
  unmasked: 'masked',
};

function eventLine(event: AlarmEvent, index: number, facts: Facts): readonly TimelineLine[] {
  const { words, names } = facts;
  const { time, event: kind, actor, data } = event;
  const line = { key: `event-${index}`, at: Date.parse(time) };
  if (kind.startsWith('call.'))
    return callLine(kind, data as CallEventData, facts).map((said) => ({ ...line, ...said }));
  const { comment = '' } = data as { readonly comment?: string };
  const text = words.timeline.event(kind);
  const by = actor === 'system' ? '' : words.timeline.by(names.byName(actor));
  const said = comment === '' ? '' : `: ${comment}`;
  return [{ ...line, icon: icons[kind] ?? 'other', text: `${text}${said}`, why: by }];
}

type CallEventData = {
  readonly target?: { readonly kind: string; readonly id: number };
  readonly groupId?: number;
  readonly round?: number;
  readonly reason?: string;
  readonly reasonCode?: string;
};

/** Levels that are called because those before did not take it; the first one begins with its round. */
const wayUp: ReadonlySet<string> = new Set(['nobody-took-it', 'not-taken-in-time', 'escalated']);

/** A step of a call; attempts come from the call history, with their outcomes. */
function callLine(
  kind: string,
  data: CallEventData,
  facts: Facts,
): readonly Pick<TimelineLine, 'icon' | 'text' | 'why'>[] {
  const { timeline } = facts.words;
  const { target, groupId, round = 1, reason: why = '', reasonCode = '' } = data;
  const targetId = target?.kind === 'user' ? { userId: target.id } : { callGroupId: target?.id };
  switch (kind) {
    // Of earlier versions.
    case 'call.begun':
      return [{ icon: 'group', text: timeline.calls(targetName(targetId, facts)), why }];
    case 'call.round':
      if (reasonCode === '' || round > 1) return [{ icon: 'round', text: timeline.round, why }];
      return [{ icon: 'group', text: timeline.calls(targetName(targetId, facts)), why }];
    case 'call.level':
      if (!wayUp.has(reasonCode)) return [];
      return [{ icon: 'group', text: timeline.relief(facts.groupName(groupId)), why }];
    case 'call.waiting':
      return [{ icon: 'group', text: timeline.nobody, why }];
    case 'call.exhausted':
      return [{ icon: 'group', text: timeline.exhausted, why }];
    case 'call.done':
      return [{ icon: 'group', text: timeline.ended, why }];
    default:
      return [];
  }
}
