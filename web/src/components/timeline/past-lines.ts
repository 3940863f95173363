// What happened to an alarm and in the calls for it, as lines of time. Pure.

import type { AlarmEvent, CallHistory } from '@tocsin/client';
import type { Names } from '../../data/names.ts';
import { isSpoken } from '../../data/spoken.ts';
import type { Words } from '../../words/words.ts';

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

export type Facts = {
  readonly words: Words;
  readonly names: Names;
  readonly groupName: (id: number | undefined) => string;
};

/** Returns the lines of attempts and events, the oldest first. */
export function pastLines(
  attempts: readonly CallHistory[],
  events: readonly AlarmEvent[],
  facts: Facts,
): readonly TimelineLine[] {
  const tried = attempts.flatMap((attempt) => attemptLines(attempt, facts));
  const happened = events.flatMap((event, index) => eventLine(event, index, facts));
  return [...happened, ...tried].toSorted((a, b) => a.at - b.at);
}

/** The group or person that is called, or the last resort. */
export function targetName(
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
