// Records a clock step once for all nodes, in the event log and as a system alarm, and moves due times along.

import { sql } from 'kysely';
import { systemCaller } from '../../domain/access/access.ts';
import { appendEvent } from '../../store/event-log.ts';
import { setMeta } from '../../store/meta.ts';
import { type Statement, sqlStatement } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { appendAudit } from '../audit/append.ts';
import { clockKey, readClockSteps } from './reference-time.ts';

type ClockStep = {
  /** The number of steps the node knew of when it detected this one. */
  readonly knownSteps: number;
  readonly kind: 'forward' | 'back';
  /** How far the clock was set. */
  readonly setMs: number;
  /** How far the nodes' clocks and the due times move: less than `setMs` when the nodes were ahead of the database. */
  readonly byMs: number;
  readonly aheadMs: number;
  readonly since: Instant;
};

/** Returns whether this node recorded the step first; the other nodes only follow. */
export const noteClockStep: Operation<ClockStep, boolean> = {
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
    const after = { kind, setMs, forwardMs: byMs };
    await appendAudit(tx, now, { kind: 'clock.stepped', origin: systemCaller, after });
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

/**
 * Moves due times so that delays last as long as before. Times set by people on the clock, such as the end of a mask,
 * stay.
 */
async function moveDues(tx: Tx, byMs: number): Promise<void> {
  for (const move of moves) await tx.run(move, { byMs });
}

type Move = Statement<{ byMs: number }, unknown>;

const moves: readonly Move[] = [
  sqlStatement(
    (args) =>
      sql`update ${target('call_causes')} set due_at = due_at + ${args.byMs} where call_id is null and ended_at is null`,
  ),
  sqlStatement(
    (args) => sql`update ${target('calls')} set due_at = due_at + ${args.byMs}, next_due = next_due + ${args.byMs}
    where ended_at is null`,
  ),
  sqlStatement(
    (args) => sql`update ${target('call_cycles')} set due_at = due_at + ${args.byMs}
    where due_at is not null and call_id in (select id from ${table('calls')} where ended_at is null)`,
  ),
  sqlStatement(
    (args) =>
      sql`update ${target('call_attempts')} set lease_until = lease_until + ${args.byMs} where state = 'started'`,
  ),
  // Otherwise the providers of other nodes would be down until those nodes are seen again.
  sqlStatement((args) => sql`update ${target('nodes')} set seen_at = seen_at + ${args.byMs}`),
  sqlStatement(
    (args) => sql`update ${target('command_runs')} set created_at = created_at + ${args.byMs},
    lease_until = lease_until + ${args.byMs} where ended_at is null`,
  ),
  sqlStatement(
    (args) => sql`update ${target('alarms')} set pending_since = pending_since + ${args.byMs},
    next_due = case when mask_until is not null and mask_until < next_due + ${args.byMs} then mask_until
      else next_due + ${args.byMs} end where pending_since is not null`,
  ),
];
