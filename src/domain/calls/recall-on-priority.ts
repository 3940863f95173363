// Whether people are called anew for an alarm that has become more urgent after its calls had ended. Pure.

import type { AlarmLife } from '../alarms/alarm.ts';
import { type CallPolicy, type CallTarget, targetName } from './call.ts';

export type Reprioritised = {
  readonly life: Pick<AlarmLife, 'state' | 'mask'>;
  readonly before: number;
  readonly priority: number;
  /** Whom its actions call. */
  readonly wanted: readonly CallTarget[];
  /** Whose calls for it have not ended, or are still to begin. */
  readonly underWay: readonly CallTarget[];
};

/** Whom to call, and why; nobody, and why not. */
export type Recall = { readonly targets: readonly CallTarget[]; readonly reason: string };

const mostUrgent = 1;

/**
 * Nobody has taken it, and what was called in vain or only heard of as a lesser matter is a greater one now. A call that
 * goes on is for the new priority by itself: there is no second one.
 */
export function recall(alarm: Reprioritised, { untilAcknowledged }: Pick<CallPolicy, 'untilAcknowledged'>): Recall {
  const { life, before, priority, wanted, underWay } = alarm;
  if (priority >= before) return nobody('it is not more urgent than before');
  if (priority > mostUrgent && !untilAcknowledged.includes(priority))
    return nobody(`priority ${priority} is called for once`);
  if (life.state !== 3) return nobody(whyAtPeace[life.state]);
  if (life.mask !== undefined) return nobody(`masked by ${life.mask.by}`);
  const known = new Set(underWay.map(targetName));
  const targets = wanted.filter((target) => !known.has(targetName(target)));
  if (targets.length === 0) return nobody('nobody is left to call who is not being called');
  return { targets, reason: `priority ${priority} instead of ${before}, and nobody has acknowledged it` };
}

const whyAtPeace = { 0: 'it is at rest', 1: 'it is acknowledged', 2: 'it is back to normal' } as const;

function nobody(reason: string): Recall {
  return { targets: [], reason };
}
