// What the calls under way are doing now: the engine's decision on what is stored, by call, without carrying it out.

import { decide } from '../../../domain/escalation/decide.ts';
import { CallStates } from '../../../domain/escalation/view/call-states.ts';
import type { Clocks } from '../../../domain/escalation/view/clocks.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { type Calling, readCalling } from '../engine/read-calling.ts';
import type { EscalationRow } from '../engine/rows/escalation-rows.ts';

export type CallsNow = {
  readonly calling: Calling;
  /** By id of a call: its escalations that are open. */
  readonly rows: ReadonlyMap<number, readonly EscalationRow[]>;
  readonly states: CallStates;
};

/** Decides once for all calls. */
export async function readCallsNow(tx: ReadTx, now: Instant): Promise<CallsNow> {
  const calling = await readCalling(tx, now);
  const { world, causes, escalations, attempts, decisionTime, escalationRows } = calling;
  const decision = decide(world, causes, escalations, attempts, decisionTime);
  const states = new CallStates(calling, decision, clocksOf(calling, now));
  const rows = new Map<number, EscalationRow[]>();
  for (const row of escalationRows.values()) {
    if (row.call_id === null || row.ended_at !== null || row.state !== 'open') continue;
    const known = rows.get(row.call_id);
    if (known === undefined) rows.set(row.call_id, [row]);
    else known.push(row);
  }
  return { calling, rows, states };
}

/** Instants as the server's clock shows them. */
function clocksOf({ time, decisionTime }: Calling, now: Instant): Clocks {
  return { ofEngine: time.toClock, ofCivil: (at) => at - decisionTime.civil + now };
}
