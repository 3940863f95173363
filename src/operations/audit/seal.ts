// Seals audit rows in segments, and trims the rows of segments that are past their retention time.

import { sql } from 'kysely';
import { systemCaller } from '../../domain/access/access.ts';
import { sealOf } from '../../domain/audit/seal.ts';
import { insertRows } from '../../store/row-batch.ts';
import { isOneOfIds, sqlStatement, statement } from '../../store/statement.ts';
import { target } from '../../store/statement-tables.ts';
import type { Instant, Operation, Query } from '../../store/store.ts';
import { appendAudit, sha256 } from './append.ts';

/** Few enough that sealing a segment delays no alarm and that a segment fits in memory. */
export const rowsPerSegment = 1_000;
const bytesPerSegment = 4_000_000;

/** Returns the number of rows that wait for their seal, at most one segment. */
export const countUnsealed: Query<Record<string, never>, number> = {
  name: 'count-unsealed-audit',
  isQuick: true,
  run: async (tx) => (await tx.all(selectUnsealedIds, {})).length,
};

type Sealed = { readonly id: number; readonly chain: string; readonly hash: string; readonly rows: number };

/** Seals the oldest unsealed rows as one segment; returns undefined if there are none. */
export const sealAudit: Operation<Record<string, never>, Sealed | undefined> = {
  name: 'seal-audit',
  async run(tx, now) {
    const rows = upToBytes(await tx.all(selectUnsealed, {}));
    if (rows.length === 0) return undefined;
    const chain = (await tx.one(selectEpoch, {}))?.value ?? '';
    const previous = (await tx.one(selectNewestSeal, {}))?.hash;
    const [id = 0] = await tx.nextIds('audit_seals', 1);
    const seal = sealOf(rows, { id, chain, previous, sealedAt: now }, sha256);
    const { hash } = seal;
    await tx.each(insertSeal, [
      {
        ...{ id, chain, hash },
        previous: previous ?? null,
        entries: JSON.stringify(seal.entries),
        from_at: seal.from,
        to_at: seal.to,
        sealed_at: now,
      },
    ]);
    await tx.run(setSeal, { sealId: id, ids: JSON.stringify(rows.map((row) => row.id)) });
    return { id, chain, hash, rows: rows.length };
  },
};

/** Returns the first rows that fit in a segment, at least one. */
function upToBytes<T extends { readonly bytes: number }>(rows: readonly T[]): readonly T[] {
  let bytes = 0;
  const tooMany = rows.findIndex((row, index) => {
    bytes += Number(row.bytes);
    return index > 0 && bytes > bytesPerSegment;
  });
  return tooMany === -1 ? rows : rows.slice(0, tooMany);
}

/**
 * Removes the rows of the oldest segment if all of them are older than `before`, keeps its seal, and records that.
 * Returns whether it did, in which case there may be more. Segments are trimmed in order, so the newest record covers
 * all segments before.
 */
export const trimAudit: Operation<{ readonly before: Instant }, boolean> = {
  name: 'trim-audit',
  async run(tx, now, { before }) {
    const sealId = (await tx.one(selectOldestSegment, {}))?.seal_id ?? 0;
    const seal = await tx.one(selectSeal, { id: sealId });
    if (seal === undefined || seal.to_at >= before) return false;
    const rows = await tx.run(removeSegment, { sealId });
    const after = { sealId, sealHash: seal.hash, rows, from: seal.from_at, to: seal.to_at, before };
    await appendAudit(tx, now, { kind: 'audit.trimmed', origin: systemCaller, after });
    return true;
  },
};

const selectUnsealedIds = statement((db) =>
  db.selectFrom('audit_entries').select('id').where('seal_id', 'is', null).orderBy('id').limit(sql.lit(rowsPerSegment)),
);

const selectUnsealed = statement((db) =>
  db
    .selectFrom('audit_entries')
    .select(['id', 'at', 'hash'])
    .select(sql<number>`length(coalesce(before, '')) + length(coalesce(after, ''))`.as('bytes'))
    .where('seal_id', 'is', null)
    .orderBy('id')
    .limit(sql.lit(rowsPerSegment)),
);

export const selectEpoch = statement((db) => db.selectFrom('meta').select('value').where('key', '=', 'epoch'));

const selectNewestSeal = statement((db) =>
  db.selectFrom('audit_seals').select(['id', 'hash']).orderBy('id', 'desc').limit(1),
);

const insertSeal = insertRows('audit_seals', {
  id: 'int',
  chain: 'text',
  previous: 'text',
  entries: 'text',
  from_at: 'int',
  to_at: 'int',
  sealed_at: 'int',
  hash: 'text',
});

const setSeal = sqlStatement<{ sealId: number; ids: string }>(
  (args, kind) =>
    sql`update ${target('audit_entries')} set seal_id = ${args.sealId} where ${isOneOfIds('id', args.ids, kind)}`,
);

const selectOldestSegment = statement((db) =>
  db
    .selectFrom('audit_entries')
    .select((eb) => eb.fn.min('seal_id').as('seal_id'))
    .where('seal_id', 'is not', null),
);

const selectSeal = statement((db, args: { id: number }) =>
  db.selectFrom('audit_seals').select(['hash', 'from_at', 'to_at']).where('id', '=', args.id),
);

const removeSegment = statement<{ sealId: number }>((db, args) =>
  db.deleteFrom('audit_entries').where('seal_id', '=', args.sealId),
);
