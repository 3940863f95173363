// Stores that a mail which a server had taken was not delivered after all, and lets the call go on with the next number.

import { AppError } from '../../../errors.ts';
import { appendEvent } from '../../../store/event-log.ts';
import { statement } from '../../../store/statement.ts';
import type { Operation } from '../../../store/store.ts';
import { writeUnitOfWork } from '../../alarms/intake/report.ts';
import { beginUnitOfWork } from '../../unit-of-work.ts';
import { selectAttempt } from '../attempts.ts';

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
    const detail = `a mail server reported that it was not delivered (${status})`;
    await tx.run(setBounced, { id: attemptId, outcome, detail });
    await appendEvent(tx, now, { kind: 'calls.changed', actor: 'system', subjectId: row.call_id });
    const unit = beginUnitOfWork(tx, now);
    await unit.calls.load([row.call_id]);
    const bounced = { cycleId: row.cycle_id, attempt: row.attempt, reason: 'the mail was not delivered' };
    unit.calls.apply(row.call_id, { kind: 'attempt-bounced', ...bounced });
    await writeUnitOfWork(tx, now, unit);
  },
};

const setBounced = statement((db, args: { id: number; outcome: string; detail: string }) =>
  db
    .updateTable('call_attempts')
    .set({ state: 'failed', outcome: args.outcome, detail: args.detail })
    .where('id', '=', args.id)
    .where('outcome', 'is', null),
);
