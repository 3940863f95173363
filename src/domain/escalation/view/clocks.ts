// The clock of the reader: views show instants of the engine and of the civil clock as those of the server. Pure.

import type { Reason } from '../reason.ts';

/** Both return the instant of the server's clock. */
export type Clocks = { readonly ofEngine: (at: number) => number; readonly ofCivil: (at: number) => number };

/** The reason with its instants as the server's clock shows them. */
export function reasonOnClock(reason: Reason, { ofEngine, ofCivil }: Clocks): Reason {
  if (reason.code === 'toll') return { ...reason, until: ofCivil(reason.until) };
  if ('until' in reason) return { ...reason, until: ofEngine(reason.until) };
  return 'since' in reason ? { ...reason, since: ofEngine(reason.since) } : reason;
}
