// Copies revoked API keys from the database to the file beside it: at the start, after each revocation by any node, and at
// the end.

import { appendRevokedKeys } from '../access/revoked-keys-file.ts';
import { listRevokedKeys } from '../operations/access/revoked-keys.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';

export async function copyRevokedKeys(store: Store, folder: string): Promise<void> {
  await appendRevokedKeys(folder, await store.read(listRevokedKeys, {}));
}

/** A failure is reported and does not undo the revocation; the next revocation or start copies the key. */
export class RevokedKeysFile {
  readonly #copy: () => Promise<void>;
  #copying: Promise<void>;

  constructor(store: Store, folder: string, onTrouble: (error: unknown) => void) {
    this.#copy = () => copyRevokedKeys(store, folder).catch(onTrouble);
    this.#copying = this.#copy();
  }

  onEvent({ kind }: Pick<StoredEvent, 'kind'>): void {
    if (kind === 'key.revoked') this.#copying = this.#copying.then(this.#copy);
  }

  /** Copies once more, because the event of the last revocation may not have been read yet. */
  stop(): Promise<void> {
    return this.#copying.then(this.#copy);
  }
}
