// Records a clock step once for all nodes, in the event log and as a system alarm, and moves the waits of the server along.

import { type RawBuilder, sql } from 'kysely';
import { systemCaller } from '../../domain/access/access.ts';
import { withAhead, withForwardStep } from '../../domain/clock-step.ts';
import { appendEvent } from '../../store/event-log.ts';
import { setMeta } from '../../store/meta.ts';
import { type Statement, sqlStatement } from '../../store/statement.ts';
import { target } from '../../store/statement-tables.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import type { TableName } from '../../store/tables.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { appendAudit } from '../audit/append.ts';
import { clockKey, readClockSteps } from './reference-time.ts';
import { setAsidePrefix } from './set-aside-rows.ts';
import { storedDurations } from './stored-times.ts';

type ClockStep = {
  /** The number of steps the node knew of when it detected this one. */
  readonly knownSteps: number;
  readonly kind: 'forward' | 'back';
  /** How far the clock was set. */
  readonly setMs: number;
  /** How far the nodes' clocks and the waits move: less than `setMs` when the nodes were ahead of the database. */
  readonly byMs: number;
  readonly aheadMs: number;
  readonly since: Instant;
};

/** Returns whether this node recorded the step first; the other nodes only follow. */
export const noteClockStep: Operation<ClockStep, boolean> = {
  name: 'note-clock-step',
  async run(tx, now, { knownSteps, kind, setMs, byMs, aheadMs, since }) {
    const { steps, forwards: before, aheads: known, forwardTotalMs } = await readClockSteps(tx);
    if (steps !== knownSteps) return false;
    const forwards = byMs > 0 ? withForwardStep(before, { at: now + byMs, byMs }) : before;
    const aheads = withAhead(known, { at: now + byMs, aheadMs, since });
    const stepped = { steps: steps + 1, aheadMs, since, forwards, aheads, forwardTotalMs: forwardTotalMs + byMs };
    await setMeta(tx, clockKey, JSON.stringify(stepped));
    if (byMs > 0) await moveDurations(tx, byMs);
    await tx.run(lookAtMasks, {});
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
      message: { code: 'clock', parameters: { direction: kind, seconds } },
      isRepeated: true,
      isCalled: true,
    });
    return true;
  },
};

/** Moves what the table of stored times calls a duration, in the rows that still wait. */
async function moveDurations(tx: Tx, byMs: number): Promise<void> {
  for (const move of moves) await tx.run(move, { byMs });
}

/** Masks end by the clock that was set: those that waited for it to be where it was before are looked at again. */
const lookAtMasks = sqlStatement<Record<string, never>, unknown>(
  () => sql`update ${target('alarms')} set next_due = mask_until where next_due is not null and next_due > mask_until`,
);

type Move = Statement<{ byMs: number }, unknown>;

/** The rows of a table that wait, where others are kept as a record; by an index, because there may be millions of those. */
const waiting: { readonly [T in TableName]?: RawBuilder<unknown> } = {
  alarms: sql`next_due is not null`,
  call_causes: sql`state = 'open'`,
  call_attempts: sql`state in ('due', 'started')`,
  command_runs: sql`ended_at is null`,
};

const moves: readonly Move[] = [
  ...storedDurations().map((durations) => moveOf(durations)),
  // The end of the time for which a row of due work is set aside is no column.
  sqlStatement<{ byMs: number }>(
    (args) => sql`update ${target('meta')} set value = cast(cast(value as bigint) + ${args.byMs} as text)
      where key like ${sql.lit(`${setAsidePrefix}%`)}`,
  ),
];

function moveOf({ table: name, columns }: ReturnType<typeof storedDurations>[number]): Move {
  return sqlStatement<{ byMs: number }>((args) => {
    const moved = columns.map((column) => sql`${sql.ref(column)} = ${movedTime(name, column, args.byMs)}`);
    return sql`update ${target(name)} set ${sql.join(moved)} where ${waiting[name] ?? sql`true`}`;
  });
}

function movedTime(name: TableName, column: string, byMs: number): RawBuilder<unknown> {
  const moved = sql`${sql.ref(column)} + ${byMs}`;
  if (name !== 'alarms' || column !== 'next_due') return moved;
  // A mask ends at the time that somebody set.
  return sql`case when mask_until < ${moved} then mask_until else ${moved} end`;
}
