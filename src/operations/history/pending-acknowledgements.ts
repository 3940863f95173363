// Acknowledges many occurrences in pieces: the transaction of the command stores a row of what is left, which a loop works off.

import { sql } from 'kysely';
import { distinctWords } from '../../domain/search.ts';
import { NewIds } from '../../store/new-ids.ts';
import { deleteRows, insertRows, updateRows } from '../../store/row-batch.ts';
import { isOneOfIds, sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';
import type { Acknowledger } from '../alarms/reaction.ts';
import { type PieceWorker, takeLease } from '../system/pending-lease.ts';
import { isNotSetAside, suspectsLast } from '../system/set-aside-rows.ts';
import { HistoryBatch } from './history-batch.ts';
import { findUnacknowledged, type Unacknowledged } from './unacknowledged.ts';

/** A piece is written in less than 25 ms. */
const mostEntries = 100;
/** Much fewer, because hundreds of commands share a transaction. */
export const mostAtOnce = 10;
/** What a piece of `mostEntries` may have in all. */
const mostWords = 1_000;
const mostCommentLength = 128 * 1024;

export type Acknowledgement = { readonly at: Instant; readonly by: Acknowledger; readonly comment: string };

export type PendingAcknowledgement = Acknowledgement & {
  readonly alarmId: number;
  readonly since: Instant;
  /** The newest occurrence that it is for. */
  readonly upTo: number;
};

/** Returns how many of the occurrences are acknowledged in one transaction: each has all words of its comment in the index. */
export function pieceSize(most: number, comment: string, [example]: readonly Unacknowledged[]): number {
  if (comment === '' || example === undefined) return most;
  const words = distinctWords(example.tagName, example.message, comment).length;
  const share = most / mostEntries;
  const withComment = Math.min(mostEntries, mostWords / Math.max(words, 1), mostCommentLength / comment.length);
  return Math.max(1, Math.floor(share * withComment));
}

export function acknowledgeEntry(batch: HistoryBatch, row: Unacknowledged, { at, by, comment }: Acknowledgement): void {
  // Without a new comment the entry keeps the one it has.
  batch.acknowledge(row.id, at, by, comment === '' ? row.comment : comment);
  if (comment !== '') batch.indexComment(row.id, row.tagName, row.message, comment);
  if (by.userId === undefined) return;
  const isOver = row.resetAt !== undefined && row.resetAt >= at;
  batch.counts.addIntervention(row.raisedAt, row, {
    userId: by.userId,
    interventions: 1,
    reactionMs: at - row.raisedAt,
    finished: isOver ? 1 : 0,
    interventionMs: isOver ? (row.resetAt ?? at) - at : 0,
  });
}

/** Acknowledges a piece of what is left. */
export const acknowledgePending: Operation<PieceWorker, void> = {
  name: 'acknowledge-pending',
  async run(tx, now, worker) {
    const [row] = await tx.all(selectFirst, { now });
    if (row === undefined || !(await takeLease(tx, now, worker))) return;
    const pending = pendingOf(row);
    const found = await findUnacknowledged(tx, { ...pending, limit: mostEntries });
    const piece = found.slice(0, pieceSize(mostEntries, pending.comment, found));
    const batch = new HistoryBatch(tx, new NewIds());
    for (const entry of piece) acknowledgeEntry(batch, entry, pending);
    await batch.write();
    const next = found[piece.length];
    if (next === undefined && found.length < mostEntries) await tx.each(pendingRows.remove, [{ id: row.id }]);
    // What has been acknowledged is not looked through again.
    else await tx.each(pendingRows.advance, [{ id: row.id, since: (next ?? piece.at(-1))?.raisedAt ?? row.since }]);
  },
};

export async function addPending(tx: Tx, pending: readonly PendingAcknowledgement[]): Promise<void> {
  await tx.each(
    pendingRows.insert,
    pending.map(({ alarmId, since, upTo, at, by, comment }) => ({
      alarm_id: alarmId,
      since,
      up_to: upTo,
      at,
      user_id: by.userId ?? null,
      user_name: by.name,
      comment,
    })),
  );
}

/** Returns what is left of the acknowledgements of alarms, the oldest first. */
export async function readPending(
  tx: ReadTx,
  alarmIds: ReadonlySet<number>,
): Promise<readonly PendingAcknowledgement[]> {
  return (await tx.all(selectOfAlarms, { alarmIds: JSON.stringify([...alarmIds]) })).map(pendingOf);
}

/** Returns the newest occurrence of the alarm that is being acknowledged; 0 if there is none. */
export async function pendingUpTo(tx: ReadTx, alarmId: number): Promise<number> {
  return (await tx.one(selectUpTo, { alarmId }))?.up_to ?? 0;
}

const pendingRows = {
  insert: insertRows('pending_acknowledgements', {
    alarm_id: 'int',
    since: 'int',
    up_to: 'int',
    at: 'int',
    user_id: 'int',
    user_name: 'text',
    comment: 'text',
  }),
  advance: updateRows('pending_acknowledgements', { id: 'int' }, { since: 'int' }),
  remove: deleteRows('pending_acknowledgements', { id: 'int' }),
};

const columns = ['id', 'alarm_id', 'since', 'up_to', 'at', 'user_id', 'user_name', 'comment'] as const;

const columnList = sql.join(columns.map((column) => sql.ref(column)));

const selectOfAlarms = sqlStatement<{ alarmIds: string }, Row>(
  (args, kind) => sql`select ${columnList} from ${table('pending_acknowledgements')}
    where ${isOneOfIds('alarm_id', args.alarmIds, kind)} order by id`,
);

const selectFirst = sqlStatement<{ now: Instant }, Row>(
  (args) => sql`select ${columnList} from ${table('pending_acknowledgements')}
    where ${isDueAcknowledgement(args.now)} order by ${suspectsLast('acknowledgement', 'pending_acknowledgements.id')} limit 1`,
);

/**
 * Whether a row of `pending_acknowledgements` is not set aside and comes first for its alarm: a later acknowledgement is for what
 * came after the earlier one.
 */
export function isDueAcknowledgement(now: Instant) {
  return sql`${isNotSetAside('acknowledgement', 'pending_acknowledgements.id', now)} and not exists (
    select 1 from ${table('pending_acknowledgements')} as earlier
    where earlier.alarm_id = pending_acknowledgements.alarm_id and earlier.id < pending_acknowledgements.id)`;
}

const selectUpTo = statement((db, args: { alarmId: number }) =>
  db
    .selectFrom('pending_acknowledgements')
    .select((eb) => eb.fn.max('up_to').as('up_to'))
    .where('alarm_id', '=', args.alarmId),
);

type Row = {
  id: number;
  alarm_id: number;
  since: number;
  up_to: number;
  at: number;
  user_id: number | null;
  user_name: string;
  comment: string;
};

function pendingOf(row: Row): PendingAcknowledgement {
  return {
    alarmId: row.alarm_id,
    since: row.since,
    upTo: row.up_to,
    at: row.at,
    by: { name: row.user_name, userId: row.user_id ?? undefined },
    comment: row.comment,
  };
}
