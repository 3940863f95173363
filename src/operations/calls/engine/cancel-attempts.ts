// Stops attempts that nobody is owed any more: those not begun end at once, and the node that carries the others ends them.

import type { Reason } from '../../../domain/escalation/reason.ts';
import { reasonIn } from '../../../domain/escalation/words/catalogue.ts';
import { appendEvents } from '../../../store/event-log.ts';
import { updateRows } from '../../../store/row-batch.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { attemptCancelled } from './call-events.ts';
import { actorOf } from './reason-actor.ts';

type Cancelled = { readonly attemptId: number; readonly reason: Reason };

export async function cancelAttempts(tx: Tx, now: Instant, cancelled: readonly Cancelled[]): Promise<void> {
  if (cancelled.length === 0) return;
  const reasons = new Map(cancelled.map(({ attemptId, reason }) => [attemptId, reason]));
  const rows = (await tx.all(selectStates, { ids: JSON.stringify([...reasons.keys()]) })).map((row) => ({
    ...row,
    reason: reasons.get(row.id) ?? ({ code: 'sent' } as const),
  }));
  await tx.each(
    endDue,
    rows
      .filter(({ state }) => state === 'due')
      .map(({ id, reason, version }) => ({
        id,
        state: 'cancelled',
        outcome: 'cancelled',
        ended_by: actorOf(reason),
        ended_at: now,
        cancel_reason: JSON.stringify(reason),
        detail: reasonIn('en', reason),
        version: version + 1,
      })),
  );
  // Who is not to be called any more hears a call that has begun meanwhile to its end.
  const started = rows.filter(({ state, reason }) => state === 'started' && reason.code !== 'not-to-be-called');
  await tx.each(
    stop,
    started.map(({ id, reason }) => ({ id, cancel_reason: JSON.stringify(reason) })),
  );
  await appendEvents(
    tx,
    started.map(({ id }) => ({ kind: attemptCancelled, actor: 'system', subjectId: id, at: now })),
  );
}

const selectStates = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select(['id', 'state', 'version'])
    .where(isOneOfIds('id', args.ids, kind)),
);

const id = { id: 'int' } as const;

const endDue = updateRows('call_attempts', id, {
  state: 'text',
  outcome: 'text',
  ended_by: 'text',
  ended_at: 'int',
  cancel_reason: 'text',
  detail: 'text',
  version: 'int',
});

const stop = updateRows('call_attempts', id, { cancel_reason: 'text' });
