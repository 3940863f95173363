// Counts equal refusals, and writes them to the audit trail or the log at most once a minute with their number, so that
// a flood of requests cannot fill the disk.

import type { Clock } from '../clock.ts';
import { callerOf, type Principal } from '../domain/access/access.ts';
import type { CountedRefusals } from '../operations/audit/record-refusals.ts';
import { PollingLoop } from './polling-loop.ts';

const everyMs = 60_000;
/** Different refusals that are recorded on their own within a minute; further ones are counted together. */
const mostApart = 100;
const anonymous = 'anonymous';

type Refusal = Omit<CountedRefusals, 'count' | 'firstAt' | 'lastAt'>;

export type RefusedWithRoute = {
  readonly code: string;
  readonly principal: Principal | undefined;
  readonly address: string;
  readonly route: string;
};

export type RefusedSignIn = {
  readonly name: string;
  /** Undefined if the name is nobody's. */
  readonly userId: number | undefined;
  readonly address: string;
  readonly code: string;
};

type Key = readonly (string | number)[];

type Tally = {
  readonly refusal: Refusal;
  count: number;
  firstAt: number;
  lastAt: number;
  /** When what has been counted is written: at once for the first, a minute after the last write for the others. */
  dueAt: number;
};

export class RefusalTally {
  readonly #write: (counted: readonly CountedRefusals[]) => Promise<void>;
  readonly #clock: Clock;
  readonly #onTrouble: (error: unknown) => void;
  readonly #loop: PollingLoop;
  readonly #tallies = new Map<string, Tally>();

  constructor(
    clock: Clock,
    write: (counted: readonly CountedRefusals[]) => Promise<void>,
    onTrouble: (error: unknown) => void,
  ) {
    this.#clock = clock;
    this.#write = write;
    this.#onTrouble = onTrouble;
    this.#loop = new PollingLoop(everyMs, () => this.#flush(({ dueAt }) => dueAt <= clock.now()), onTrouble);
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  noteRequest({ code, principal, address, route }: RefusedWithRoute): void {
    const actor = principal === undefined ? anonymous : callerOf(principal).actor;
    const refusal = { origin: { actor, address }, code, route };
    this.#note([actor === anonymous ? address : actor, code], refusal, [code]);
  }

  /**
   * An account that is guessed at always has a row of its own, however many made-up names come beside it; those are counted
   * together for each address.
   */
  noteSignIn({ name, userId, address, code }: RefusedSignIn): void {
    const refusal = { origin: { actor: anonymous, address }, code, route: 'POST /api/v1/auth/login' };
    if (userId === undefined)
      this.#note([address, code, 'unknown'], { ...refusal, signIn: { name: undefined } }, [code, 'unknown']);
    else this.#note([address, code, userId], { ...refusal, signIn: { name } }, [code, userId]);
  }

  /** Writes everything counted so far. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#flush(() => true).catch(this.#onTrouble);
  }

  /** `merged` is the key under which refusals of all addresses are counted when there are too many of their own. */
  #note(key: Key, refusal: Refusal, merged: Key): void {
    const now = this.#clock.now();
    const tally = this.#tallyFor(key, refusal, merged, now);
    if (tally.count === 0) tally.firstAt = now;
    tally.count++;
    tally.lastAt = now;
    if (tally.dueAt <= now) this.#loop.wakeSoon();
  }

  #tallyFor(key: Key, refusal: Refusal, merged: Key, now: number): Tally {
    const known = this.#tallies.get(JSON.stringify(key));
    if (known !== undefined) return known;
    if (this.#tallies.size < mostApart) return this.#add(key, refusal, now);
    const { origin: _, ...rest } = refusal;
    return (
      this.#tallies.get(JSON.stringify(merged)) ?? this.#add(merged, { ...rest, origin: { actor: anonymous } }, now)
    );
  }

  #add(key: Key, refusal: Refusal, now: number): Tally {
    const tally = { refusal, count: 0, firstAt: now, lastAt: now, dueAt: now };
    this.#tallies.set(JSON.stringify(key), tally);
    return tally;
  }

  async #flush(isDue: (tally: Tally) => boolean): Promise<void> {
    const due = [...this.#tallies].filter(([, tally]) => isDue(tally));
    const counted = due.map(([, tally]) => tally).filter(({ count }) => count > 0);
    const written = counted.map(({ refusal, count, firstAt, lastAt }) => ({ ...refusal, count, firstAt, lastAt }));
    if (written.length > 0) await this.#write(written);
    for (const [key, tally] of due) {
      if (tally.count === 0) this.#tallies.delete(key);
    }
    for (const [index, tally] of counted.entries()) {
      // More may have been counted during the write.
      tally.count -= written[index]?.count ?? 0;
      tally.dueAt = this.#clock.now() + everyMs;
    }
  }
}
