// Starts what writes to the audit trail in the background: the seals, and the refusals of callers.

import { AuditSealer } from '../dispatch/audit-sealer.ts';
import { RefusalRecorder } from '../dispatch/refusal-recorder.ts';
import type { PartContext } from './part-context.ts';

type AuditTrail = { readonly sealer: AuditSealer; readonly refusals: RefusalRecorder };

export function startAuditTrail({ store, clock, log, onTrouble, teardown }: PartContext): AuditTrail {
  // Started first and therefore stopped last, so that the last seal covers everything that the stop recorded.
  const onSeal = (seal: object): void => log.info(seal, 'a segment of the audit trail is sealed');
  const sealer = new AuditSealer({ store, clock, onTrouble, onSeal });
  teardown.add(() => sealer.stop());
  const refusals = new RefusalRecorder(store, clock, onTrouble);
  teardown.add(() => refusals.stop());
  return { sealer, refusals };
}
