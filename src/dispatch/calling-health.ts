// Gathers the health of calling from the store, the auditor and the dispatcher.

import type { Clock } from '../clock.ts';
import { type CallingHealth, troublesOf } from '../domain/calls/calling-health.ts';
import { getCallingState } from '../operations/calls/views/calling-state.ts';
import type { Store } from '../store/store.ts';
import type { CallAuditor } from './call-auditor.ts';
import type { CallDecider } from './call-decider.ts';
import type { CallDispatcher } from './call-dispatcher.ts';

type HealthParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodeName: string;
  readonly auditor: Pick<CallAuditor, 'lastAudit'>;
  readonly decider: Pick<CallDecider, 'lastCycleAt'>;
  readonly dispatcher: Pick<CallDispatcher, 'lastCycleAt'>;
};

export async function callingHealth(parts: HealthParts): Promise<CallingHealth> {
  const { store, clock, nodeName, auditor, decider, dispatcher } = parts;
  const state = await store
    .check()
    .then(() => store.read(getCallingState, { now: clock.now(), nodeName }))
    .catch(() => undefined);
  const progress = {
    audit: auditor.lastAudit(),
    cycleAt: Math.min(decider.lastCycleAt(), dispatcher.lastCycleAt()),
    eventDelayMs: store.eventDelayMs(),
  };
  return {
    troubles: troublesOf(state, progress, performance.now()),
    isSimulated: state?.isSimulated ?? false,
  };
}
