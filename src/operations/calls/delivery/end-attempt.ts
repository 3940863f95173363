// Stores the outcomes of deliveries, with the verdict whether a failure uses up a try of the person.

import type { Delivery, DeliveryFailure } from '../../../domain/calls/delivery.ts';
import { appendEvents } from '../../../store/event-log.ts';
import { type Instant, setOperation, type Tx } from '../../../store/store.ts';
import { raiseSystemAlarm } from '../../alarms/intake/report.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { noteSuccess } from '../../providers/health.ts';
import { announcedIn } from '../announced.ts';
import { howEnded, storeEnds } from '../attempt-ends.ts';
import { noteReachedAck, selectAttempts } from '../attempts.ts';
import { callsChanged } from '../engine/call-events.ts';
import { answersOf } from '../engine/rows/attempt-rows.ts';
import { keepAnswered } from '../engine/rows/earlier-attempts.ts';
import { reportFault } from './attempt-faults.ts';
import { verdictOf } from './verdict.ts';

type EndInput = { readonly node: string; readonly attemptId: number; readonly delivery: Delivery };

/** Ignores attempts that another node has taken over. */
export const endAttempt = setOperation<EndInput, void>('end-attempt', async (tx, jobs) => {
  const now = Math.max(...jobs.map((job) => job.now));
  const rows = await tx.all(selectAttempts, { ids: JSON.stringify(jobs.map(({ input }) => input.attemptId)) });
  const ended = rows.flatMap((row) => {
    const job = jobs.find(({ input }) => input.attemptId === row.id && input.node === row.lease_by);
    return job === undefined || row.state !== 'started' ? [] : [{ row, delivery: job.input.delivery }];
  });
  if (ended.length > 0) await closeAttempts(tx, now, ended);
  return jobs.map(() => ({ kind: 'done', outcome: undefined }));
});

type AttemptRow = Parameters<typeof storeEnds>[2][number]['row'] &
  Parameters<typeof verdictOf>[2] & {
    readonly provider_id: number | null;
    readonly started_at: Instant | null;
    readonly kind: string;
    readonly answers: string;
    readonly created_at: Instant;
    readonly announced: string | null;
    readonly announced_causes: string | null;
  };

type EndedAttempt = { readonly row: AttemptRow; readonly delivery: Delivery };

async function closeAttempts(tx: Tx, now: Instant, ended: readonly EndedAttempt[]): Promise<void> {
  await noteWorking(tx, now, ended);
  const ends = [];
  for (const { row, delivery } of ended)
    ends.push({ row, how: howEnded(row.channel, delivery, await verdictOf(tx, now, row, delivery)) });
  await storeEnds(tx, now, ends);
  await acknowledgeReached(tx, now, ended);
  await appendEvents(
    tx,
    ended.map(({ row }) => ({ kind: callsChanged, actor: 'system', subjectId: row.call_id, at: now })),
  );
  for (const { row, delivery } of ended)
    if (delivery.kind === 'failed' && delivery.outcome === 'badNumber') await reportBadNumber(tx, now, row);
    else if (delivery.kind === 'failed' && delivery.failure === 'own-fault') await reportFault(tx, now, row.user_id);
}

/** Of a number such as a pager, being reached counts as having heard all that was announced. */
async function acknowledgeReached(tx: Tx, now: Instant, ended: readonly EndedAttempt[]): Promise<void> {
  const { snapshot } = await readCallConfiguration(tx);
  const isAcknowledged = ({ row, delivery }: EndedAttempt): boolean => {
    const number = snapshot.people.get(row.user_id)?.numbers.find(({ id }) => id === row.number_id);
    return delivery.kind === 'delivered' && row.kind === 'call' && number?.acksWhenReached === true;
  };
  for (const { row } of ended.filter(isAcknowledged)) {
    const heard = announcedIn(row).causes.map((causeId) => [causeId, 'heard', now] as const);
    await tx.run(noteReachedAck, { id: row.id, now, answers: JSON.stringify([...answersOf(row), ...heard]) });
    await keepAnswered(tx, row, announcedIn(row).causes);
  }
}

/** A delivery that its provider is not to blame for shows that the provider works; one that was given up here shows nothing. */
async function noteWorking(tx: Tx, now: Instant, ended: readonly EndedAttempt[]): Promise<void> {
  const hasWorked = ({ delivery }: EndedAttempt): boolean =>
    delivery.kind === 'delivered' ||
    (delivery.fault === undefined && !isOfTocsin(delivery.failure) && delivery.outcome !== 'cancelled');
  const byProvider = Map.groupBy(ended.filter(hasWorked), ({ row }) => row.provider_id);
  for (const [id, worked] of byProvider)
    if (id !== null) await noteSuccess(tx, now, id, Math.max(...worked.map(({ row }) => row.started_at ?? 0)));
}

function isOfTocsin(failure: DeliveryFailure | undefined): boolean {
  return failure === 'own-fault' || failure === 'cut-off';
}

/** A number that does not exist is a mistake in the directory, which somebody has to mend. */
async function reportBadNumber(tx: Tx, now: Instant, row: AttemptRow): Promise<void> {
  const { snapshot } = await readCallConfiguration(tx);
  const name = snapshot.people.get(row.user_id)?.name ?? '';
  await raiseSystemAlarm(tx, now, {
    path: `bad-number/${row.user_id}/${row.channel}`,
    priority: 2,
    message: { code: 'bad-number', parameters: { name, channel: row.channel } },
    isCalled: true,
  });
}
