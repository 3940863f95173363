// Leaves out the rows of a backup that a restore must not bring back: sessions, and API keys revoked since.

import type { SqlValue } from '../statement.ts';
import type { RowBatch } from './format.ts';

/** The row of `meta` that a running server keeps in a SQLite file, see sqlite/open-marker.ts. */
export const markerKey = 'open';

/** An API key in the backup. */
export type BackedUpKey = {
  readonly id: number;
  readonly name: string;
  readonly tokenHash: string;
  readonly expiresAt: number;
};

/** What a restore has read from the backup so far. */
export type RestoreReport = { rows: number; readonly restoredKeys: BackedUpKey[]; readonly revokedKeys: BackedUpKey[] };

/** Yields the rows to restore and updates `report` on the way. */
export async function* restoredRows(
  batches: AsyncIterable<RowBatch>,
  revokedHashes: ReadonlySet<string>,
  report: RestoreReport,
): AsyncGenerator<RowBatch> {
  for await (const batch of batches) {
    const restored = { ...batch, rows: rowsToRestore(batch, revokedHashes, report) };
    report.rows += restored.rows.length;
    yield restored;
  }
}

function rowsToRestore(
  { table, columns, rows }: RowBatch,
  revokedHashes: ReadonlySet<string>,
  { restoredKeys, revokedKeys }: RestoreReport,
): RowBatch['rows'] {
  const field = (row: readonly SqlValue[], column: string) => row[columns.indexOf(column)];
  if (table === 'sessions') return [];
  if (table === 'meta') return rows.filter((row) => field(row, 'key') !== markerKey);
  // Follows api_keys in a backup, because it refers to it.
  if (table === 'api_key_stations')
    return rows.filter((row) => !revokedKeys.some(({ id }) => id === field(row, 'api_key_id')));
  if (table !== 'api_keys') return rows;
  return rows.filter((row) => {
    const tokenHash = String(field(row, 'token_hash'));
    const isRevoked = revokedHashes.has(tokenHash);
    const [id, expiresAt] = [Number(field(row, 'id')), Number(field(row, 'expires_at'))];
    const key = { id, name: String(field(row, 'name')), tokenHash, expiresAt };
    (isRevoked ? revokedKeys : restoredKeys).push(key);
    return !isRevoked;
  });
}
