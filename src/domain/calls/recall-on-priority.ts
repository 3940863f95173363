// Decides whether people are called again for an alarm that has become more urgent after its calls ended. Pure.

import type { AlarmLife } from '../alarms/alarm.ts';
import { type CallPolicy, type CallTarget, rulesOf, targetName } from './call.ts';

export type Reprioritised = {
  readonly life: Pick<AlarmLife, 'state' | 'mask'>;
  readonly before: number;
  readonly priority: number;
  /** The targets its actions call. */
  readonly wanted: readonly CallTarget[];
  /** Targets with a call for it that has not ended or has not begun yet. */
  readonly underWay: readonly CallTarget[];
};

/** The targets to call, and the reason for calling them or for calling nobody. */
export type Recall = { readonly targets: readonly CallTarget[]; readonly reason: string };

const mostUrgent = 1;

/**
 * Returns the targets to call again: the alarm is not acknowledged and more urgent than when its calls ended. A call
 * under way uses the new priority without a second call.
 */
export function recall(alarm: Reprioritised, policy: Pick<CallPolicy, 'priorities'>): Recall {
  const { life, before, priority, wanted, underWay } = alarm;
  if (priority >= before) return nobody('it is not more urgent than before');
  if (priority > mostUrgent && !rulesOf(priority, policy).untilAcknowledged)
    return nobody(`priority ${priority} is called for once`);
  if (life.state !== 3) return nobody(reasonNotActive[life.state]);
  if (life.mask !== undefined) return nobody(`masked by ${life.mask.by}`);
  const known = new Set(underWay.map(targetName));
  const targets = wanted.filter((target) => !known.has(targetName(target)));
  if (targets.length === 0) return nobody('nobody is left to call who is not being called');
  return { targets, reason: `priority ${priority} instead of ${before}, and nobody has acknowledged it` };
}

const reasonNotActive = { 0: 'it is at rest', 1: 'it is acknowledged', 2: 'it is back to normal' } as const;

function nobody(reason: string): Recall {
  return { targets: [], reason };
}
