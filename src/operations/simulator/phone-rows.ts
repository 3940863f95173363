// Statements and queries on the messages of simulated phones: ringing calls, sent texts, replies.

import { type Selectable, sql } from 'kysely';
import { outcomeText, type PhoneOutcome } from '../../domain/calls/phone-outcome.ts';
import { insertRows } from '../../store/row-batch.ts';
import { isOneOfIds, sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';

const columns = [
  'id',
  'user_id',
  'attempt_id',
  'channel',
  'address',
  'direction',
  'text',
  'state',
  'outcome',
  'created_at',
  'answered_at',
  'ended_at',
] as const;

/** The telephone call that rings or was answered on a phone. */
export const selectOnLine = statement((db, args: { userId: number }) =>
  db
    .selectFrom('phone_messages')
    .select(columns)
    .where('user_id', '=', args.userId)
    .where('state', 'in', [sql.lit('ringing'), sql.lit('answered')]),
);

export const selectByAttempt = statement((db, args: { attemptId: number }) =>
  db.selectFrom('phone_messages').select(columns).where('attempt_id', '=', args.attemptId),
);

/** Returns the attempt that a phone is on the line for. */
export const getPhoneLine: Query<{ userId: number }, { readonly attemptId: number } | undefined> = {
  name: 'get-phone-line',
  isQuick: true,
  async run(tx, args) {
    const attemptId = (await tx.one(selectOnLine, args))?.attempt_id;
    return attemptId == null ? undefined : { attemptId };
  },
};

export const phoneRows = {
  insert: insertRows('phone_messages', {
    user_id: 'int',
    attempt_id: 'int',
    channel: 'text',
    address: 'text',
    direction: 'text',
    text: 'text',
    state: 'text',
    outcome: 'text',
    created_at: 'int',
  }),
};

/** The attempts among the ids that have a phone message already. */
export const selectShown = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('phone_messages')
    .select('attempt_id')
    .where(isOneOfIds('attempt_id', args.ids, kind)),
);

const selectOfUser = statement((db, args: { userId: number; limit: number }) =>
  db
    .selectFrom('phone_messages')
    .select(columns)
    .where('user_id', '=', args.userId)
    .orderBy('id', 'desc')
    .limit(args.limit),
);

export type PhoneMessage = {
  readonly id: number;
  readonly userId: number;
  readonly attemptId: number | undefined;
  readonly channel: string;
  readonly address: string;
  readonly direction: string;
  readonly text: string;
  readonly state: string;
  /** Text for people. */
  readonly outcome: string;
  readonly createdAt: Instant;
  readonly answeredAt: Instant | undefined;
  readonly endedAt: Instant | undefined;
};

type MessageRow = Selectable<Tables['phone_messages']>;

function messageOf(row: MessageRow): PhoneMessage {
  return {
    id: row.id,
    userId: row.user_id,
    attemptId: row.attempt_id ?? undefined,
    channel: row.channel,
    address: row.address,
    direction: row.direction,
    text: row.text,
    state: row.state,
    outcome: outcomeText(row.outcome),
    createdAt: row.created_at,
    answeredAt: row.answered_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
  };
}

/** Returns the newest messages of one phone. */
export const listPhoneMessages: Query<{ userId: number; limit: number }, readonly PhoneMessage[]> = {
  name: 'list-phone-messages',
  async run(tx, args) {
    return (await tx.all(selectOfUser, args)).map(messageOf);
  },
};

const selectOfAll = sqlStatement<{ limit: number }, MessageRow>(
  (args) => sql`select ${sql.join(columns.map((name) => sql.ref(name)))} from (
      select ${sql.join(columns.map((name) => sql.ref(name)))}, row_number() over (partition by user_id order by id desc) as place from ${table('phone_messages')})
      as ranked where place <= ${args.limit} order by user_id, id desc`,
);

/** A phone with its newest messages; the name is empty if the user was removed. */
export type Phone = { readonly userId: number; readonly name: string; readonly messages: readonly PhoneMessage[] };

/** Returns the phones that have messages, with the newest of each. */
export const listPhones: Query<{ limit: number }, readonly Phone[]> = {
  name: 'list-phones',
  async run(tx, args) {
    const { snapshot } = await readCallConfiguration(tx);
    const byUser = Map.groupBy((await tx.all(selectOfAll, args)).map(messageOf), ({ userId }) => userId);
    return [...byUser].map(([userId, messages]) => {
      const name = snapshot.people.get(userId)?.name ?? '';
      return { userId, name, messages };
    });
  },
};

type RingState = { readonly state: string; readonly outcome: PhoneOutcome; readonly created_at: Instant };

/** Returns the telephone call of an attempt, for a node that may have missed its end. */
export const getRing: Query<{ attemptId: number }, RingState | undefined> = {
  name: 'get-ring',
  isQuick: true,
  async run(tx, args) {
    const row = await tx.one(selectByAttempt, args);
    return row && { ...row, outcome: row.outcome as PhoneOutcome };
  },
};
