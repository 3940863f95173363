// The time was set: noted once for all nodes, in the journal and for everyone to see, and what is due moves along.

import { sql } from 'kysely';
import { appendEvent } from '../../store/event-log.ts';
import { setMeta } from '../../store/meta.ts';
import { type Statement, sqlStatement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/report.ts';
import { clockKey, readClockSteps } from './reference-time.ts';

type Step = {
  /** How many steps the node knew of when it saw this one. */
  readonly knownSteps: number;
  readonly kind: 'forward' | 'back';
  /** By how much the time was set. */
  readonly setMs: number;
  /** By how much the clocks of all nodes move, and what is due with them: less, when they were ahead. */
  readonly byMs: number;
  readonly aheadMs: number;
  readonly since: Instant;
};

/** Answers whether this node was the first to tell; the others have only to follow. */
export const noteClockStep: Operation<Step, boolean> = {
  name: 'note-clock-step',
  async run(tx, now, { knownSteps, kind, setMs, byMs, aheadMs, since }) {
    const { steps } = await readClockSteps(tx);
    if (steps !== knownSteps) return false;
    const value = JSON.stringify({ steps: steps + 1, aheadMs, since });
    await setMeta(tx, clockKey, value);
    if (byMs > 0) await moveDues(tx, byMs);
    await appendEvent(tx, now, {
      kind: 'clock.stepped',
      actor: 'system',
      data: { steps: steps + 1, forwardMs: byMs },
    });
    const seconds = Math.round(setMs / 1000);
    await raiseSystemAlarm(tx, now, {
      path: 'clock',
      message: `The clock was set ${kind === 'forward' ? 'ahead' : 'back'} by ${seconds} s. Nothing was called for early or late because of it.`,
      isRepeated: true,
      isCalled: true,
    });
    return true;
  },
};

/** What waits for a while waits as long as before. What people set for a time of the clock, such as a mask, stays. */
async function moveDues(tx: Tx, byMs: number): Promise<void> {
  for (const move of moves) await tx.run(move, { byMs });
}

type Move = Statement<{ byMs: number }, unknown>;

const moves: readonly Move[] = [
  sqlStatement(
    (args) => sql`update call_causes set due_at = due_at + ${args.byMs} where call_id is null and ended_at is null`,
  ),
  sqlStatement(
    (args) => sql`update calls set due_at = due_at + ${args.byMs}, next_due = next_due + ${args.byMs}
    where ended_at is null`,
  ),
  sqlStatement(
    (args) => sql`update call_cycles set due_at = due_at + ${args.byMs}
    where due_at is not null and call_id in (select id from calls where ended_at is null)`,
  ),
  sqlStatement(
    (args) => sql`update call_attempts set lease_until = lease_until + ${args.byMs} where state = 'started'`,
  ),
  sqlStatement(
    (args) => sql`update command_runs set created_at = created_at + ${args.byMs},
    lease_until = lease_until + ${args.byMs} where ended_at is null`,
  ),
  sqlStatement(
    (args) => sql`update alarms set pending_since = pending_since + ${args.byMs},
    next_due = case when mask_until is not null and mask_until < next_due + ${args.byMs} then mask_until
      else next_due + ${args.byMs} end where pending_since is not null`,
  ),
];
