// The round of the group that the last resort follows, and since when tries and answers count. Pure.

import type { Escalation } from './escalation.ts';

/** Since when the group that the last resort follows is in its present round; undefined: no round of it has begun, or it is over. */
export function presentRoundOf({ id }: Escalation, ofCause: readonly Escalation[]): number | undefined {
  const others = ofCause.filter((other) => other.id !== id && other.round > 0 && other.state !== 'done');
  return others.length === 0 ? undefined : Math.min(...others.map(({ roundSince }) => roundSince));
}

/** A group without anybody on call has no next round that the last resort could wait for. */
export function hasSomebodyOnCall({ trouble }: Escalation): boolean {
  return trouble?.kind !== 'nobody-on-call';
}

/**
 * Since when tries and answers count. The first round of the last resort does not ring those a second time who were called
 * in the round of the group that it follows.
 */
export function horizonOf(escalation: Escalation, ofCause: readonly Escalation[]): number {
  const { target, round, roundSince } = escalation;
  if (target.kind !== 'last-resort' || round > 1) return roundSince;
  return Math.min(roundSince, presentRoundOf(escalation, ofCause) ?? roundSince);
}
