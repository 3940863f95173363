// The calls that escalations belong to: those to one target that are open at the same time are one call, which has the id of the
// first of them. One that was called in vain is open no more: what comes later is a call of its own.

import { targetName } from '../../../../domain/calls/call.ts';
import { statement } from '../../../../store/statement.ts';
import type { Tx } from '../../../../store/store.ts';
import { type EscalationRow, targetOf } from './escalation-rows.ts';

/** By id of an escalation. */
export type CallIds = ReadonlyMap<number, number>;

export async function callIdsOf(tx: Tx, rows: ReadonlyMap<number, EscalationRow>): Promise<CallIds> {
  const callIds = new Map<number, number>();
  const byTarget = new Map<string, number>();
  for (const row of rows.values()) {
    const target = targetOf(row);
    const name = targetName(target);
    const known = row.call_id ?? byTarget.get(name) ?? (await openCallOf(tx, target)) ?? row.id;
    if (row.call_id === null) byTarget.set(name, known);
    callIds.set(row.id, known);
  }
  return callIds;
}

async function openCallOf(tx: Tx, { kind, id }: ReturnType<typeof targetOf>): Promise<number | undefined> {
  return (await tx.one(selectOpenCall, { kind, id }))?.call_id ?? undefined;
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
