// Statements on conversations.

import { statement } from '../../store/statement.ts';
import type { Instant } from '../../store/store.ts';

const columns = ['id', 'attempt_id', 'user_id', 'menu', 'ended_at'] as const;

export const selectByAttempt = statement((db, args: { attemptId: number }) =>
  db.selectFrom('conversations').select(columns).where('attempt_id', '=', args.attemptId),
);

type NewConversation = { attemptId: number | null; userId: number; menu: string; now: Instant };

export const insertConversation = statement<NewConversation, { id: number }>((db, args) =>
  db
    .insertInto('conversations')
    .values({ attempt_id: args.attemptId, user_id: args.userId, menu: args.menu, began_at: args.now })
    .returning('id'),
);

export const setMenu = statement((db, args: { id: number; menu: string }) =>
  db.updateTable('conversations').set({ menu: args.menu }).where('id', '=', args.id),
);

export const setEnded = statement((db, args: { id: number; now: Instant }) =>
  db.updateTable('conversations').set({ ended_at: args.now }).where('id', '=', args.id).where('ended_at', 'is', null),
);

export const setUser = statement((db, args: { id: number; userId: number }) =>
  db.updateTable('conversations').set({ user_id: args.userId }).where('id', '=', args.id),
);

/** The row of a person who rang in belongs to no call that would end it. */
export const endRingIn = statement((db, args: { attemptId: number; now: Instant }) =>
  db
    .updateTable('call_attempts')
    .set({ ended_at: args.now, ended_by: 'channel' })
    .where('id', '=', args.attemptId)
    .where('cause', '=', 'ringIn')
    .where('ended_at', 'is', null),
);

export const selectPin = statement((db, args: { userId: number }) =>
  db.selectFrom('users').select('pin_hash').where('id', '=', args.userId),
);
