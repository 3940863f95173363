// Ends what the people of the demo plant are still called for, and removes their calls, conversations and texts.

import { sql } from 'kysely';
import { idsIn, type Statement, sqlStatement } from '../../../store/statement.ts';
import { table, target } from '../../../store/statement-tables.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { endCauses } from '../../calls/engine/rows/escalation-rows.ts';
import { DemoEntries, type DemoRow } from '../plant-rows.ts';

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
  if (await cancelCauses(tx, now, owned, removedBy ?? madeBy)) return 'more';
  if ((await tx.one(selectUnderWay, owned)) !== undefined) return 'waiting';
  for (const removal of removals) await tx.run(removal, owned);
  return 'done';
}

/** Ends the messages, tests and drills that are still open; returns whether there were any. */
async function cancelCauses(tx: Tx, now: Instant, owned: Owned, actor: string): Promise<boolean> {
  const open = await tx.all(selectOpenCauses, owned);
  if (open.length === 0) return false;
  const reason = { code: 'cancelled', by: actor } as const;
  await endCauses(
    tx,
    open.map(({ id, cause_id }) => ({ causeId: cause_id ?? id, at: now, by: 'cancelled', reason })),
  );
  return true;
}

/** Whether a row with a target is for somebody of the plant. */
function isForPlant(args: Owned, kind: 'sqlite' | 'postgres') {
  return sql`(target_kind = 'group' and target_id in ${idsIn(args.groupIds, kind)})
    or (target_kind = 'user' and target_id in ${idsIn(args.userIds, kind)})
    or (target_kind = 'number' and target_id in
      (select id from ${table('user_numbers')} where user_id in ${idsIn(args.userIds, kind)}))`;
}

const selectOpenCauses = sqlStatement<Owned, { id: number; cause_id: number | null }>(
  (args, kind) => sql`select id, cause_id from ${table('call_causes')} where ended_at is null
    and (station_id in ${idsIn(args.stationIds, kind)} or ${isForPlant(args, kind)}) order by id`,
);

const selectUnderWay = sqlStatement<Owned, { id: number }>(
  (args, kind) => sql`select id from ${table('call_attempts')} where state in ('due', 'started')
    and (station_id in ${idsIn(args.stationIds, kind)} or user_id in ${idsIn(args.userIds, kind)}) limit 1`,
);

/** The attempts for the plant. */
const ofPlant = (args: Owned, kind: 'sqlite' | 'postgres') =>
  sql`user_id in ${idsIn(args.userIds, kind)} or station_id in ${idsIn(args.stationIds, kind)}`;

/** Everything about attempts goes before the attempts, and messages before the causes that name them. */
const removals: readonly Statement<Owned, unknown>[] = [
  ...(['phone_messages', 'conversations', 'inbound_messages'] as const).map((about) =>
    sqlStatement<Owned>(
      (args, kind) => sql`delete from ${target(about)} where user_id in ${idsIn(args.userIds, kind)}
        or attempt_id in (select id from ${table('call_attempts')} where ${ofPlant(args, kind)})`,
    ),
  ),
  sqlStatement(
    (
      args,
      kind,
    ) => sql`delete from ${target('call_messages')} where id in (select message_id from ${table('call_causes')}
      where message_id is not null and (station_id in ${idsIn(args.stationIds, kind)} or ${isForPlant(args, kind)}))`,
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
