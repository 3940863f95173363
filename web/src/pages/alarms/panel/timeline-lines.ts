// One line of time for an alarm: what will happen above "now", what happened below it. Pure.

import type { AlarmEvent, CallHistory, Explanation, ForecastCall, ForecastStep } from '@tocsin/client';
import { type Facts, pastLines, type TimelineLine, targetName } from '../../../components/timeline/past-lines.ts';
import { isSpoken } from '../../../data/spoken.ts';

/** More steps ahead would push "now" off the screen. */
const mostAhead = 5;

/** The last step is first: farthest up. Without a call under way nothing is ahead: the steps are those of another raise. */
export function aheadOf(
  { calls }: Pick<Explanation, 'calls'>,
  isCalled: boolean,
  now: number,
  facts: Facts,
): readonly TimelineLine[] {
  if (!isCalled) return [];
  const ahead = calls
    .flatMap((call) => call.steps.filter(isShownAhead).map((step) => ({ step, call })))
    .filter(({ step }) => Date.parse(step.time) > now)
    .toSorted((one, other) => Date.parse(one.step.time) - Date.parse(other.step.time))
    .slice(0, mostAhead)
    .map(({ step, call }, index) => aheadLine(step, call, index, facts));
  return ahead.reverse();
}

/** The newest is first. */
export function pastOf(
  made: readonly CallHistory[],
  events: readonly AlarmEvent[],
  facts: Facts,
): readonly TimelineLine[] {
  return pastLines(made, events, facts).toSorted((a, b) => b.at - a.at);
}

/** The first level of a round begins with it. */
function isShownAhead({ what, time }: ForecastStep, index: number, steps: readonly ForecastStep[]): boolean {
  if (what === 'level') return !(steps[index - 1]?.what === 'round' && steps[index - 1]?.time === time);
  return what === 'attempt' || what === 'round' || what === 'nobody';
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
