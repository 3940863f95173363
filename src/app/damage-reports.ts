// Says by the log and by a system alarm that the database is damaged, from the moment at which that is noticed.

import type { Logger } from 'pino';
import { noteStoreCheck } from '../operations/system/store-damage.ts';
import type { Store } from '../store/store.ts';

export class DamageReports {
  readonly #log: Logger;
  #store: Store | undefined;
  /** What was found before there was a store to write to. */
  #early: { readonly problem: string | undefined } | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  readonly note = (problem: string | undefined): void => {
    if (problem !== undefined)
      this.#log.fatal({ problem }, 'the database is damaged: no more alarms are taken; see "tocsin rescue"');
    if (this.#store === undefined) this.#early = { problem };
    else void this.#write(this.#store, problem);
  };

  async reportTo(store: Store): Promise<void> {
    this.#store = store;
    // PostgreSQL checks its files itself; an alarm of a SQLite file that was moved there is over.
    if (store.kind === 'postgres') this.#early = { problem: undefined };
    if (this.#early !== undefined) await this.#write(store, this.#early.problem);
  }

  /** The alarm may be stored although other pages are damaged, and then people are called. */
  async #write(store: Store, problem: string | undefined): Promise<void> {
    await store
      .write(noteStoreCheck, { problem })
      .catch((err) => this.#log.error({ err }, 'the alarm about the database could not be written'));
  }
}
