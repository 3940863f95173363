// Leases attempts to a node, each with the provider that carries it; what no provider has capacity for stays due.

import { type CallMessage, isSpoken } from '../../../domain/calls/delivery.ts';
import { mostAnnounced } from '../../../domain/calls/message-text.ts';
import { unusedCode } from '../../../domain/calls/replies/text-reply.ts';
import type { Instant, Operation, Query, Tx } from '../../../store/store.ts';
import { type Assigned, ProviderAssignment } from '../../providers/assign.ts';
import { announcedJson } from '../announced.ts';
import { storeEnds } from '../attempt-ends.ts';
import {
  attemptRows,
  renewAttempts,
  selectAttempt,
  selectDueAttempts,
  selectLapsedAttempts,
  selectOpenTexts,
} from '../attempts.ts';
import { freeLines } from '../free-lines.ts';
import { composeMessages } from '../messages/compose-messages.ts';
import { openCausesOf } from '../queries.ts';
import { selectEarly } from './message-order.ts';

type TakeInput = {
  readonly node: string;
  readonly nodeName: string;
  readonly leaseMs: number;
  readonly replyCodes: readonly string[];
  /** Attempts this node is delivering: it renews their leases instead of taking them over from itself. */
  readonly heldAttemptIds: readonly number[];
  /** Whether the node only takes due attempts of priority 1. */
  readonly isOnlyUrgent?: boolean;
  /** The only attempt to be taken; without it, all that are due. */
  readonly onlyId?: number;
};

/** Returns the messages of the leased attempts, at most one per reply code. */
export const takeAttempts: Operation<TakeInput, readonly CallMessage[]> = {
  name: 'take-attempts',
  async run(tx, now, { node, nodeName, leaseMs, replyCodes, heldAttemptIds, isOnlyUrgent = false, onlyId }) {
    const found = await tx.all(selectLapsedAttempts, { now, limit: mostLapsed });
    const late = found.filter(({ id }) => onlyId === undefined || id === onlyId).slice(0, replyCodes.length);
    const own = late.filter(({ id, lease_by }) => lease_by === node && heldAttemptIds.includes(id)).map(({ id }) => id);
    if (own.length > 0) await tx.run(renewAttempts, { ids: JSON.stringify(own), until: now + leaseMs });
    const lapsed = late.filter(({ id }) => !own.includes(id));
    const wanted = lapsed.filter(({ phase }) => phase === 'attempting');
    await endUnwanted(
      tx,
      now,
      lapsed.filter((row) => !wanted.includes(row)),
    );
    const assignment = await ProviderAssignment.load(tx, now, nodeName);
    const due =
      onlyId === undefined
        ? await selectDeliverable(tx, assignment, isOnlyUrgent, replyCodes.length - wanted.length)
        : await selectOne(tx, assignment, onlyId);
    const taken = [...wanted.map((row) => assignment.keep(row)), ...due];
    if (taken.length === 0) return [];
    const rows = await withReplyCodes(tx, taken, replyCodes);
    const open = await openCausesOf(
      tx,
      rows.map(({ call_id }) => call_id),
      mostAnnounced,
    );
    const composed = await composeMessages(tx, rows, open);
    await tx.each(
      attemptRows.start,
      composed.map(({ row: { id, started_at, reply_code, announced, provider_id }, named }) => ({
        id,
        state: 'started',
        started_at: started_at ?? now,
        lease_by: node,
        lease_until: now + leaseMs,
        reply_code,
        announced: announcedJson(named, announced),
        provider_id,
      })),
    );
    return composed.map(({ message }) => message);
  },
};

type Coded = { readonly reply_code: string; readonly user_id: number; readonly channel: string };

