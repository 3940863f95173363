// Statements on inbound messages, each of which counts once.

import { sql } from 'kysely';
import { sqlStatement, statement } from '../../../store/statement.ts';
import { table, target } from '../../../store/statement-tables.ts';
import type { Instant, Tx } from '../../../store/store.ts';

type MessageKey = { readonly source: string; readonly key: string };

export const selectInbound = statement((db, args: MessageKey) =>
  db.selectFrom('inbound_messages').select('id').where('source', '=', args.source).where('message_key', '=', args.key),
);

type NewInbound = MessageKey & {
  readonly userId: number | null;
  readonly attemptId: number | null;
  readonly outcome: string;
  readonly now: Instant;
};

export const insertInbound = statement<NewInbound>((db, args) =>
  db.insertInto('inbound_messages').values({
    source: args.source,
    message_key: args.key,
    user_id: args.userId,
    attempt_id: args.attemptId,
    outcome: args.outcome,
    created_at: args.now,
  }),
);

/** Replies of a person that named no text of theirs. */
export const countRefused = statement((db, args: { userId: number; since: Instant }) =>
  db
    .selectFrom('inbound_messages')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', args.userId)
    .where('created_at', '>', args.since)
    .where('outcome', 'in', ['nothing', 'how', 'which', 'too-many']),
);

/** A mailbox that is restored or read anew may bring old messages again; older ones are not looked at. */
const keptMs = 30 * 86_400_000;
const rowsAStep = 500;

/** Removes old messages, a few at a time; returns how many. */
export function forgetInbound(tx: Tx, now: Instant): Promise<number> {
  return tx.run(removeOld, { before: now - keptMs });
}

const removeOld = sqlStatement<{ before: number }>(
  (args) => sql`delete from ${target('inbound_messages')} where id in (
    select id from ${table('inbound_messages')} where created_at < ${args.before}
    order by created_at limit ${sql.lit(rowsAStep)})`,
);
