// Cancels the messages, tests and drills of a call; the calls of an alarm end by acknowledging or masking it.

import { type Caller, seesStation } from '../../../domain/access/access.ts';
import { visibilityOf } from '../../../domain/people/visibility.ts';
import { AppError } from '../../../errors.ts';
import { appendEvent } from '../../../store/event-log.ts';
import { statement } from '../../../store/statement.ts';
import type { Operation } from '../../../store/store.ts';
import { appendAudit, onlyStation } from '../../audit/append.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { callsChanged } from '../engine/call-events.ts';
import { endCauses } from '../engine/rows/escalation-rows.ts';
import { seenAmong } from '../views/open-calls.ts';

/** `by` is the reference to the person, or the name of the key. */
type Cancel = { readonly caller: Caller; readonly id: number; readonly by: string };

/** Ends what can be cancelled; a call that an alarm has as well goes on for the alarm. */
export const cancelCall: Operation<Cancel, void> = {
  name: 'cancel-call',
  async run(tx, now, { caller, id, by }) {
    if (!(await seenAmong(tx, caller, [id])).includes(id)) throw new AppError('not-found', `There is no call ${id}.`);
    const open = await tx.all(selectOpen, { id });
    if (open.length === 0) throw new AppError('already-done', 'The call has ended already.');
    const visibility = visibilityOf(caller, (await readCallConfiguration(tx)).snapshot);
    const seesTarget = ({ target_kind, target_id }: (typeof open)[number]): boolean =>
      target_kind === 'group' ? visibility.seesGroup(target_id) : visibility.seesPerson(target_id);
    const isOwn = (cause: (typeof open)[number]): boolean => seesStation(caller, cause.station_id) && seesTarget(cause);
    const cancelled = open.filter((cause) => (cause.kind === 'message' || cause.kind === 'test') && isOwn(cause));
    if (cancelled.length === 0)
      throw new AppError(
        'unprocessable',
        'People are called for an alarm, which cannot be cancelled: acknowledge or mask the alarm.',
      );
    const reason = { code: 'cancelled', by } as const;
    await endCauses(
      tx,
      cancelled.map((cause) => ({ causeId: cause.cause_id ?? cause.id, at: now, by: 'cancelled', reason })),
    );
    await appendEvent(tx, now, { kind: callsChanged, actor: caller.actor, subjectId: id });
    const stationIds = [...new Set(cancelled.map(({ station_id }) => station_id))];
    await appendAudit(tx, now, {
      kind: 'call.cancelled',
      origin: caller,
      stationId: onlyStation(stationIds),
      subject: `call:${id}`,
      after: { messageIds: cancelled.flatMap(({ message_id }) => message_id ?? []) },
    });
  },
};

const selectOpen = statement((db, args: { id: number }) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'cause_id', 'kind', 'station_id', 'message_id', 'target_kind', 'target_id'])
    .where('call_id', '=', args.id)
    .where('ended_at', 'is', null)
    .where('state', '<>', 'exhausted')
    .orderBy('id'),
);
