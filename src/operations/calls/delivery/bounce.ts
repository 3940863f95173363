// Stores that a mail which a server had taken was not delivered after all: the next number follows.

import { storedReason } from '../../../domain/channels/words/provider-reason.ts';
import { AppError } from '../../../errors.ts';
import { appendEvent } from '../../../store/event-log.ts';
import { statement } from '../../../store/statement.ts';
import type { Operation } from '../../../store/store.ts';
import { selectAttempt } from '../attempts.ts';
import { callsChanged } from '../engine/call-events.ts';

type Bounce = { readonly attemptId: number /** As in RFC 3463, such as 5.1.1. */; readonly status: string };

/** An attempt that was answered stays answered. */
export const noteBounce: Operation<Bounce, void> = {
  name: 'note-bounce',
  async run(tx, now, { attemptId, status }) {
    const row = await tx.one(selectAttempt, { id: attemptId });
    if (row === undefined || row.outcome !== null) return;
    // The mail server has not confirmed the mail yet: the mailbox hands the bounce over again.
    if (row.state === 'due' || row.state === 'started')
      throw new AppError('unavailable', 'The attempt is under way.', { retryAfterSeconds: 30 });
    const outcome = status.startsWith('5.1.') ? 'badNumber' : 'undeliverable';
    const detail = storedReason({ code: 'mail-bounced', status });
    await tx.run(setBounced, { id: attemptId, outcome, detail });
    await appendEvent(tx, now, { kind: callsChanged, actor: 'system', subjectId: row.call_id });
  },
};

/** It is a try in which nobody was reached, whatever delivery counted as, and the address is not tried again for the same alarm. */
const setBounced = statement((db, args: { id: number; outcome: string; detail: string }) =>
  db
    .updateTable('call_attempts')
    .set((eb) => ({
      state: 'failed',
      outcome: args.outcome,
      detail: args.detail,
      counts: 1,
      is_final: 1,
      ack_at: null,
      answers: '[]',
      version: eb('version', '+', 1),
    }))
    .where('id', '=', args.id)
    .where('outcome', 'is', null),
);
