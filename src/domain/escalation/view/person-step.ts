// What the part of a person in a call is doing, as people see it. Pure.

import { isOver, type Part } from '../part.ts';
import type { ReasonCode } from '../reason.ts';

export type PersonStep =
  | 'calling'
  | 'reached'
  | 'callBack'
  | 'retrying'
  | 'lineInUse'
  | 'noLine'
  | 'throttled'
  | 'limited'
  | 'channelDown'
  | 'heard'
  | 'declined'
  | 'failed'
  /** Of a number that gets notices: it has them, or the next one is gathered. */
  | 'notified'
  | 'gathering';

/** By the reason why no call is begun now, if none is wanted; what says most of a person comes first. */
const stepsOfOpen: readonly (readonly [ReasonCode | 'wants', PersonStep])[] = [
  ['rings', 'calling'],
  ['wants', 'calling'],
  ['in-call-that-reads-it', 'calling'],
  ['awaits-answer', 'reached'],
  ['asked-later', 'callBack'],
  ['rests', 'retrying'],
  ['in-another-call', 'lineInUse'],
  ['line-in-use', 'lineInUse'],
  ['no-free-line', 'noLine'],
  ['throttled', 'throttled'],
  ['toll', 'limited'],
  ['channel-down', 'channelDown'],
  ['channel-not-set-up', 'channelDown'],
];

export function stepOf(part: Part): PersonStep {
  if (part.state === 'heard' || part.state === 'declined' || part.state === 'failed') return part.state;
  return stepsOfOpen.find(([key]) => key === keyOf(part))?.[1] ?? 'calling';
}

function keyOf(part: Part): ReasonCode | 'wants' {
  return part.state === 'wants' ? part.state : part.reason.code;
}

/** Whether the part says more of the person than another one: what is least over, then what came last or comes next. */
export function saysMore(part: Part, other: Part): boolean {
  const [rank, otherRank] = [rankOf(part), rankOf(other)];
  if (rank !== otherRank) return rank < otherRank;
  return isOver(part) ? endOf(part) > endOf(other) : untilOf(part) < untilOf(other);
}

function rankOf(part: Part): number {
  return isOver(part) ? stepsOfOpen.length : stepsOfOpen.findIndex(([key]) => key === keyOf(part));
}

function endOf(part: Part): number {
  return 'at' in part ? part.at : 0;
}

function untilOf({ reason }: Part): number {
  return reason !== undefined && 'until' in reason ? reason.until : 0;
}
