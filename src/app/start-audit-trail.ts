// Starts what writes to the audit trail in the background: the seals, and the refusals of callers.

import { AuditSealer } from '../dispatch/audit/audit-sealer.ts';
import { keepNewestSeal } from '../dispatch/audit/newest-seal-file.ts';
import { RefusalTally } from '../dispatch/refusal-tally.ts';
import type { KnownSeal } from '../domain/audit/verify.ts';
import { recordRefusals } from '../operations/audit/record-refusals.ts';
import type { PartContext } from './part-context.ts';
import { type RefusalTrace, traceRefusals } from './trace-refusals.ts';

type AuditTrail = { readonly sealer: AuditSealer; readonly refusals: RefusalTrace };

export function startAuditTrail(context: PartContext): AuditTrail {
  const { store, clock, config, log, work, onTrouble, teardown } = context;
  // Started first and therefore stopped last, so that the last seal covers everything that the stop recorded.
  const onSeal = (seal: object): void => log.info(seal, 'a segment of the audit trail is sealed');
  const keep = (seal: KnownSeal): Promise<void> => keepNewestSeal(config.dataDir, seal);
  const sealer = new AuditSealer({ store, clock, work, onTrouble, onSeal, keep });
  teardown.add(() => sealer.stop());
  const audited = new RefusalTally(clock, (counted) => store.write(recordRefusals, counted), onTrouble);
  teardown.add(() => audited.stop());
  return { sealer, refusals: traceRefusals(context, audited) };
}
