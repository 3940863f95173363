// Leases attempts to a node, each with the provider that carries it; what no provider has capacity for stays due.

import { type CallMessage, isSpoken } from '../../../domain/calls/delivery.ts';
import { mostAnnounced } from '../../../domain/calls/message-text.ts';
import { unusedCode } from '../../../domain/calls/replies/text-reply.ts';
import type { Instant, Operation, Query, Tx } from '../../../store/store.ts';
import { type Assigned, ProviderAssignment } from '../../providers/assign.ts';
import { announcedColumns, type OpenCausesOf, openForAttempts } from '../announced.ts';
import {
  attemptRows,
  renewAttempts,
  selectAttempt,
  selectDueAttempts,
  selectLapsedAttempts,
  selectSentTexts,
} from '../attempts.ts';
import { composeMessages } from '../messages/compose-messages.ts';
import { suspectsThatWait } from './quarantined-attempts.ts';
import { endUnwanted, endWithoutCause } from './unwanted-attempts.ts';

type TakeInput = {
  readonly node: string;
  readonly nodeName: string;
  readonly leaseMs: number;
  readonly replyCodes: readonly string[];
  /** Attempts this node is delivering: it renews their leases instead of taking them over from itself. */
  readonly heldAttemptIds: readonly number[];
  /** Attempts of lost nodes whose far ends are being released: they wait for that. Absent: none. */
  readonly releasingIds?: readonly number[];
  /** Whether the node only takes due attempts of priority 1. */
  readonly isOnlyUrgent?: boolean;
  /** The only attempt to be taken; without it, all that are due. */
  readonly onlyId?: number;
};

/** Returns the messages of the leased attempts, at most one per reply code. */
export const takeAttempts: Operation<TakeInput, readonly CallMessage[]> = {
  name: 'take-attempts',
  async run(tx, now, { node, nodeName, leaseMs, replyCodes, heldAttemptIds, isOnlyUrgent = false, onlyId, ...input }) {
    const { releasingIds = [] } = input;
    const waiting = await suspectsThatWait(tx, now, { heldIds: [...heldAttemptIds, ...releasingIds] });
    const hidden = JSON.stringify(waiting);
    const all = await tx.all(selectLapsedAttempts, { now, limit: mostLapsed, hidden });
    const found = all.filter(({ id }) => !releasingIds.includes(id));
    const late = found.filter(({ id }) => onlyId === undefined || id === onlyId).slice(0, replyCodes.length);
    const own = late.filter(({ id, lease_by }) => lease_by === node && heldAttemptIds.includes(id)).map(({ id }) => id);
    if (own.length > 0) await tx.run(renewAttempts, { ids: JSON.stringify(own), until: now + leaseMs });
    const lapsed = late.filter(({ id }) => !own.includes(id));
    const wanted = lapsed.filter(({ cancel_reason }) => cancel_reason === null);
    await endUnwanted(
      tx,
      now,
      lapsed.filter((row) => !wanted.includes(row)),
    );
    const assignment = await ProviderAssignment.load(tx, now, { node, nodeName, waiting });
    const due =
      onlyId === undefined
        ? await selectDeliverable(tx, assignment, { isOnlyUrgent, limit: replyCodes.length - wanted.length, waiting })
        : await selectOne(tx, assignment, waiting.includes(onlyId) ? undefined : onlyId);
    const kept = wanted.map((row) => assignment.keep(row)).filter((row) => row !== 'wait');
    const taken = [...kept, ...due];
    if (taken.length === 0) return [];
    const open = await openForAttempts(tx, taken, mostAnnounced);
    const owed = await endWithoutCause(tx, now, taken, open);
    if (owed.length === 0) return [];
    const rows = await withReplyCodes(tx, owed, replyCodes);
    const composed = await composeMessages(tx, rows, open);
    await tx.each(
      attemptRows.start,
      composed.map(({ row, named }) => ({
        id: row.id,
        state: 'started',
        started_at: row.started_at ?? now,
        lease_by: node,
        lease_until: now + leaseMs,
        reply_code: row.reply_code,
        ...announcing(row, named),
        provider_id: row.provider_id,
      })),
    );
    return composed.map(({ row, message }) => ({ ...message, hasNextProvider: assignment.hasNext(row) }));
  },
};

