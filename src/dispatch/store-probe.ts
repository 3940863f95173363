// Finds out whether alarms can be stored, by a small write when somebody asks; one write serves those who ask together.

import { AppError } from '../errors.ts';
import { probeStore } from '../operations/system/store-probe.ts';
import type { Store } from '../store/store.ts';

/** A success is reused for this long, so that frequent checks do not wear out the disk. */
const reusedForMs = 5_000;
const timeoutMs = 5_000;

type Asking = {
  /** How old a success may be. */
  readonly reusedForMs: number;
  /** A write that takes longer has failed. */
  readonly timeoutMs: number;
};

export type ProbeResult = { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly error: unknown };

export class StoreProbe {
  readonly #store: Store;
  #running: Promise<ProbeResult> | undefined;
  #lastSuccess: { readonly result: ProbeResult; readonly at: number } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns a result that is a few seconds old at most. */
  async result(asking: Asking = { reusedForMs, timeoutMs }): Promise<ProbeResult> {
    const last = this.#lastSuccess;
    if (last !== undefined && performance.now() - last.at < asking.reusedForMs) return last.result;
    this.#running ??= this.#write().finally(() => {
      this.#running = undefined;
    });
    return withinTimeout(this.#running, asking.timeoutMs);
  }

  async #write(): Promise<ProbeResult> {
    const begin = performance.now();
    const result = await this.#attempt(begin);
    this.#lastSuccess = result.ok ? { result, at: performance.now() } : undefined;
    return result;
  }

  async #attempt(begin: number): Promise<ProbeResult> {
    try {
      await this.#store.check();
      await this.#store.write(probeStore, {});
      return { ok: true, ms: Math.ceil(performance.now() - begin) };
    } catch (error) {
      return { ok: false, error };
    }
  }
}

async function withinTimeout(running: Promise<ProbeResult>, timeoutMs: number): Promise<ProbeResult> {
  const { promise: late, resolve } = Promise.withResolvers<ProbeResult>();
  const error = new AppError('unavailable', `A write takes longer than ${timeoutMs / 1_000} s.`);
  const timer = setTimeout(() => resolve({ ok: false, error }), timeoutMs);
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
