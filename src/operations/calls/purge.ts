// Removes calls whose time is over, a few at a time, with everything that belongs to them.

import { sql } from 'kysely';
import { idsIn, type Statement, sqlStatement } from '../../store/statement.ts';
import type { Instant, Operation } from '../../store/store.ts';

/** Few enough that a step delays no alarm; whoever calls repeats it until nothing is left. */
const callsAStep = 50;
const rowsAStep = sql.lit(500);

type Trim = {
  readonly before: Instant;
  /** What the simulator's phones showed is kept no longer than the event log. */
  readonly phonesBefore: Instant;
};

/** Answers whether there may be more. */
export const trimCalls: Operation<Trim, boolean> = {
  name: 'trim-calls',
  async run(tx, _now, { before, phonesBefore }) {
    const phones = await tx.run(removePhoneMessages, { before: phonesBefore });
    const over = await tx.all(selectOldCalls, { before });
    const ids = JSON.stringify(over.map(({ id }) => id));
    if (over.length > 0) for (const remove of ofCalls) await tx.run(remove, { ids });
    for (const remove of withoutCall) await tx.run(remove, { before });
    return over.length === callsAStep || phones === 500;
  },
};

type Removal = Statement<{ before: number }, unknown>;

const selectOldCalls = sqlStatement<{ before: number }, { id: number }>(
  (args) => sql`select id from calls where ended_at < ${args.before} order by ended_at limit ${sql.lit(callsAStep)}`,
);

const ofCalls: readonly Statement<{ ids: string }, unknown>[] = [
  sqlStatement((args, kind) => sql`delete from call_attempts where call_id in ${idsIn(args.ids, kind)}`),
  sqlStatement((args, kind) => sql`delete from call_cycles where call_id in ${idsIn(args.ids, kind)}`),
  sqlStatement((args, kind) => sql`delete from call_causes where call_id in ${idsIn(args.ids, kind)}`),
  sqlStatement((args, kind) => sql`delete from calls where id in ${idsIn(args.ids, kind)}`),
];

/** Causes that came to no call, people who could not even be tried, and messages nobody is called for any more. */
const withoutCall: readonly Removal[] = [
  sqlStatement(
    (args) => sql`delete from call_causes where id in (select id from call_causes
      where call_id is null and ended_at < ${args.before} order by id limit ${rowsAStep})`,
  ),
  sqlStatement(
    (args) => sql`delete from call_attempts where id in (select id from call_attempts
      where created_at < ${args.before} and call_id = 0 order by created_at limit ${rowsAStep})`,
  ),
  sqlStatement(
    (args) => sql`delete from call_messages where id in (select id from call_messages where created_at < ${args.before}
      and not exists (select 1 from call_causes where message_id = call_messages.id) order by id limit ${rowsAStep})`,
  ),
];

const removePhoneMessages: Removal = sqlStatement(
  (args) => sql`delete from phone_messages where id in (select id from phone_messages
    where created_at < ${args.before} and state in ('ended', 'delivered') order by id limit ${rowsAStep})`,
);
