// A plan of the calling engine in a line, for what a simulated day says of a fault.

import type { Plan } from '../../../src/operations/calls/engine/plan.ts';

export function summary({ changed, opened, begin, cancel, turns, troubles }: Plan): string {
  const [first] = changed;
  const of = first === undefined ? '' : ` (${JSON.stringify(first.escalation).slice(0, 300)})`;
  return `${changed.length} changed${of}, ${opened.length} opened, ${begin.length} begun, ${cancel.length} cancelled, ${turns.length} turns, troubles ${JSON.stringify(troubles)}`;
}
