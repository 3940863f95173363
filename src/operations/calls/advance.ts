// Advances calls: starts calls for due causes, steps due calls, renews the leases of attempts, and stores their outcomes.

import { type Call, type CallTarget, callDue, hasAcknowledged, targetName } from '../../domain/calls/call.ts';
import type { Delivery } from '../../domain/calls/delivery.ts';
import { type Instant, type Operation, type Query, setOperation, type Tx } from '../../store/store.ts';
import { raiseSystemAlarm, writeUnitOfWork } from '../alarms/intake/report.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { noteSuccess } from '../providers/health.ts';
import { beginUnitOfWork } from '../unit-of-work.ts';
import { endHeard, endSent, openAnnouncedOf } from './announced.ts';
import { howEnded, storeEnds } from './attempt-ends.ts';
import { lapseAttempts, renewAttempts, selectAttempts, selectHeld, selectHeldAndWanted } from './attempts.ts';
import { callRows, causeRows } from './call-rows.ts';
import { freeLines } from './free-lines.ts';
import { selectDueCalls, selectDueCauses, selectOpenCausesOf } from './queries.ts';
import type { CauseOrigin } from './tables.ts';

/** Small enough that a transaction delays no others; the caller repeats the operation until nothing is due. */
const causesAStep = 500;
const callsAStep = 100;

/** The row that an operation on due rows is for; without it, all that are due. */
type DueInput = { readonly onlyId?: number };

/** Begins or extends calls for causes that are due. */
export const startCalls: Operation<DueInput, void> = {
  name: 'start-calls',
  async run(tx, now, { onlyId }) {
    const found = await tx.all(selectDueCauses, { now, limit: causesAStep });
    const due = found.filter(({ id }) => onlyId === undefined || id === onlyId);
    if (due.length === 0) return;
    const known = await endRaisedAgain(tx, now, due);
    const unit = beginUnitOfWork(tx, now);
    await unit.calls.callFor(
      due.map((cause) => ({
        id: cause.id,
        target: targetOf(cause),
        reason: reasonOf(cause),
        isNewAlarm: isNewAlarm(cause, known),
      })),
    );
    await writeUnitOfWork(tx, now, unit);
  },
};

/** Advances calls that are due. Returns the ids of calls that are due again at once. */
export const stepCalls: Operation<DueInput, readonly number[]> = {
  name: 'step-calls',
  async run(tx, now, { onlyId }) {
    const found = await tx.all(selectDueCalls, { now, limit: callsAStep });
    const due = found.filter(({ id }) => onlyId === undefined || id === onlyId);
    const unit = beginUnitOfWork(tx, now);
    await unit.calls.load(due.map(({ id }) => id));
    unit.calls.applyMostUrgentFirst(due.map(({ id }) => ({ callId: id, event: { kind: 'time' } })));
    // A call that was woken without need has nothing to write but when it goes on.
    const idle = due.filter(({ id }) => !unit.calls.isChanged(id));
    await tx.each(
      callRows.setNextDue,
      idle.map(({ id }) => ({ id, next_due: nextDueOf(unit.calls.call(id)) ?? null })),
    );
    await writeUnitOfWork(tx, now, unit);
    return due.map(({ id }) => id).filter((id) => (nextDueOf(unit.calls.call(id)) ?? Number.POSITIVE_INFINITY) <= now);
  },
};

function nextDueOf(call: Call | undefined): Instant | undefined {
  return call === undefined || call.phase === 'ended' ? undefined : callDue(call);
}

/** The ids of the causes and calls that are due, as many as one step takes. */
export const listDueRows: Query<{ readonly now: Instant }, Readonly<Record<'causes' | 'calls', readonly number[]>>> = {
  name: 'list-due-rows',
  async run(tx, { now }) {
    const causes = await tx.all(selectDueCauses, { now, limit: causesAStep });
    const calls = await tx.all(selectDueCalls, { now, limit: callsAStep });
    return { causes: causes.map(({ id }) => id), calls: calls.map(({ id }) => id) };
  },
};

/** Ends the leases of nodes that are known to have ended, by the prefix of their ids; run when a server starts. */
export const lapseLeases: Operation<{ readonly ofNodes: string }, void> = {
  name: 'lapse-leases',
  async run(tx, now, { ofNodes }) {
    await tx.run(lapseAttempts, { now, nodes: `${ofNodes}%` });
  },
};

type LeaseInput = {
  readonly node: string;
  readonly leaseMs: number;
  readonly attemptIds: readonly number[];
  /** Selects only attempts still wanted: a person may have acknowledged since they were taken. */
  readonly isBeforeDelivery?: boolean;
};

/** Renews leases; returns the ids of the attempts this node still holds. */
export const renewLeases: Operation<LeaseInput, readonly number[]> = {
  name: 'renew-leases',
  async run(tx, now, { node, leaseMs, attemptIds, isBeforeDelivery = false }) {
    const select = isBeforeDelivery ? selectHeldAndWanted : selectHeld;
    const held = await tx.all(select, { ids: JSON.stringify(attemptIds), node });
    const ids = held.map(({ id }) => id);
    if (ids.length > 0) await tx.run(renewAttempts, { ids: JSON.stringify(ids), until: now + leaseMs });
    return ids;
  },
};

type EndInput = { readonly node: string; readonly attemptId: number; readonly delivery: Delivery };

/** Stores the outcomes of attempts and advances their calls. Ignores attempts that another node has taken over. */
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

