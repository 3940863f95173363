// Writes long lists in parts that give way to other writes: a single alarm waits for a part, never for a whole list.

import { AppError } from '../errors.ts';
import type { ListOperation, ListResult } from './list-operation.ts';
import type { Store } from './store.ts';

/** The cost of an input, where a small one costs 1. */
export type Weigh<I> = (input: I) => number;

/** A part is written in about 20 ms; much smaller ones store fewer alarms a second. */
const maxPartWeight = 256;
/** Two parts keep the store busy: one is written while the other arrives. */
const maxWeightInStore = 2 * maxPartWeight;

/** Limits the weight of the parts that are in the store at the same time; the others wait in order. */
export class WriteGate {
  readonly #waiting: { readonly weight: number; readonly enter: () => void }[] = [];
  #weight = 0;

  async run<T>(weight: number, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#hasRoom(weight))
      await new Promise<void>((enter) => this.#waiting.push({ weight, enter }));
    else this.#weight += weight;
    try {
      return await work();
    } finally {
      this.#weight -= weight;
      this.#admit();
    }
  }

  /** A part that is heavier than the limit enters alone. */
  #hasRoom(weight: number): boolean {
    return this.#weight === 0 || this.#weight + weight <= maxWeightInStore;
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#hasRoom(next.weight); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#weight += next.weight;
      next.enter();
    }
  }
}

/**
 * Writes the inputs part by part, in order. Returns one result each. When a part cannot be stored, it and the parts
 * after it result in that error; if nothing was stored at all, the error is thrown.
 */
export async function writeInParts<I, O>(
  store: Pick<Store, 'write'>,
  gate: WriteGate,
  operation: ListOperation<I, O>,
  inputs: readonly I[],
  weigh: Weigh<I>,
): Promise<readonly (ListResult<O> | AppError)[]> {
  const results: (ListResult<O> | AppError)[] = [];
  for (const { part, weight } of partsOf(inputs, weigh)) {
    try {
      results.push(...(await gate.run(weight, () => store.write(operation, part))));
    } catch (error) {
      if (!(error instanceof AppError) || results.length === 0) throw error;
      return [...results, ...inputs.slice(results.length).map(() => error)];
    }
  }
  return results;
}

type Part<I> = { readonly part: readonly I[]; readonly weight: number };

function partsOf<I>(inputs: readonly I[], weigh: Weigh<I>): readonly Part<I>[] {
  const parts: { part: I[]; weight: number }[] = [];
  for (const input of inputs) {
    const weight = weigh(input);
    const last = parts.at(-1);
    if (last === undefined || last.weight + weight > maxPartWeight) parts.push({ part: [input], weight });
    else {
      last.part.push(input);
      last.weight += weight;
    }
  }
  return parts;
}
