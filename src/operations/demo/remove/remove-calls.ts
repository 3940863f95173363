// Ends what the people of the demo plant are still called for, and removes their calls, conversations and texts.

import { sql } from 'kysely';
import { idsIn, type Statement, sqlStatement } from '../../../store/statement.ts';
import { table, target } from '../../../store/statement-tables.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { writeUnitOfWork } from '../../alarms/intake/report.ts';
import { causeRows } from '../../calls/call-rows.ts';
import { beginUnitOfWork } from '../../unit-of-work.ts';
import { DemoEntries, type DemoRow } from '../plant-rows.ts';

const callsAStep = 200;

/** JSON lists of ids. */
type Owned = { stationIds: string; groupIds: string; userIds: string };

/** Waits until no attempt is under way: its node would write to rows that are gone. */
export async function removeCalls(
  tx: Tx,
  now: Instant,
  { removedBy, madeBy }: DemoRow,
): Promise<'more' | 'waiting' | 'done'> {
  const entries = await DemoEntries.load(tx);
  const owned = {
    stationIds: JSON.stringify(entries.ids('station')),
    groupIds: JSON.stringify(entries.ids('callGroup')),
    userIds: JSON.stringify(entries.ids('user')),
  };
  if (await endCauses(tx, now, owned, removedBy ?? madeBy)) return 'more';
  if ((await tx.one(selectUnderWay, owned)) !== undefined) return 'waiting';
  const calls = await tx.all(selectCalls, { ...owned, limit: callsAStep });
  const ids = JSON.stringify(calls.map(({ id }) => id));
  if (calls.length > 0) for (const removal of removalsByCall) await tx.run(removal, { ids });
  if (calls.length === callsAStep) return 'more';
  for (const removal of otherRemovals) await tx.run(removal, owned);
  return 'done';
}

/** Ends the messages, tests and drills that are still open; returns whether there were any. */
async function endCauses(tx: Tx, now: Instant, owned: Owned, actor: string): Promise<boolean> {
  const open = await tx.all(selectOpenCauses, owned);
  if (open.length === 0) return false;
  const reason = 'the demo plant was removed';
  await tx.each(
    causeRows.end,
    open.map(({ id }) => ({ id, ended_at: now, ended_by: 'cancelled', end_reason: reason })),
  );
  const unit = beginUnitOfWork(tx, now);
  for (const { call_id } of open) if (call_id !== null) unit.calls.causesEnded(call_id, reason, actor);
  await writeUnitOfWork(tx, now, unit);
  return true;
}

/** Whether a row with a target is for somebody of the plant. */
function isForPlant(args: Owned, kind: 'sqlite' | 'postgres') {
  return sql`(target_kind = 'group' and target_id in ${idsIn(args.groupIds, kind)})
    or (target_kind = 'user' and target_id in ${idsIn(args.userIds, kind)})
    or (target_kind = 'number' and target_id in
      (select id from ${table('user_numbers')} where user_id in ${idsIn(args.userIds, kind)}))`;
}

const selectOpenCauses = sqlStatement<Owned, { id: number; call_id: number | null }>(
  (args, kind) => sql`select id, call_id from ${table('call_causes')} where ended_at is null
    and (station_id in ${idsIn(args.stationIds, kind)} or ${isForPlant(args, kind)}) order by id`,
);

const selectUnderWay = sqlStatement<Owned, { id: number }>(
  (args, kind) => sql`select id from ${table('call_attempts')} where state in ('due', 'started')
    and (station_id in ${idsIn(args.stationIds, kind)} or user_id in ${idsIn(args.userIds, kind)}) limit 1`,
);

/** Calls for somebody of the plant; and those of the last resort that were for nothing else than its alarms. */
const selectCalls = sqlStatement<Owned & { limit: number }, { id: number }>(
  (args, kind) => sql`select id from ${table('calls')} where ${isForPlant(args, kind)}
    or (id in (select call_id from ${table('call_causes')} where station_id in ${idsIn(args.stationIds, kind)})
      and not exists (select 1 from ${table('call_causes')} as other where other.call_id = calls.id
        and other.station_id not in ${idsIn(args.stationIds, kind)}))
    order by id limit ${args.limit}`,
);

/** Everything about attempts goes before the attempts, and messages before the causes that name them. */
const removalsByCall: readonly Statement<{ ids: string }, unknown>[] = [
  ...(['phone_messages', 'conversations', 'inbound_messages'] as const).map((about) =>
    sqlStatement<{ ids: string }>(
      (args, kind) => sql`delete from ${target(about)} where attempt_id in
        (select id from ${table('call_attempts')} where call_id in ${idsIn(args.ids, kind)})`,
    ),
  ),
  sqlStatement(
    (args, kind) => sql`delete from ${target('call_messages')} where id in
      (select message_id from ${table('call_causes')} where call_id in ${idsIn(args.ids, kind)} and message_id is not null)`,
  ),
  ...(['call_attempts', 'call_cycles', 'call_causes'] as const).map((about) =>
    sqlStatement<{ ids: string }>(
      (args, kind) => sql`delete from ${target(about)} where call_id in ${idsIn(args.ids, kind)}`,
    ),
  ),
  sqlStatement((args, kind) => sql`delete from ${target('calls')} where id in ${idsIn(args.ids, kind)}`),
];

/** What belongs to the people and stations without a call of the plant: people who rang in, causes without a call. */
const otherRemovals: readonly Statement<Owned, unknown>[] = [
  ...(['phone_messages', 'conversations', 'inbound_messages', 'call_cycles'] as const).map((about) =>
    sqlStatement<Owned>(
      (args, kind) => sql`delete from ${target(about)} where user_id in ${idsIn(args.userIds, kind)}`,
    ),
  ),
  sqlStatement(
    (args, kind) => sql`delete from ${target('call_attempts')} where user_id in ${idsIn(args.userIds, kind)}
      or station_id in ${idsIn(args.stationIds, kind)}`,
  ),
  sqlStatement(
    (args, kind) => sql`delete from ${target('call_causes')} where station_id in ${idsIn(args.stationIds, kind)}
      or ${isForPlant(args, kind)}`,
  ),
  sqlStatement(
    (args, kind) => sql`delete from ${target('call_turns')} where group_id in ${idsIn(args.groupIds, kind)}`,
  ),
];
