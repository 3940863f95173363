// API keys that were revoked before they expired; remembered until then, so that a restore does not revive them.

import { statement } from '../../store/statement.ts';
import type { Query, Tx } from '../../store/store.ts';

export type RevokedKey = {
  readonly tokenHash: string;
  readonly id: number;
  readonly name: string;
  /** When the key would have expired: from then on nothing can revive it. */
  readonly expiresAt: number;
  readonly revokedAt: number;
};

/** Returns the key in a row of the table revoked_keys. */
export function revokedKeyOf(row: Readonly<Record<string, unknown>>): RevokedKey {
  return {
    tokenHash: String(row.token_hash),
    id: Number(row.key_id),
    name: String(row.name),
    expiresAt: Number(row.expires_at),
    revokedAt: Number(row.revoked_at),
  };
}

const selectRevoked = statement((db) =>
  db
    .selectFrom('revoked_keys')
    .select(['token_hash', 'key_id', 'name', 'expires_at', 'revoked_at'])
    .orderBy('revoked_at'),
);

/** Lists the revoked keys that have not expired yet. */
export const listRevokedKeys: Query<Record<string, never>, readonly RevokedKey[]> = {
  name: 'list-revoked-keys',
  isQuick: true,
  run: async (tx) => (await tx.all(selectRevoked, {})).map(revokedKeyOf),
};

const insertUnlessKnown = statement((db, args: RevokedKey) =>
  db
    .insertInto('revoked_keys')
    .values({
      token_hash: args.tokenHash,
      key_id: args.id,
      name: args.name,
      expires_at: args.expiresAt,
      revoked_at: args.revokedAt,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Stores keys that another database or a file remembers as revoked. */
export async function rememberRevoked(tx: Tx, keys: readonly RevokedKey[]): Promise<void> {
  for (const key of keys) await tx.run(insertUnlessKnown, key);
}
