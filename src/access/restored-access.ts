// Leaves out the access that a restore must not bring back: sessions, API keys revoked since the backup, and the sign-in and duty of
// people removed since.

import { type RevokedKey, revokedKeyOf } from '../operations/access/revoked-keys.ts';
import type { RowBatch } from '../store/backup/format.ts';
import type { RestoreTarget } from '../store/backup/restore-target.ts';
import type { SqlValue } from '../store/statement.ts';

/** Who has access to the database that a restore replaces, as far as it can be read. */
export type ReplacedAccess = {
  /** Token hashes of the keys that were not revoked. */
  readonly valid: ReadonlySet<string>;
  readonly revoked: readonly RevokedKey[];
  /** The names of its people, by id. */
  readonly people: ReadonlyMap<number, string>;
  /** The ids of people who were removed: by its audit trail, or before an earlier restore that brought them back disabled. */
  readonly removed: ReadonlySet<number>;
};

/** The row of `meta` with the ids of people whom a restore brought back disabled: the audit trail of the backup knows of no removal. */
export const disabledPeopleKey = 'disabled-by-restore';

export async function readReplacedAccess(target: RestoreTarget): Promise<ReplacedAccess> {
  const valid = await target.rowsOf('api_keys');
  const people = await target.rowsOf('users');
  const present = new Set(people.map(({ id }) => Number(id)));
  const removals = await target.rowsOf('audit_entries', { column: 'kind', value: 'user.removed' });
  const removed = removals.map(({ subject }) => Number(String(subject).replace('user:', '')));
  const [kept] = await target.rowsOf('meta', { column: 'key', value: disabledPeopleKey });
  const disabledIds = new Set(JSON.parse(String(kept?.value ?? '[]')) as number[]);
  const stillDisabled = people.filter(({ id, password_hash }) => disabledIds.has(Number(id)) && password_hash === null);
  return {
    valid: new Set(valid.map(({ token_hash }) => String(token_hash))),
    revoked: (await target.rowsOf('revoked_keys')).map(revokedKeyOf),
    people: new Map(people.map(({ id, name }) => [Number(id), String(name)])),
    removed: new Set([...removed.filter((id) => !present.has(id)), ...stillDisabled.map(({ id }) => Number(id))]),
  };
}

/** An API key in the backup. */
export type BackedUpKey = {
  readonly id: number;
  readonly name: string;
  readonly tokenHash: string;
  readonly expiresAt: number;
};

/** A person in the backup. */
export type BackedUpPerson = { readonly id: number; readonly name: string };

/** Returns the people of a batch of the backup. */
export function peopleIn({ table, columns, rows }: RowBatch): readonly BackedUpPerson[] {
  if (table !== 'users') return [];
  const [id, name] = [columns.indexOf('id'), columns.indexOf('name')];
  return rows.map((row) => ({ id: Number(row[id]), name: String(row[name]) }));
}

/** What a person who comes back disabled has: no way to sign in, by password or by telephone, and no duty. */
const disabled: Readonly<Record<string, SqlValue>> = { password_hash: null, pin_hash: null, on_duty: 0 };

type Restoring = {
  readonly revoked: readonly RevokedKey[];
  /** Whether somebody comes back disabled. */
  readonly isDisabled: (person: BackedUpPerson) => boolean;
};

/** Collects the API keys of the backup while its rows are restored. */
export class RestoredAccess {
  readonly #revokedHashes: ReadonlySet<string>;
  readonly #isDisabled: Restoring['isDisabled'];
  readonly restoredKeys: BackedUpKey[] = [];
  readonly revokedKeys: BackedUpKey[] = [];

  constructor({ revoked, isDisabled }: Restoring) {
    this.#revokedHashes = new Set(revoked.map(({ tokenHash }) => tokenHash));
    this.#isDisabled = isDisabled;
  }

  /** Returns the rows of the batch that are to be restored. */
  rowsToRestore(batch: RowBatch): RowBatch['rows'] {
    const { table, columns, rows } = batch;
    const field = (row: readonly SqlValue[], column: string) => row[columns.indexOf(column)];
    if (table === 'sessions') return [];
    if (table === 'users') return this.#people(batch);
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

  /** The rows of people stay, because teams, schedules and histories refer to them. */
  #people(batch: RowBatch): RowBatch['rows'] {
    const people = peopleIn(batch);
    return batch.rows.map((row, index) => {
      const person = people[index];
      if (person === undefined || !this.#isDisabled(person)) return row;
      return row.map((value, column) => {
        const name = batch.columns[column] ?? '';
        return Object.hasOwn(disabled, name) ? (disabled[name] ?? null) : value;
      });
    });
  }
}
