// Leaves a trace of every refusal: a metric, a line in the log, and the audit trail if the caller has no right.

import { Counter } from 'prom-client';
import { RefusalTally, type RefusedSignIn, type RefusedWithRoute } from '../dispatch/refusal-tally.ts';
import type { PartContext } from './part-context.ts';

export type RefusalTrace = {
  noteRequest(refusal: RefusedWithRoute & { readonly hasToken: boolean }): void;
  noteSignIn(refusal: RefusedSignIn): void;
  /** Writes what is due. */
  poll(): Promise<unknown>;
  readonly counter: Counter<'route' | 'code'>;
};

const deniedCodes: ReadonlySet<string> = new Set(['not-signed-in', 'scope-missing', 'too-many-requests']);
const signInRoute = 'POST /api/v1/auth/login';

export function traceRefusals(
  { clock, log, onTrouble, teardown }: Pick<PartContext, 'clock' | 'log' | 'onTrouble' | 'teardown'>,
  audited: RefusalTally,
): RefusalTrace {
  const logged = new RefusalTally(
    clock,
    async (counted) => {
      for (const { origin, code, route, count } of counted)
        log.warn({ caller: origin.actor, address: origin.address, code, route, count }, 'requests were refused');
    },
    onTrouble,
  );
  teardown.add(() => logged.stop());
  const counter = new Counter({
    name: 'tocsin_refusals_total',
    help: 'Refused requests by route and code',
    labelNames: ['route', 'code'],
    registers: [],
  });
  return {
    noteRequest(refusal) {
      const { code, route, hasToken } = refusal;
      counter.inc({ route, code });
      logged.noteRequest(refusal);
      // A request without any token is no attempt of anybody to get in.
      if (deniedCodes.has(code) && (code !== 'not-signed-in' || hasToken)) audited.noteRequest(refusal);
    },
    noteSignIn(refusal) {
      counter.inc({ route: signInRoute, code: refusal.code });
      logged.noteSignIn(refusal);
      audited.noteSignIn(refusal);
    },
    poll: () => Promise.all([logged.poll(), audited.poll()]),
    counter,
  };
}
