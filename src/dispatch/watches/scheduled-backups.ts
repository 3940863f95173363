// Makes a backup at intervals in the folder that the settings name, keeps the newest ones, and has an alarm raised when the last good one
// is old.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { beginBackup, endBackup, forgetBackups, watchBackups } from '../../operations/system/backups.ts';
import type { Store } from '../../store/store.ts';
import { PollingLoop } from '../polling-loop.ts';

const pollEveryMs = 60_000;
const hourMs = 3_600_000;

type BackupParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: { readonly dir: string | undefined; readonly hours: number; readonly keep: number };
  /** Begins a backup; `done` resolves with what went wrong. */
  readonly start: (file: string) => { readonly done: Promise<string | undefined>; readonly stop: () => void };
  readonly onMade: (file: string) => void;
  readonly onTrouble: (error: unknown) => void;
};

export class ScheduledBackups {
  readonly #parts: BackupParts;
  readonly #loop: PollingLoop;
  #running: ReturnType<BackupParts['start']> | undefined;
  #isForgotten = false;

  constructor(parts: BackupParts) {
    this.#parts = parts;
    this.#loop = new PollingLoop(pollEveryMs, () => this.#work(), parts.onTrouble);
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  async stop(): Promise<void> {
    this.#running?.stop();
    await this.#loop.stop();
  }

  async #work(): Promise<void> {
    const { store, settings } = this.#parts;
    const { dir: folder, hours } = settings;
    if (folder === undefined) return this.#forget();
    const everyMs = hours * hourMs;
    if (await store.write(beginBackup, { everyMs })) await this.#make(folder);
    await store.write(watchBackups, { everyMs, folder });
  }

  async #forget(): Promise<void> {
    if (this.#isForgotten) return;
    this.#isForgotten = true;
    await this.#parts.store.write(forgetBackups, {});
  }

  async #make(folder: string): Promise<void> {
    const { store, clock, settings, start, onMade, onTrouble } = this.#parts;
    const time = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
    const file = join(folder, `tocsin-${time}.backup`);
    this.#running = start(file);
    const problem = await this.#running.done;
    this.#running = undefined;
    await store.write(endBackup, { problem });
    if (problem !== undefined) return onTrouble(new Error(`No backup was made: ${problem}`));
    onMade(file);
    await removeOld(folder, settings.keep);
  }
}

const ownName = /^tocsin-\d{8}T\d{6}Z\.backup$/;
const brokenOffName = /^tocsin-\d{8}T\d{6}Z\.backup\.partial$/;

/** Removes all but the newest backups that a server made, and what was broken off: nothing is being written now. */
async function removeOld(folder: string, keep: number): Promise<void> {
  const names = await readdir(folder);
  const old = names
    .filter((name) => ownName.test(name))
    .toSorted()
    .slice(0, -keep);
  for (const name of [...old, ...names.filter((found) => brokenOffName.test(found))])
    await rm(join(folder, name), { force: true });
}
