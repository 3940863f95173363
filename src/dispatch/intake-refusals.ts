// Keeps refused intakes off the path of requests: the first of each caller in a minute at once and the newest at its end, so
// that a source that sends a thousand wrong requests a second fills neither memory nor disk.

import type { Clock } from '../clock.ts';
import { callerOf, type Principal } from '../domain/access/access.ts';
import { AppError } from '../errors.ts';
import {
  endRefusalAlarm,
  keepRefusals,
  listRefusedCallers,
  maxKeptBytes,
  maxKeptPerCaller,
  type RefusedIntake,
  reportRefusalNotKept,
} from '../operations/intake/refusals.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';

const minuteMs = 60_000;
/** Bodies that wait to be written; further ones are counted and logged by the server, but not kept. */
const maxWaitingBytes = 8 * 1024 * 1024;
const maxCallers = 1_000;

type Noted = Pick<RefusedIntake, 'by' | 'route' | 'address' | 'code' | 'reason'> & {
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
  /** The length that the sender declared, of which `bytes` may be the beginning. */
  readonly sentLength?: number;
  /** Whether other items of the same list were taken. */
  readonly isPartial?: boolean;
};

/** The requests whose refusal leaves an alarm unseen; a call leaves a row in the history of calls. */
const alarmRoutes: ReadonlySet<string> = new Set([
  'POST /api/v1/alarms',
  'POST /api/v1/alarms/batch',
  'POST /api/v1/tags/values',
]);

/** The intakes of senders that have a body of their own. */
const ownBodies = 'POST /api/v1/in/';

/** The subject of a refusal that the store cannot take, for the log and the alarm about it. */
export type NotKept = Pick<RefusedIntake, 'route' | 'code'> & { readonly caller: string };

type Troubles = {
  /** Called when the store failed; what waits is written later. */
  readonly onTrouble: (error: unknown) => void;
  /** Called once for each refusal that could not be written although others could. */
  readonly onNotKept: (about: NotKept, error: unknown) => void;
};

