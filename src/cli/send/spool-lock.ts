// Lets one sender at a time send from a spool. The lock is a file made with O_EXCL that names machine and process; one whose process
// is gone, or that was not touched for two minutes, is taken over. `contrib/tocsin-send` keeps to the same.

import { readFileSync, renameSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Far longer than a request may last, before each of which the lock is touched. */
const abandonedAfterMs = 120_000;
const waitMs = 60_000;
const betweenLooksMs = 50;

export class SpoolLock {
  readonly #file: string;
  /** Held for the moment of a takeover, so that no two senders take over one lock. */
  readonly #takeover: string;
  readonly #me = `${hostname()} ${process.pid}`;

  constructor(folder: string) {
    this.#file = join(folder, '.lock');
    this.#takeover = join(folder, '.lock-takeover');
  }

  /** Waits for the lock, for a minute at most and while `isNeeded`; returns whether it has it. */
  async take(isNeeded: () => boolean): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += betweenLooksMs) {
      if (this.#make() || (await this.#takeOver())) return true;
      if (!isNeeded()) return false;
      await pause(betweenLooksMs);
    }
    return false;
  }

  /** Says that the holder is at work; returns false when another sender has taken over. */
  keep(): boolean {
    if (this.#owner() !== this.#me) return false;
    const now = new Date();
    utimesSync(this.#file, now, now);
    return true;
  }

  release(): void {
    if (this.#owner() === this.#me) rmSync(this.#file, { force: true });
  }

  #make(): boolean {
    try {
      writeFileSync(this.#file, `${this.#me}\n`, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  async #takeOver(): Promise<boolean> {
    if (!this.#isAbandoned()) return false;
    if (isOld(this.#takeover)) rmdirSync(this.#takeover);
    if (
      !(await mkdir(this.#takeover).then(
        () => true,
        () => false,
      ))
    )
      return false;
    try {
      // Somebody else may have taken it over before the folder was made.
      if (!this.#isAbandoned()) return false;
      const aside = `${this.#file}.${process.pid}`;
      writeFileSync(aside, `${this.#me}\n`, { mode: 0o600 });
      renameSync(aside, this.#file);
      return true;
    } finally {
      rmdirSync(this.#takeover);
    }
  }

  #isAbandoned(): boolean {
    const owner = this.#owner();
    if (owner === undefined) return false;
    if (isOld(this.#file)) return true;
    const [machine, pid] = owner.split(' ');
    // A process of this number that is this one has not made it.
    return machine === hostname() && (owner === this.#me || !isAlive(Number(pid)));
  }

  /** Returns undefined without a lock; empty while its owner writes it. */
  #owner(): string | undefined {
    try {
      return readFileSync(this.#file, 'utf8').trim();
    } catch {
      return undefined;
    }
  }
}

function isOld(path: string): boolean {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return modified !== undefined && Date.now() - modified > abandonedAfterMs;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
