// Reads the audit trail in order, page by page, for its verification and export.

import { sql } from 'kysely';
import type { AuditRow } from '../../domain/audit/entry.ts';
import type { Seal } from '../../domain/audit/seal.ts';
import type { Segment, Trimming } from '../../domain/audit/verify.ts';
import { isOneOfIds, statement } from '../../store/statement.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import { auditRowOf, entryColumns, sealColumns, sealOfRow } from './rows.ts';
import { selectEpoch } from './seal.ts';

/** The next segment in order of seals; without one, what `TrailVerifier.end` needs. */
export type NextSegment = {
  readonly segment: Segment | undefined;
  readonly trimming: Trimming | undefined;
  readonly missingSealId: number | undefined;
  /** The chain that the store continues. */
  readonly chain: string;
};

/** Reads in one transaction everything that verifying a segment needs, because a server may trim meanwhile. */
export const readSegment: Query<{ afterSealId: number }, NextSegment> = {
  name: 'read-audit-segment',
  async run(tx, { afterSealId }) {
    const trimming = await readTrimming(tx);
    const found = await tx.one(selectNextSeal, { after: afterSealId });
    const before = found?.id ?? Number.MAX_SAFE_INTEGER;
    const missingSealId = (await tx.one(selectSealNamed, { after: afterSealId, before }))?.seal_id ?? undefined;
    const chain = (await tx.one(selectEpoch, {}))?.value ?? '';
    if (found === undefined) return { segment: undefined, trimming, missingSealId, chain };
    const seal = sealOfRow(found);
    const ids = JSON.stringify(seal.entries.map(([id]) => id).filter(Number.isSafeInteger));
    const own = await tx.all(selectOfSeal, { sealId: seal.id });
    const elsewhere = await tx.all(selectElsewhere, { sealId: seal.id, ids });
    const rows = [...own, ...elsewhere].map(auditRowOf);
    return { segment: { seal, rows, missingSealId }, trimming, missingSealId, chain };
  },
};

async function readTrimming(tx: ReadTx): Promise<Trimming | undefined> {
  const row = await tx.one(selectTrimming, {});
  try {
    return row?.after == null ? undefined : (JSON.parse(row.after) as Trimming);
  } catch {
    // The row was tampered with, which its own segment shows.
    return undefined;
  }
}

type AfterId = { afterId: number; limit: number };

export const readUnsealed: Query<AfterId, readonly AuditRow[]> = {
  name: 'read-unsealed-audit',
  run: async (tx, args) => (await tx.all(selectUnsealed, args)).map(auditRowOf),
};

type Period = { from: Instant; to: Instant };

/** Reads the entries of a period in order of id. */
export const readEntries: Query<AfterId & Period, readonly AuditRow[]> = {
  name: 'read-audit-entries',
  run: async (tx, args) => (await tx.all(selectEntries, args)).map(auditRowOf),
};

/** Reads the seals of all segments that reach into a period, in order of id. */
export const readSeals: Query<AfterId & Period, readonly Seal[]> = {
  name: 'read-audit-seals',
  run: async (tx, args) => (await tx.all(selectSeals, args)).map(sealOfRow),
};

const selectNextSeal = statement((db, args: { after: number }) =>
  db.selectFrom('audit_seals').select(sealColumns).where('id', '>', args.after).orderBy('id').limit(1),
);

/** The first seal that a row names between two others. */
const selectSealNamed = statement((db, args: { after: number; before: number }) =>
  db
    .selectFrom('audit_entries')
    .select('seal_id')
    .where('seal_id', '>', args.after)
    .where('seal_id', '<', args.before)
    .orderBy('seal_id')
    .limit(1),
);

const selectOfSeal = statement((db, args: { sealId: number }) =>
  db.selectFrom('audit_entries').select(entryColumns).where('seal_id', '=', args.sealId),
);

const selectElsewhere = statement((db, args: { sealId: number; ids: string }, kind) =>
  db
    .selectFrom('audit_entries')
    .select(entryColumns)
    .where(isOneOfIds('id', args.ids, kind))
    .where((eb) => eb.or([eb('seal_id', 'is', null), eb('seal_id', '<>', args.sealId)])),
);

const selectTrimming = statement((db) =>
  db
    .selectFrom('audit_entries')
    .select('after')
    .where('kind', '=', sql.lit('audit.trimmed'))
    .orderBy('id', 'desc')
    .limit(1),
);

const selectUnsealed = statement((db, args: AfterId) =>
  db
    .selectFrom('audit_entries')
    .select(entryColumns)
    .where('seal_id', 'is', null)
    .where('id', '>', args.afterId)
    .orderBy('id')
    .limit(args.limit),
);

/** Keeps the planner from reading by time, which would sort the whole period for every page. */
const unindexedTime = sql<number>`at + 0`;

const selectEntries = statement((db, args: AfterId & Period) =>
  db
    .selectFrom('audit_entries')
    .select(entryColumns)
    .where('id', '>', args.afterId)
    .where(unindexedTime, '>=', args.from)
    .where(unindexedTime, '<', args.to)
    .orderBy('id')
    .limit(args.limit),
);

const selectSeals = statement((db, args: AfterId & Period) =>
  db
    .selectFrom('audit_seals')
    .select(sealColumns)
    .where('id', '>', args.afterId)
    .where('to_at', '>=', args.from)
    .where('from_at', '<', args.to)
    .orderBy('id')
    .limit(args.limit),
);