/** A telephone call announces what is open when it is answered. */
function announcing(row: AnnouncingRow, named: OpenCausesOf) {
  if (!isSpoken(row.channel)) return announcedColumns(named, row);
  return { announced: row.announced, announced_causes: row.announced_causes };
}

type AnnouncingRow = {
  readonly channel: string;
  readonly announced: string | null;
  readonly announced_causes: string | null;
};

type Coded = { readonly reply_code: string; readonly user_id: number; readonly channel: string };

/** Gives each attempt that has none a code by which a reply names it alone. */
async function withReplyCodes<Row extends Coded>(
  tx: Tx,
  rows: readonly Row[],
  drawn: readonly string[],
): Promise<readonly Row[]> {
  const needsCode = ({ reply_code, channel }: Row): boolean => reply_code === '' && !isSpoken(channel);
  const readers = new Map(rows.filter(needsCode).map((row) => [readerOf(row), row]));
  // Asked together, so that PostgreSQL answers them in one round trip.
  const used = await Promise.all(
    [...readers].map(async ([reader, { user_id: userId, channel }]) => {
      const texts = await tx.all(selectSentTexts, { userId, channel });
      return [reader, new Set(texts.map(({ reply_code }) => reply_code))] as const;
    }),
  );
  const usedBy = new Map(used);
  return rows.map((row, index) => {
    const code = drawn[index] ?? '';
    const codes = usedBy.get(readerOf(row));
    if (!needsCode(row) || codes === undefined) return { ...row, reply_code: row.reply_code || code };
    const reply_code = unusedCode(code, codes);
    codes.add(reply_code);
    return { ...row, reply_code };
  });
}

function readerOf({ user_id, channel }: Coded): string {
  return `${user_id} ${channel}`;
}

/** More than a node takes at once. */
const mostLapsed = 100;

/** Returns the attempt with its provider, if it is due and can be delivered now. */
async function selectOne(tx: Tx, assignment: ProviderAssignment, id: number | undefined) {
  const row = id === undefined ? undefined : await tx.one(selectAttempt, { id });
  if (row === undefined || row.state !== 'due') return [];
  const assigned = assignment.assign(row);
  return assigned === 'wait' ? [] : [assigned];
}

/** The ids of the attempts that are due or whose lease has expired, as many as are taken at once. */
export const listOpenAttempts: Query<{ readonly now: Instant }, readonly number[]> = {
  name: 'list-open-attempts',
  async run(tx, { now }) {
    const page = { leastUrgent: Number.MAX_SAFE_INTEGER, limit: mostLapsed, hidden: '[]' };
    const rows = [
      ...(await tx.all(selectLapsedAttempts, { now, limit: mostLapsed, hidden: '[]' })),
      ...(await tx.all(selectDueAttempts, page)),
    ];
    return rows.map(({ id }) => id);
  },
};

/**
 * Returns due attempts with their providers, the most urgent first. An attempt that waits for a line, or for another node, stays
 * due and does not hold up those that other providers carry.
 */
async function selectDeliverable(
  tx: Tx,
  assignment: ProviderAssignment,
  { isOnlyUrgent, limit, waiting }: { isOnlyUrgent: boolean; limit: number; waiting: readonly number[] },
) {
  const leastUrgent = isOnlyUrgent ? 1 : Number.MAX_SAFE_INTEGER;
  const taken: Assigned<Awaited<ReturnType<typeof dueAttempts>>[number]>[] = [];
  const hidden: number[] = [...waiting];
  for (;;) {
    const left = limit - taken.length;
    if (left <= 0) return taken;
    const rows = await dueAttempts(tx, { leastUrgent, limit: left, hidden: JSON.stringify(hidden) });
    for (const row of rows) {
      hidden.push(row.id);
      const assigned = assignment.assign(row);
      if (assigned !== 'wait') taken.push(assigned);
    }
    if (rows.length < left) return taken;
  }
}

function dueAttempts(tx: Tx, page: NonNullable<(typeof selectDueAttempts)['types']>['args']) {
  return tx.all(selectDueAttempts, page);
}
