// Purges causes and attempts of calls past their retention time, a few per transaction, and the recordings of messages before that.

import { sql } from 'kysely';
import { type Statement, sqlStatement } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { Instant, Operation } from '../../store/store.ts';

/** Small enough that a transaction delays no alarm; the caller repeats the operation until nothing is left. */
const rowsAStep = 500;
/** A recording has megabytes. */
const recordingsAStep = 20;

type PurgeInput = {
  readonly before: Instant;
  /** The sound of a message is removed earlier than the message. */
  readonly recordingsBefore: Instant;
  /** Messages of simulated phones are deleted with the event log. */
  readonly phonesBefore: Instant;
};

/** Returns whether there may be more to delete. */
export const purgeCalls: Operation<PurgeInput, boolean> = {
  name: 'trim-calls',
  async run(tx, _now, { before, recordingsBefore, phonesBefore }) {
    const phones = await tx.run(removePhoneMessages, { before: phonesBefore });
    const conversations = await tx.run(removeConversations, { before: phonesBefore });
    const recordings = await tx.run(removeRecordings, { before: recordingsBefore });
    const removed = [phones, conversations];
    for (const deletion of deletions) removed.push(await tx.run(deletion, { before }));
    return recordings === recordingsAStep || removed.includes(rowsAStep);
  },
};

type Deletion = Statement<{ before: number }, unknown>;

/** The first attempt of all causes that somebody is still called for: of one that was called in vain nothing more is read. */
const firstNeeded = sql`select min(attempts_from) from ${table('call_causes')} where cause_id in
  (select cause_id from ${table('call_causes')} where state = 'open')`;

/** Deletes causes that ended, attempts that no open cause needs, and messages without a cause. */
const deletions: readonly Deletion[] = [
  sqlStatement(
    (args) => sql`delete from ${target('call_causes')} where id in (select id from ${table('call_causes')}
      where ended_at < ${args.before} order by ended_at limit ${sql.lit(rowsAStep)})`,
  ),
  sqlStatement(
    (args) => sql`delete from ${target('call_attempts')} where id in (select id from ${table('call_attempts')}
      where created_at < ${args.before} and ended_at is not null
      and id < coalesce((${firstNeeded}), id + 1)
      order by created_at limit ${sql.lit(rowsAStep)})`,
  ),
  sqlStatement(
    (
      args,
    ) => sql`delete from ${target('call_messages')} where id in (select id from ${table('call_messages')} where created_at < ${args.before}
      and not exists (select 1 from ${table('call_causes')} where message_id = call_messages.id) order by created_at limit ${sql.lit(rowsAStep)})`,
  ),
];

/** Conversations contain texts of alarms, and nobody needs them after the call. */
const removeConversations: Deletion = sqlStatement(
  (args) => sql`delete from ${target('conversations')} where id in (select id from ${table('conversations')}
    where ended_at < ${args.before} order by ended_at limit ${sql.lit(rowsAStep)})`,
);

const removePhoneMessages: Deletion = sqlStatement(
  (args) => sql`delete from ${target('phone_messages')} where id in (select id from ${table('phone_messages')}
    where created_at < ${args.before} and state in ('ended', 'delivered') order by created_at limit ${sql.lit(rowsAStep)})`,
);

/** A call that is still open plays its recording, however old that is. */
const removeRecordings: Deletion = sqlStatement(
  (args) => sql`update ${target('call_messages')} set audio = '' where id in (select id from ${table('call_messages')}
    where audio <> '' and created_at < ${args.before} and not exists (select 1 from ${table('call_causes')}
      where message_id = call_messages.id and ended_at is null) order by created_at limit ${sql.lit(recordingsAStep)})`,
);
