// Purges calls past their retention time, a few per transaction, with their cycles, causes and attempts.

import { sql } from 'kysely';
import { idsIn, type Statement, sqlStatement } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { Instant, Operation } from '../../store/store.ts';

/** Small enough that a transaction delays no alarm; the caller repeats the operation until nothing is left. */
const callsAStep = 50;
const rowsAStep = sql.lit(500);

type PurgeInput = {
  readonly before: Instant;
  /** Messages of simulated phones are deleted with the event log. */
  readonly phonesBefore: Instant;
};

/** Returns whether there may be more to delete. */
export const purgeCalls: Operation<PurgeInput, boolean> = {
  name: 'trim-calls',
  async run(tx, _now, { before, phonesBefore }) {
    const phones = await tx.run(removePhoneMessages, { before: phonesBefore });
    await tx.run(removeConversations, { before: phonesBefore });
    const over = await tx.all(selectOldCalls, { before });
    const ids = JSON.stringify(over.map(({ id }) => id));
    if (over.length > 0) for (const deletion of deletesByCall) await tx.run(deletion, { ids });
    for (const deletion of deletesWithoutCall) await tx.run(deletion, { before });
    return over.length === callsAStep || phones === 500;
  },
};

type Deletion = Statement<{ before: number }, unknown>;

const selectOldCalls = sqlStatement<{ before: number }, { id: number }>(
  (args) =>
    sql`select id from ${table('calls')} where ended_at < ${args.before} order by ended_at limit ${sql.lit(callsAStep)}`,
);

const deletesByCall: readonly Statement<{ ids: string }, unknown>[] = [
  sqlStatement((args, kind) => sql`delete from ${target('call_attempts')} where call_id in ${idsIn(args.ids, kind)}`),
  sqlStatement((args, kind) => sql`delete from ${target('call_cycles')} where call_id in ${idsIn(args.ids, kind)}`),
  sqlStatement((args, kind) => sql`delete from ${target('call_causes')} where call_id in ${idsIn(args.ids, kind)}`),
  sqlStatement((args, kind) => sql`delete from ${target('calls')} where id in ${idsIn(args.ids, kind)}`),
];

/** Deletes causes without a call, failed attempts without a call, and messages without a cause. */
const deletesWithoutCall: readonly Deletion[] = [
  sqlStatement(
    (args) => sql`delete from ${target('call_causes')} where id in (select id from ${table('call_causes')}
      where call_id is null and ended_at < ${args.before} order by id limit ${rowsAStep})`,
  ),
  sqlStatement(
    (args) => sql`delete from ${target('call_attempts')} where id in (select id from ${table('call_attempts')}
      where created_at < ${args.before} and call_id = 0 order by created_at limit ${rowsAStep})`,
  ),
  sqlStatement(
    (
      args,
    ) => sql`delete from ${target('call_messages')} where id in (select id from ${table('call_messages')} where created_at < ${args.before}
      and not exists (select 1 from ${table('call_causes')} where message_id = call_messages.id) order by id limit ${rowsAStep})`,
  ),
];

/** Conversations contain texts of alarms, and nobody needs them after the call. */
const removeConversations: Deletion = sqlStatement(
  (args) => sql`delete from ${target('conversations')} where id in (select id from ${table('conversations')}
    where ended_at < ${args.before} order by id limit ${rowsAStep})`,
);

const removePhoneMessages: Deletion = sqlStatement(
  (args) => sql`delete from ${target('phone_messages')} where id in (select id from ${table('phone_messages')}
    where created_at < ${args.before} and state in ('ended', 'delivered') order by id limit ${rowsAStep})`,
);
