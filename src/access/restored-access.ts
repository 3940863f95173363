// Leaves out the access that a restore must not bring back: sessions, and API keys revoked since the backup.

import { type RevokedKey, revokedKeyOf } from '../operations/access/revoked-keys.ts';
import type { RowBatch } from '../store/backup/format.ts';
import type { RestoreTarget } from '../store/backup/restore-target.ts';
import type { SqlValue } from '../store/statement.ts';

/** The API keys of the database that a restore replaces, as far as it can be read. */
export type ReplacedKeys = {
  /** Token hashes of the keys that were not revoked. */
  readonly valid: ReadonlySet<string>;
  readonly revoked: readonly RevokedKey[];
};

export async function readReplacedKeys(target: RestoreTarget): Promise<ReplacedKeys> {
  const valid = await target.rowsOf('api_keys');
  return {
    valid: new Set(valid.map(({ token_hash }) => String(token_hash))),
    revoked: (await target.rowsOf('revoked_keys')).map(revokedKeyOf),
  };
}

/** An API key in the backup. */
export type BackedUpKey = {
  readonly id: number;
  readonly name: string;
  readonly tokenHash: string;
  readonly expiresAt: number;
};

/** Collects the API keys of the backup while its rows are restored. */
export class RestoredAccess {
  readonly #revokedHashes: ReadonlySet<string>;
  readonly restoredKeys: BackedUpKey[] = [];
  readonly revokedKeys: BackedUpKey[] = [];

  constructor(revoked: readonly RevokedKey[]) {
    this.#revokedHashes = new Set(revoked.map(({ tokenHash }) => tokenHash));
  }

  /** Returns the rows of the batch that are to be restored. */
  rowsToRestore({ table, columns, rows }: RowBatch): RowBatch['rows'] {
    const field = (row: readonly SqlValue[], column: string) => row[columns.indexOf(column)];
    if (table === 'sessions') return [];
    // Follows api_keys in a backup, because it refers to it.
    if (table === 'api_key_stations')
      return rows.filter((row) => !this.revokedKeys.some(({ id }) => id === field(row, 'api_key_id')));
    if (table !== 'api_keys') return rows;
    return rows.filter((row) => {
      const tokenHash = String(field(row, 'token_hash'));
      const isRevoked = this.#revokedHashes.has(tokenHash);
      const [id, expiresAt] = [Number(field(row, 'id')), Number(field(row, 'expires_at'))];
      const key = { id, name: String(field(row, 'name')), tokenHash, expiresAt };
      (isRevoked ? this.revokedKeys : this.restoredKeys).push(key);
      return !isRevoked;
    });
  }
}