/** Gives each attempt that has none a code by which a reply names it alone. */
async function withReplyCodes<Row extends Coded>(
  tx: Tx,
  rows: readonly Row[],
  drawn: readonly string[],
): Promise<readonly Row[]> {
  const usedBy = new Map<string, Set<string>>();
  const coded: Row[] = [];
  for (const [index, row] of rows.entries()) {
    const code = drawn[index] ?? '';
    if (row.reply_code !== '' || isSpoken(row.channel)) {
      coded.push({ ...row, reply_code: row.reply_code || code });
      continue;
    }
    const reader = `${row.user_id} ${row.channel}`;
    const args = { userId: row.user_id, channel: row.channel };
    const used =
      usedBy.get(reader) ?? new Set((await tx.all(selectOpenTexts, args)).map(({ reply_code }) => reply_code));
    usedBy.set(reader, used);
    const reply_code = unusedCode(code, used);
    used.add(reply_code);
    coded.push({ ...row, reply_code });
  }
  return coded;
}

/** More than a node takes at once. */
const mostLapsed = 100;

/** Returns the attempt with its provider, if it is due and can be delivered now. */
async function selectOne(tx: Tx, assignment: ProviderAssignment, id: number) {
  const early = await tx.all(selectEarly, {});
  const row = await tx.one(selectAttempt, { id });
  if (row === undefined || row.state !== 'due' || early.some((other) => other.id === id)) return [];
  const assigned = assignment.assign(row);
  return assigned === 'wait' ? [] : [assigned];
}

/** The ids of the attempts that are due or whose lease has expired, as many as are taken at once. */
export const listOpenAttempts: Query<{ readonly now: Instant }, readonly number[]> = {
  name: 'list-open-attempts',
  async run(tx, { now }) {
    const page = { leastUrgent: Number.MAX_SAFE_INTEGER, limit: mostLapsed, full: '[]', hidden: '[]' };
    const rows = [
      ...(await tx.all(selectLapsedAttempts, { now, limit: mostLapsed })),
      ...(await tx.all(selectDueAttempts, page)),
    ];
    return rows.map(({ id }) => id);
  },
};

type LapsedAttempt = Parameters<typeof storeEnds>[2][number]['row'];

/** Ends attempts whose cycles have moved on: they are not repeated, and their outcome is unknown. */
async function endUnwanted(tx: Tx, now: Instant, rows: readonly LapsedAttempt[]): Promise<void> {
  const how = { state: 'failed', outcome: 'failed', detail: 'nobody knows what became of it' } as const;
  await storeEnds(
    tx,
    now,
    rows.map((row) => ({ row, how })),
  );
  await freeLines(
    tx,
    now,
    rows.map(({ user_id }) => user_id),
  );
}

/**
 * Returns due attempts with their providers, the most urgent first. An attempt whose providers are at their capacity stays
 * due and does not hold up those that other providers carry; so does one that is early for the order of its messages.
 */
async function selectDeliverable(tx: Tx, assignment: ProviderAssignment, isOnlyUrgent: boolean, limit: number) {
  const leastUrgent = isOnlyUrgent ? 1 : Number.MAX_SAFE_INTEGER;
  const taken: Assigned<Awaited<ReturnType<typeof dueAttempts>>[number]>[] = [];
  const waiting = new Set<string>();
  const hidden = (await tx.all(selectEarly, {})).map(({ id }) => id);
  for (;;) {
    const left = limit - taken.length;
    if (left <= 0) return taken;
    const numbers = [...waiting].flatMap((channel) => assignment.fullNumbers(channel));
    const full = numbers.map(({ channel, prefix, fromPriority }) => [channel, prefix, fromPriority]);
    const page = { leastUrgent, limit, full: JSON.stringify(full), hidden: JSON.stringify(hidden) };
    const rows = (await dueAttempts(tx, page)).filter(({ id }) => !taken.some((row) => row.id === id));
    const found = hidden.length;
    for (const row of rows.slice(0, left)) {
      const assigned = assignment.assign(row);
      if (assigned !== 'wait') taken.push(assigned);
      else {
        waiting.add(row.channel);
        hidden.push(row.id);
      }
    }
    // Only attempts that wait can have hidden others.
    if (hidden.length === found) return taken;
  }
}

function dueAttempts(tx: Tx, page: NonNullable<(typeof selectDueAttempts)['types']>['args']) {
  return tx.all(selectDueAttempts, page);
}
