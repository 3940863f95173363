// Gathers the report on the installation: what is in the database, and what only this process knows.

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { CallAuditor } from '../dispatch/call-auditor.ts';
import type { ProviderPool } from '../dispatch/channels/provider-pool.ts';
import type { StoreProbe } from '../dispatch/store-probe.ts';
import type { CallingHealth } from '../domain/calls/calling-health.ts';
import type { Certificate, SystemReport } from '../domain/system-report.ts';
import { getSystemReport } from '../operations/system/report.ts';
import type { NodeContext } from './part-context.ts';

export type ReportParts = {
  readonly auditor: Pick<CallAuditor, 'lastHeartbeat'>;
  readonly pool: Pick<ProviderPool, 'checks'>;
  readonly callingHealth: () => Promise<CallingHealth>;
  readonly storeProbe: StoreProbe;
};

/** Returns a function that makes the report; the time at which it is called counts as the start. */
export function systemReporter(context: NodeContext, parts: ReportParts): () => Promise<SystemReport> {
  const { store, clock, config, nodeId } = context;
  const startedAt = clock.now();
  // The certificate that is served: a new file counts after the next start.
  const certificate = config.tls && certificateIn(config.tls.certFile);
  return async () => {
    const stored = await store.read(getSystemReport, { now: clock.now() });
    const probed = await parts.storeProbe.result();
    return {
      stored,
      startedAt,
      nodeId,
      database: { kind: store.kind, latencyMs: probed.ok ? probed.ms : undefined },
      disk: await diskOf(config.dataDir),
      calling: await parts.callingHealth(),
      checks: parts.pool.checks,
      hasHeartbeat: config.heartbeatUrl !== undefined,
      lastHeartbeat: parts.auditor.lastHeartbeat(),
      certificate,
      settings: config.shown,
    };
  };
}

async function diskOf(folder: string): Promise<SystemReport['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}

function certificateIn(file: string): Certificate {
  const { subject, issuer, validToDate } = new X509Certificate(readFileSync(file));
  return { subject: oneLine(subject), issuer: oneLine(issuer), expiresAt: validToDate.getTime() };
}

/** Node separates the parts of a name by line breaks. */
function oneLine(name: string): string {
  return name.split('\n').join(', ');
}
