// Makes a backup at intervals in the folder that the settings name, keeps the newest ones, and has an alarm raised when the last good one
// is old.

import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { beginBackup, endBackup, forgetBackups, watchBackups } from '../../operations/system/backups.ts';
import type { Instant, Store } from '../../store/store.ts';
import type { BackupEnd } from '../../store/threads/thread-messages.ts';
import { PollingLoop } from '../polling-loop.ts';

const pollEveryMs = 60_000;
const hourMs = 3_600_000;
/** How long `stop` waits for a running backup to end; one on a file system that does not answer never does. */
const endWithinMs = 5_000;

type BackupParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly node: string;
  readonly settings: { readonly dir: string | undefined; readonly hours: number; readonly keep: number };
  /** Begins a backup. */
  readonly start: (file: string) => { readonly done: Promise<BackupEnd>; readonly stop: () => void };
  readonly onMade: (file: string) => void;
  readonly onTrouble: (error: unknown) => void;
};

export class ScheduledBackups {
  readonly #parts: BackupParts;
  readonly #loop: PollingLoop;
  /** The backup that is being made, beside the loop: one that hangs must not keep the alarm about it from being raised. */
  #making: Promise<void> | undefined;
  #stopRunning: (() => void) | undefined;

  constructor(parts: BackupParts) {
    this.#parts = parts;
    this.#loop = new PollingLoop(pollEveryMs, () => this.#work(), parts.onTrouble);
  }

  /** Resolves when what was begun is made. */
  async poll(): Promise<void> {
    await this.#loop.poll();
    await this.#making;
  }

  async stop(): Promise<void> {
    this.#stopRunning?.();
    await this.#loop.stop();
    // The loop may have begun a backup after the first call.
    this.#stopRunning?.();
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, endWithinMs);
    await Promise.race([this.#making, enough]);
    clearTimeout(timer);
  }

  async #work(): Promise<void> {
    const { store, settings, node, onTrouble } = this.#parts;
    const { dir: folder, hours } = settings;
    if (folder === undefined) return store.write(forgetBackups, { node });
    const isBusy = this.#making !== undefined;
    const begunAt = await store.write(beginBackup, { node, folder, everyMs: hours * hourMs, isBusy });
    if (begunAt !== undefined) {
      this.#making = this.#make(folder, begunAt)
        .catch(onTrouble)
        .finally(() => {
          this.#making = undefined;
        })
        .catch(onTrouble);
    }
    await store.write(watchBackups, {});
  }

  async #make(folder: string, begunAt: Instant): Promise<void> {
    const { store, settings, start, onMade, onTrouble } = this.#parts;
    const time = new Date(begunAt).toISOString().replace(/[-:]|\.\d+/g, '');
    const file = join(folder, `tocsin-${time}.backup`);
    const running = start(file);
    this.#stopRunning = running.stop;
    const { problem, isDatabase } = await running.done;
    this.#stopRunning = undefined;
    await store.write(endBackup, { begunAt, problem });
    await store.write(watchBackups, {});
    if (isDatabase) store.recheck?.();
    if (problem !== undefined) return onTrouble(new Error(`No backup was made: ${problem}`));
    onMade(file);
    await removeOld(folder, file, settings.keep);
  }
}

const ownName = /^tocsin-\d{8}T\d{6}Z\.backup$/;
const brokenOffName = /^tocsin-\d{8}T\d{6}Z\.backup\.partial$/;
/** Another node may be writing one; it then changes all the time. */
const brokenOffAfterMs = hourMs;

/** Removes all but the newest backups that a server made, and what was broken off. */
async function removeOld(folder: string, made: string, keep: number): Promise<void> {
  const names = await readdir(folder);
  const old = names
    // Later ones are of a clock that was ahead, or of somebody else: the one just made is not removed for them.
    .filter((name) => ownName.test(name) && name <= basename(made))
    .toSorted()
    .slice(0, -keep);
  for (const name of old) await rm(join(folder, name), { force: true });
  // The clock of the file system, which may be that of another machine.
  const { mtimeMs: madeAt } = await stat(made);
  for (const name of names.filter((found) => brokenOffName.test(found))) {
    const file = join(folder, name);
    const changedAt = (await stat(file).catch(() => undefined))?.mtimeMs ?? madeAt;
    if (madeAt - changedAt > brokenOffAfterMs) await rm(file, { force: true });
  }
}
