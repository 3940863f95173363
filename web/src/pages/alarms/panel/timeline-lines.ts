// One line of time for an alarm: what will happen above "now", what happened below it. Pure.

import type { AlarmEvent, CallHistory, Explanation, ForecastStep } from '@tocsin/client';
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
  const steps = isCalled ? (explanation?.calls ?? []).flatMap(({ steps: of }) => of) : [];
  const ahead = steps
    .filter(({ time, what }) => Date.parse(time) > now && what !== 'failed' && what !== 'exhausted')
    .slice(0, mostAhead)
    .map((step, index) => aheadLine(step, index, facts));
  const attempts = (explanation?.made ?? []).flatMap((attempt) => attemptLines(attempt, facts));
  const happened = events.flatMap((event, index) => eventLine(event, index, facts));
  return { ahead: ahead.reverse(), past: [...attempts, ...happened].toSorted((a, b) => b.at - a.at) };
}

/** Who of the called groups is not called and why, each once: "Chidi: not on duty". */
export function notCalledOf({ calls }: Pick<Explanation, 'calls'>, names: Names): readonly string[] {
  const lines = calls.flatMap(({ notCalled }) =>
    notCalled.map(({ userId, reason }) => `${names.byId(userId)}: ${reason}`),
  );
  return [...new Set(lines)];
}

function aheadLine(step: ForecastStep, index: number, { words, names, groupName }: Facts): TimelineLine {
  const { what, time, userId, channel, callGroupId, reason } = step;
  const line = { key: `ahead-${index}`, at: Date.parse(time), why: reason };
  if (what === 'attempt') {
    const icon = isSpoken(channel) ? 'call' : 'text';
    return {
      ...line,
      icon,
      text: words.timeline.attemptAhead(names.byId(userId), words.timeline.channel(channel ?? '')),
    };
  }
  if (what === 'round') return { ...line, icon: 'round', text: words.timeline.roundAhead };
  return { ...line, icon: 'group', text: words.timeline.groupAhead(groupName(callGroupId)) };
}

function attemptLines(attempt: CallHistory, { words, names }: Facts): readonly TimelineLine[] {
  const { id, userId, channel, startTime, endTime, outcome, detail, attempt: number } = attempt;
  const name = names.byId(userId);
  const way = words.timeline.channel(channel);
  const began: TimelineLine = {
    key: `attempt-${id}`,
    at: Date.parse(startTime),
    icon: isSpoken(channel) ? 'call' : 'text',
    text: number === 0 ? words.timeline.notTried(name) : words.timeline.attempt(name, way, isSpoken(channel)),
    why: number === 0 ? detail : '',
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
  'call.begun': 'group',
  'call.round': 'round',
};

function eventLine(event: AlarmEvent, index: number, facts: Facts): readonly TimelineLine[] {
  const { words, names, groupName } = facts;
  const { time, event: kind, actor, data } = event;
  // Attempts come from the call history, with their outcomes.
  if (kind.startsWith('call.') && kind !== 'call.begun' && kind !== 'call.round') return [];
  const values = data as {
    readonly target?: { readonly kind: string; readonly id: number };
    readonly reason?: string;
    readonly comment?: string;
  };
  const line = { key: `event-${index}`, at: Date.parse(time), icon: icons[kind] ?? 'other' };
  if (kind === 'call.begun')
    return [{ ...line, text: words.timeline.calls(groupName(values.target?.id)), why: values.reason ?? '' }];
  if (kind === 'call.round') return [{ ...line, text: words.timeline.round, why: values.reason ?? '' }];
  const text = words.timeline.event(kind);
  const by = actor === 'system' ? '' : words.timeline.by(names.byName(actor));
  const said = values.comment === undefined || values.comment === '' ? '' : `: ${values.comment}`;
  return [{ ...line, text: `${text}${said}`, why: by }];
}
