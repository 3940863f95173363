// The calls that escalations belong to: those to one target that are open at the same time are one call, which has the id of the
// first of them. One that was called in vain is open no more: what comes later is a call of its own.

import { targetName } from '../../../../domain/calls/call.ts';
import { statement } from '../../../../store/statement.ts';
import type { Tx } from '../../../../store/store.ts';
import { type EscalationRow, targetOf } from './escalation-rows.ts';

/** By id of an escalation. */
export type CallIds = ReadonlyMap<number, number>;

export async function callIdsOf(tx: Tx, rows: ReadonlyMap<number, EscalationRow>): Promise<CallIds> {
  const begun = [...rows.values()].filter(({ call_id }) => call_id === null);
  const firsts = new Map(begun.toReversed().map((row) => [targetName(targetOf(row)), row]));
  // Asked together, so that PostgreSQL answers them in one round trip.
  const open = await Promise.all(
    [...firsts].map(
      async ([name, row]) => [name, (await tx.one(selectOpenCall, targetOf(row)))?.call_id ?? row.id] as const,
    ),
  );
  const ofTargets = new Map(open);
  return new Map(
    [...rows.values()].map((row) => [row.id, row.call_id ?? ofTargets.get(targetName(targetOf(row))) ?? row.id]),
  );
}

const selectOpenCall = statement((db, args: { kind: string; id: number }) =>
  db
    .selectFrom('call_causes')
    .select('call_id')
    .where('target_kind', '=', args.kind)
    .where('target_id', '=', args.id)
    .where('ended_at', 'is', null)
    .where('call_id', 'is not', null)
    .where('state', '=', 'open')
    .orderBy('id')
    .limit(1),
);