type AttemptRow = Parameters<typeof storeEnds>[2][number]['row'] & {
  readonly cycle_id: number;
  readonly announced: string | null;
  readonly provider_id: number | null;
};

type EndedAttempt = { readonly row: AttemptRow; readonly delivery: Delivery };

/** A delivery that its provider is not to blame for shows that the provider works; one that was given up here shows nothing. */
async function noteWorking(tx: Tx, now: Instant, ended: readonly EndedAttempt[]): Promise<void> {
  const hasWorked = ({ delivery }: EndedAttempt): boolean =>
    delivery.kind === 'delivered' || (delivery.fault === undefined && delivery.outcome !== 'cancelled');
  const worked = ended.filter(hasWorked);
  for (const id of new Set(worked.flatMap(({ row }) => row.provider_id ?? []))) await noteSuccess(tx, now, id);
}

async function closeAttempts(tx: Tx, now: Instant, ended: readonly EndedAttempt[]): Promise<void> {
  await noteWorking(tx, now, ended);
  const ends = ended.map(({ row, delivery }) => ({ row, how: howEnded(row.channel, delivery) }));
  await storeEnds(tx, now, ends);
  const waiting = await freeLines(
    tx,
    now,
    ended.map(({ row }) => row.user_id),
  );
  const unit = beginUnitOfWork(tx, now);
  const { calls } = unit;
  await calls.load([...ended.map(({ row }) => row.call_id), ...waiting]);
  // Only people who were reached can have heard an announcement.
  const reached = ended.filter(({ delivery }) => delivery.kind === 'delivered').map(({ row }) => row);
  const announced = await openAnnouncedOf(tx, reached);
  const endings = ended.map(({ row, delivery }) => {
    const outcome = delivery.kind === 'delivered' ? ({ kind: 'reached' } as const) : delivery;
    const hasMore = announced.get(row)?.hasMore ?? false;
    const event = { kind: 'attempt-ended', cycleId: row.cycle_id, outcome, hasMore } as const;
    return { callId: row.call_id, event };
  });
  // At equal priority, a call that waited for the line goes before the call that had it.
  calls.applyMostUrgentFirst([...waiting.map((callId) => ({ callId, event: { kind: 'time' } as const })), ...endings]);
  for (const { row, delivery } of ended) {
    const cycle = calls.call(row.call_id)?.cycles.find(({ id }) => id === row.cycle_id);
    const isHeard = delivery.kind === 'delivered' && cycle !== undefined && hasAcknowledged(cycle);
    const named = announced.get(row)?.named ?? [];
    if (isHeard) await endHeard(tx, now, named);
    else if (delivery.kind === 'delivered') await endSent(tx, now, named);
  }
  await writeUnitOfWork(tx, now, unit);
  for (const { row, delivery } of ended)
    if (delivery.kind === 'failed' && delivery.outcome === 'badNumber') await reportBadNumber(tx, now, row);
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

type DueCause = {
  readonly id: number;
  readonly list: string;
  readonly alarm_id: number | null;
  readonly history_id: number | null;
  readonly origin?: CauseOrigin | null;
} & TargetRow;
/** The list of causes that come from no action of an alarm: messages, tests and drills. */
const messageList = '';

type TargetRow = { readonly target_kind: string; readonly target_id: number };

function targetOf({ target_kind, target_id }: TargetRow): CallTarget {
  return { kind: target_kind as CallTarget['kind'], id: target_id };
}

/** Returns why a call begins for the cause; undefined: because it was raised. */
function reasonOf({ origin }: { readonly origin: CauseOrigin | null }): string | undefined {
  if (origin === null) return undefined;
  return origin === 'ack-expired' ? 'the acknowledgement expired' : 'the alarm became more urgent';
}

/**
 * Whether the target has to be called for it: a message, or an alarm whose occurrence it is not called for yet, or not as
 * urgently as it is now. A return to normal or an acknowledgement starts no call: it is told in the calls that are made anyway.
 */
function isNewAlarm(cause: DueCause, known: readonly DueCause[]): boolean {
  const target = targetName(targetOf(cause));
  const isSame = (other: DueCause): boolean =>
    other.history_id === cause.history_id && targetName(targetOf(other)) === target;
  if (cause.list === messageList) return true;
  return cause.list === 'alarm' && (cause.origin === 'more-urgent' || !known.some(isSame));
}

/**
 * Ends the older causes of alarms raised again during a call, so that each alarm is announced once, in its current
 * state; returns those that had a call.
 */
async function endRaisedAgain(tx: Tx, now: Instant, due: readonly DueCause[]): Promise<readonly DueCause[]> {
  const keyOf = (cause: Omit<DueCause, 'id'>): string =>
    `${cause.alarm_id} ${cause.list} ${targetName(targetOf(cause))}`;
  const newest = new Map(due.filter(({ alarm_id }) => alarm_id !== null).map((cause) => [keyOf(cause), cause.id]));
  if (newest.size === 0) return [];
  const alarmIds = JSON.stringify([...new Set(due.flatMap(({ alarm_id }) => alarm_id ?? []))]);
  const open = await tx.all(selectOpenCausesOf, { alarmIds });
  const older = open.filter((cause) => newest.has(keyOf(cause)) && cause.id < (newest.get(keyOf(cause)) ?? 0));
  await tx.each(
    causeRows.end,
    older.map(({ id }) => ({ id, ended_at: now, ended_by: 'raised-again', end_reason: 'raised again' })),
  );
  return older.filter(({ call_id }) => call_id !== null);
}
