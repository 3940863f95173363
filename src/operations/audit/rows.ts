// Converts the stored rows and seals of the audit trail.

import type { Selectable } from 'kysely';
import type { AuditRow } from '../../domain/audit/entry.ts';
import type { Seal, SealedEntry } from '../../domain/audit/seal.ts';
import type { Tables } from '../../store/tables.ts';

export const entryColumns = [
  'id',
  'at',
  'kind',
  'actor',
  'address',
  'station_id',
  'subject',
  'before',
  'after',
  'hash',
  'seal_id',
] as const;

export type EntryRow = Selectable<Tables['audit_entries']>;

export function auditRowOf(row: EntryRow): AuditRow {
  return {
    id: row.id,
    at: row.at,
    kind: row.kind,
    actor: row.actor,
    address: row.address ?? undefined,
    stationId: row.station_id ?? undefined,
    subject: row.subject ?? undefined,
    before: row.before ?? undefined,
    after: row.after ?? undefined,
    hash: row.hash,
    sealId: row.seal_id ?? undefined,
  };
}

export const sealColumns = ['id', 'chain', 'previous', 'entries', 'from_at', 'to_at', 'sealed_at', 'hash'] as const;

export type SealRow = Selectable<Tables['audit_seals']>;

/** A list of entries that is not valid JSON was tampered with: it becomes empty, so that the hash does not match. */
export function sealOfRow(row: SealRow): Seal {
  return {
    id: row.id,
    chain: row.chain,
    previous: row.previous ?? undefined,
    entries: entriesFrom(row.entries),
    from: row.from_at,
    to: row.to_at,
    sealedAt: row.sealed_at,
    hash: row.hash,
  };
}

function entriesFrom(text: string): readonly SealedEntry[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every(Array.isArray) ? (list as unknown as readonly SealedEntry[]) : [];
  } catch {
    return [];
  }
}
