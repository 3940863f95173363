// Lists what waits for its delay: causes that have no call yet, by the group or person they will call.

import { sql } from 'kysely';
import type { CallTarget } from '../../../domain/calls/call.ts';
import { mostAnnounced } from '../../../domain/calls/message-text.ts';
import { type DatabaseKind, sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { type SeenArgs, seenArgs } from '../../named-rows.ts';
import { isCauseSeen, type SeenBy } from './open-calls.ts';
import { type CallReader, CallShower, type CauseRow, type OpenCall } from './shown-call.ts';

/** The id of a call that has not begun. */
const notBegun = 0;

type Target = { target_kind: CallTarget['kind']; target_id: number };
type DelayedRow = Target & { starts_at: Instant; created_at: Instant };

function buildStatements(isBound: boolean, order: 'asc' | 'desc') {
  const waiting = (args: SeenArgs, kind: DatabaseKind) =>
    sql`from ${table('call_causes')} where call_id is null and ended_at is null and state = 'open'
      ${isBound ? sql`and ${isCauseSeen(args, kind)}` : sql``}`;
  const direction = sql.raw(order);
  return {
    count: sqlStatement<SeenArgs, { total: number }>(
      (args, kind) =>
        sql`select count(*) as total from (select distinct target_kind, target_id ${waiting(args, kind)}) as targets`,
    ),
    page: sqlStatement<SeenArgs & { limit: number; offset: number }, DelayedRow>(
      (args, kind) => sql`select target_kind, target_id, min(due_at) as starts_at, min(created_at) as created_at
        ${waiting(args, kind)} group by target_kind, target_id
        order by min(due_at) ${direction}, target_kind ${direction}, target_id ${direction}
        limit ${args.limit} offset ${args.offset}`,
    ),
    causes: sqlStatement<SeenArgs & Target, Omit<CauseRow, 'call_id'>>(
      (args, kind) => sql`select kind, alarm_id, priority, text, created_at, count(*) over () as total
        ${waiting(args, kind)} and target_kind = ${args.target_kind} and target_id = ${args.target_id}
        order by priority, id limit ${sql.lit(mostAnnounced)}`,
    ),
  };
}

const statements = {
  whole: { asc: buildStatements(false, 'asc'), desc: buildStatements(false, 'desc') },
  bound: { asc: buildStatements(true, 'asc'), desc: buildStatements(true, 'desc') },
};

function statementsFor({ stationIds }: SeenBy, order: 'asc' | 'desc') {
  return statements[stationIds.length > 0 ? 'bound' : 'whole'][order];
}

export async function countDelayed(tx: ReadTx, caller: SeenBy): Promise<number> {
  return Number((await tx.one(statementsFor(caller, 'asc').count, seenArgs(caller)))?.total ?? 0);
}

type Page = { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number };

/** Returns the calls that will begin, the next one first. */
export async function listDelayed(
  tx: ReadTx,
  now: Instant,
  reader: CallReader,
  { order, limit, offset }: Page,
): Promise<readonly OpenCall[]> {
  if (limit === 0) return [];
  const args = seenArgs(reader);
  const statements = statementsFor(reader, order);
  const rows = await tx.all(statements.page, { ...args, limit, offset });
  const shower = new CallShower(reader, await readCallConfiguration(tx), now);
  const calls: OpenCall[] = [];
  for (const { target_kind, target_id, starts_at, created_at } of rows) {
    const causes = await tx.all(statements.causes, { ...args, target_kind, target_id });
    const until = Number(starts_at);
    calls.push({
      id: notBegun,
      ...shower.target({ kind: target_kind, id: target_id }),
      phase: 'waiting',
      round: 0,
      startedAt: Number(created_at),
      next: { step: 'start', at: until },
      ...shower.wording.worded({ code: 'delayed', until }),
      ...shower.causes(causes),
      people: [],
    });
  }
  return calls;
}
