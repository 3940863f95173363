// Notes what comes from sources, off the path of requests: counted in memory, written every few seconds, and watched for silence.

import type { SteadyClock } from '../clock.ts';
import { callerOf, type Principal } from '../domain/access/access.ts';
import { GapTally } from '../domain/sources/rhythm.ts';
import { type NotedReports, noteHeardReports } from '../operations/sources/note-reports.ts';
import { forgetGoneSources, hasSilentSources, noteSilence } from '../operations/sources/watch.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';
import type { StoredWork } from './stored-work.ts';

/** A source is written once in this time at most; after a kill so much of what came is forgotten. */
const writeEveryMs = 10_000;
const forgetEveryMs = 60_000;

type Parts = {
  readonly store: Store;
  readonly clock: SteadyClock;
  readonly work: StoredWork;
  readonly onTrouble: (error: unknown) => void;
};

type Noted = { readonly tally: GapTally; fedBy: string | undefined };

export class SourceWatch {
  readonly #store: Store;
  readonly #clock: SteadyClock;
  readonly #upSince: number;
  readonly #work: StoredWork;
  readonly #onTrouble: (error: unknown) => void;
  readonly #loop: PollingLoop;
  #noted = new Map<string, Noted>();
  #forgotAt = Number.NEGATIVE_INFINITY;

  constructor({ store, clock, work, onTrouble }: Parts) {
    this.#store = store;
    this.#clock = clock;
    this.#work = work;
    this.#upSince = clock.elapsed();
    this.#onTrouble = onTrouble;
    this.#loop = new PollingLoop(writeEveryMs, () => this.#look(), onTrouble);
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  /** Notes that alarms or values of the caller were stored. Called for every request to an intake. */
  note(principal: Principal, dataServerIds: readonly (number | undefined)[]): void {
    const at = this.#clock.elapsed();
    const key = principal.kind === 'key' ? callerOf(principal).actor : undefined;
    if (key !== undefined) this.#hear(key, undefined, at);
    let last: number | undefined;
    for (const id of dataServerIds) {
      // Most requests name one data server, in all items.
      if (id === undefined || id === last) continue;
      last = id;
      this.#hear(`server:${id}`, key, at);
    }
  }

  #hear(source: string, fedBy: string | undefined, at: number): void {
    const noted = this.#noted.get(source);
    if (noted === undefined) {
      this.#noted.set(source, { tally: new GapTally(at), fedBy });
      return;
    }
    noted.tally.hear(at);
    noted.fedBy = fedBy;
  }

  /** Writes what is noted. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#write().catch(this.#onTrouble);
  }

  async #look(): Promise<void> {
    await this.#write();
    const upSince = this.#timeOf(this.#upSince);
    const isSilent = () => this.#store.read(hasSilentSources, { now: this.#clock.now(), upSince });
    const note = () => this.#store.write(noteSilence, { upSince });
    for (let goesOn = true; goesOn && (await isSilent()); )
      goesOn = await this.#work.take({ kind: 'source', id: 0 }, note);
    const now = this.#clock.now();
    if (Math.abs(now - this.#forgotAt) < forgetEveryMs) return;
    this.#forgotAt = now;
    await this.#store.write(forgetGoneSources, {});
  }

  /** Reports that cannot be written are lost: later ones say the same. */
  async #write(): Promise<void> {
    const noted = this.#noted;
    if (noted.size === 0) return;
    this.#noted = new Map();
    const reports = [...noted].map(([source, { tally, fedBy }]): NotedReports => {
      const { firstAt, lastAt, gaps } = tally.reports;
      return { firstAt: this.#timeOf(firstAt), lastAt: this.#timeOf(lastAt), gaps, source, fedBy };
    });
    await this.#store.write(noteHeardReports, { upSince: this.#timeOf(this.#upSince), reports });
  }

  /** Reports are noted by the elapsed time, so that a clock that is set makes no gap between them. */
  #timeOf(elapsed: number): number {
    return Math.round(this.#clock.now() - (this.#clock.elapsed() - elapsed));
  }
}
