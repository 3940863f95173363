// Ends attempts that are to be delivered although nobody is owed them any more: the alarm was taken before they began, or while the
// node that carried them was lost.

import { storedReason } from '../../../domain/channels/words/provider-reason.ts';
import type { Reason } from '../../../domain/escalation/reason.ts';
import { appendEvents } from '../../../store/event-log.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { cutLine } from '../../simulator/phones.ts';
import { type OpenCausesOf, openAnnouncedOf } from '../announced.ts';
import { storeEnds } from '../attempt-ends.ts';
import { callsChanged } from '../engine/call-events.ts';
import { cancelAttempts } from '../engine/cancel-attempts.ts';
import { triesOf } from '../engine/rows/attempt-rows.ts';
import { reasonOf } from '../engine/rows/escalation-rows.ts';

type UnderWay = Parameters<typeof storeEnds>[2][number]['row'] & {
  readonly state: string;
  readonly tries: string;
  readonly announced: string | null;
  readonly announced_causes: string | null;
};

/** Ends attempts that were to be stopped: they are not repeated, and their outcome is unknown. A simulated phone stops. */
export async function endUnwanted(tx: Tx, now: Instant, rows: readonly UnderWay[]): Promise<void> {
  for (const { id } of rows) await cutLine.run(tx, now, { attemptId: id, outcome: 'cancelled', which: 'any' });
  const detail = storedReason({ code: 'unknown-end' });
  const how = { state: 'failed', outcome: 'cancelled', detail } as const;
  await storeEnds(
    tx,
    now,
    rows.map((row) => ({ row, how })),
  );
}

/** Ends the attempts for which nothing is open any more, and returns the others. `open`: by id of an attempt. */
export async function endWithoutCause<Row extends UnderWay>(
  tx: Tx,
  now: Instant,
  rows: readonly Row[],
  open: ReadonlyMap<number, OpenCausesOf>,
): Promise<readonly Row[]> {
  const announced = await openAnnouncedOf(tx, rows);
  // An alarm that joined while the telephone rang is announced, although the call was not made for it.
  const isOwed = (row: Row): boolean =>
    (open.get(row.id)?.ids.length ?? 0) + (announced.get(row)?.known.length ?? 0) > 0;
  const ended = rows.filter((row) => !isOwed(row));
  if (ended.length === 0) return rows;
  const reasons = await endReasonsOf(tx, ended);
  const reasonFor = (row: Row): Reason =>
    triesOf(row).flatMap(({ causeId }) => reasons.get(causeId) ?? [])[0] ?? { code: 'sent' };
  const cancelled = ended.map((row) => ({ row, attemptId: row.id, reason: reasonFor(row) }));
  await cancelAttempts(tx, now, cancelled);
  const begun = cancelled.filter(({ row }) => row.state === 'started');
  await endUnwanted(
    tx,
    now,
    begun.map(({ row, reason }) => ({ ...row, cancel_reason: JSON.stringify(reason) })),
  );
  await appendEvents(
    tx,
    ended.map(({ call_id }) => ({ kind: callsChanged, actor: 'system', subjectId: call_id, at: now })),
  );
  return rows.filter(isOwed);
}

/** By id of a cause that has ended: why. */
async function endReasonsOf(tx: Tx, rows: readonly UnderWay[]): Promise<ReadonlyMap<number, Reason>> {
  const ids = [...new Set(rows.flatMap((row) => triesOf(row).map(({ causeId }) => causeId)))];
  const found = await tx.all(selectEnded, { ids: JSON.stringify(ids) });
  return new Map(found.map(({ id, end_reason }) => [id, reasonOf(end_reason)]));
}

const selectEnded = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'end_reason'])
    .where(isOneOfIds('id', args.ids, kind))
    .where('ended_at', 'is not', null),
);