export class IntakeRefusals {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #troubles: Troubles;
  readonly #loop: PollingLoop;
  #waiting: RefusedIntake[] = [];
  /** The newest of each caller beyond those of this minute that are written at once; written when the minute is over. */
  #held = new Map<string, RefusedIntake[]>();
  /** Of what waits and what is held. */
  #bytes = 0;
  /** How many of each caller were to be written at once in this minute. */
  #counts = new Map<string, number>();
  #minute = 0;
  /** The callers that have an alarm about refusals. */
  readonly #refused = new Set<string>();
  /** The callers of whom an alarm was taken since, or who have stopped; the next write ends their alarm about refusals. */
  readonly #taken = new Set<string>();
  #isWriting = false;
  #knownAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, clock: Clock, troubles: Troubles) {
    this.#store = store;
    this.#clock = clock;
    this.#troubles = troubles;
    this.#loop = new PollingLoop(minuteMs, () => this.#work(), troubles.onTrouble);
    this.#loop.wakeSoon();
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  note({ bytes, sentLength = 0, contentType = '', isPartial, ...refusal }: Noted): void {
    const now = this.#clock.now();
    const kept = bytes.subarray(0, maxKeptBytes);
    const place = this.#placeFor(actorOf(refusal.by), kept.length, now);
    if (place === undefined) return;
    this.#bytes += kept.length;
    place.push({
      ...refusal,
      at: now,
      contentType,
      body: Buffer.from(kept.buffer, kept.byteOffset, kept.length).toString('base64'),
      bodyLength: bytes.length > maxKeptBytes ? Math.max(bytes.length, sentLength) : bytes.length,
      isAnnounced: isPartial !== true && isAboutAlarm(refusal),
    });
    if (place === this.#waiting) this.#loop.wakeSoon();
  }

  /** Notes that an alarm of the caller has been taken. Called for every one, so it does nothing in most cases. */
  noteTaken(principal: Principal): void {
    if (this.#refused.size === 0 && this.#waiting.length === 0 && this.#held.size === 0 && !this.#isWriting) return;
    const { actor } = callerOf(principal);
    const unannounced = (one: RefusedIntake): RefusedIntake =>
      actorOf(one.by) === actor ? { ...one, isAnnounced: false } : one;
    this.#waiting = this.#waiting.map(unannounced);
    for (const [caller, held] of this.#held) this.#held.set(caller, held.map(unannounced));
    if (!this.#isWriting && !this.#refused.has(actor)) return;
    this.#taken.add(actor);
    this.#loop.wakeSoon();
  }

  /** Writes everything that waits. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#releaseHeld();
    await this.#write().catch(this.#troubles.onTrouble);
  }

  /** Returns where a refusal is to be added; undefined: nowhere, there is no room. */
  #placeFor(caller: string, bytes: number, now: number): RefusedIntake[] | undefined {
    this.#beginMinute(now);
    const count = this.#counts.get(caller) ?? 0;
    if (count === 0 && this.#counts.size >= maxCallers) return undefined;
    const isHeld = count >= maxKeptPerCaller;
    if (isHeld) this.#dropOldest(caller, bytes);
    if (this.#bytes + bytes > maxWaitingBytes) return undefined;
    if (isHeld) return this.#heldOf(caller);
    this.#counts.set(caller, count + 1);
    return this.#waiting;
  }

  #beginMinute(now: number): void {
    const minute = Math.floor(now / minuteMs);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#counts = new Map();
    this.#releaseHeld();
  }

  #releaseHeld(): void {
    for (const held of this.#held.values()) this.#waiting.push(...held);
    this.#held.clear();
  }

  #heldOf(caller: string): RefusedIntake[] {
    const held = this.#held.get(caller) ?? [];
    this.#held.set(caller, held);
    return held;
  }

  /** Makes room for a newer one among those of the caller that are held. */
  #dropOldest(caller: string, bytes: number): void {
    const held = this.#heldOf(caller);
    while (held.length >= maxKeptPerCaller || (held.length > 0 && this.#bytes + bytes > maxWaitingBytes)) {
      const [oldest] = held.splice(0, 1);
      this.#bytes -= oldest === undefined ? 0 : bytesOf([oldest]);
    }
  }

  /** Goes on until nothing is left: what is noted during a write wakes no loop that is running. */
  async #work(): Promise<void> {
    this.#beginMinute(this.#clock.now());
    do {
      await this.#write();
      await this.#refresh();
    } while (this.#waiting.length > 0 || this.#taken.size > 0);
  }

  /** Another node, or an earlier run of this one, may have raised such alarms. */
  async #refresh(): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#knownAt < minuteMs) return;
    for (const { actor, isOver } of await this.#store.read(listRefusedCallers, { now })) {
      this.#refused.add(actor);
      if (isOver) this.#taken.add(actor);
    }
    this.#knownAt = now;
  }

  async #write(): Promise<void> {
    if (this.#waiting.length > 0) await this.#keepWaiting();
    const actors = [...this.#taken].filter((actor) => this.#refused.has(actor));
    this.#taken.clear();
    // One by one, so that an alarm that cannot be ended keeps none of the others.
    for (const actor of actors) {
      const ended = this.#store.write(endRefusalAlarm, { actor });
      await ended.then(() => this.#refused.delete(actor), this.#troubles.onTrouble);
    }
  }

  async #keepWaiting(): Promise<void> {
    const written = this.#waiting;
    this.#waiting = [];
    this.#bytes -= bytesOf(written);
    this.#isWriting = true;
    try {
      await this.#keep(written);
    } catch (error) {
      if (isAway(error)) this.#putBack(written, error);
      await this.#keepSingly(written);
    } finally {
      this.#isWriting = false;
    }
  }

  async #keep(refusals: readonly RefusedIntake[]): Promise<void> {
    for (const actor of await this.#store.write(keepRefusals, refusals)) this.#refused.add(actor);
  }

  /** Writes refusals of which at least one cannot be written: that one is left out, and an alarm names it. */
  async #keepSingly(refusals: readonly RefusedIntake[]): Promise<void> {
    for (const [index, refusal] of refusals.entries()) {
      try {
        await this.#keep([refusal]).catch((error) => this.#leaveOut(refusal, error));
      } catch (error) {
        this.#putBack(refusals.slice(index), error);
      }
    }
  }

  /** Throws if the store is away, and the refusal must wait. */
  async #leaveOut({ by, route, code }: RefusedIntake, error: unknown): Promise<void> {
    if (isAway(error)) throw error;
    const about: NotKept = { caller: actorOf(by), route, code };
    await this.#store.write(reportRefusalNotKept, about).catch((failed) => {
      if (isAway(failed)) throw failed;
      this.#troubles.onTrouble(failed);
    });
    this.#troubles.onNotKept(about, error);
  }

  #putBack(refusals: readonly RefusedIntake[], error: unknown): never {
    this.#waiting = [...refusals, ...this.#waiting];
    this.#bytes += bytesOf(refusals);
    throw error;
  }
}

function bytesOf(refusals: readonly RefusedIntake[]): number {
  return refusals.reduce((sum, { body }) => sum + Buffer.byteLength(body, 'base64'), 0);
}

/** Whether the store takes nothing at all for now, whatever is written. */
function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/** The value of a tag that nobody has defined is unprocessable; it is not an alarm. */
function isAboutAlarm({ route, code }: Pick<Noted, 'route' | 'code'>): boolean {
  return (alarmRoutes.has(route) || route.startsWith(ownBodies)) && code !== 'unprocessable';
}

function actorOf(by: RefusedIntake['by']): string {
  return 'tokenHash' in by ? by.tokenHash : callerOf(by).actor;
}
