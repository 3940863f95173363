// A thread for one kind of queries: started with the first of them, and started again after it failed.

import { AppError } from '../../errors.ts';
import type { Query } from '../store.ts';
import { Turns } from './turns.ts';
import { closedStore, type ThreadOptions, type WorkerThread } from './worker-thread.ts';

/** Limits how many queries wait, all together and of one name; beyond that, callers should retry later. */
type QueryLimit = {
  readonly maxWaiting: number;
  readonly maxOfOneName: number;
  /** How many the thread is given at once; the others take turns by name. */
  readonly maxPosted: number;
  readonly refusal: string;
};

/** Lists may take long. */
export const listLimit: QueryLimit = {
  maxWaiting: 100,
  maxOfOneName: 100,
  maxPosted: 100,
  refusal: 'Too many lists are being read at once. Try again shortly.',
};

/**
 * Each computation may take its whole time limit, a second or two. Those of one name leave room for others, and take turns with
 * them: who previews schedules keeps nobody from seeing who is on call.
 */
export const computationLimit: QueryLimit = {
  maxWaiting: 20,
  maxOfOneName: 8,
  maxPosted: 1,
  refusal: 'Too many forecasts and calendars are being computed at once. Try again shortly.',
};

export function refuseQueryWhenOverloaded(waiting: number, limit: QueryLimit): void {
  if (waiting >= limit.maxWaiting) throw overloaded(limit);
}

function overloaded({ refusal }: QueryLimit): AppError {
  return new AppError('unavailable', refusal, { retryAfterSeconds: 1 });
}

type StartThread = (on: Pick<ThreadOptions, 'onBroken' | 'refusal'>) => Promise<WorkerThread>;

export class QueryThread {
  readonly #start: StartThread;
  readonly #limit: QueryLimit;
  readonly #turns: Turns;
  /** By name. */
  readonly #waitingOf = new Map<string, number>();
  #thread: Promise<WorkerThread> | undefined;
  #waiting = 0;
  #isClosed = false;

  constructor(start: StartThread, limit: QueryLimit) {
    this.#start = start;
    this.#limit = limit;
    this.#turns = new Turns(limit.maxPosted);
  }

  async read<A, R>(query: Query<A, R>, args: A): Promise<R> {
    const { name } = query;
    const ofName = this.#waitingOf.get(name) ?? 0;
    refuseQueryWhenOverloaded(this.#waiting, this.#limit);
    if (ofName >= this.#limit.maxOfOneName) throw overloaded(this.#limit);
    this.#count(name, 1);
    try {
      return await this.#turns.run(name, async () => {
        const thread = await this.#running();
        return (await thread.post(name, args, 0)) as R;
      });
    } finally {
      this.#count(name, -1);
    }
  }

  #count(name: string, by: 1 | -1): void {
    this.#waiting += by;
    const ofName = (this.#waitingOf.get(name) ?? 0) + by;
    if (ofName === 0) this.#waitingOf.delete(name);
    else this.#waitingOf.set(name, ofName);
  }

  #running(): Promise<WorkerThread> {
    if (this.#isClosed) throw closedStore();
    this.#thread ??= this.#start({ onBroken: () => this.#forget(), refusal: brokenThread }).catch((error) => {
      this.#forget();
      throw error;
    });
    return this.#thread;
  }

  #forget(): void {
    this.#thread = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.close();
  }
}

function brokenThread(reason: string): AppError {
  return new AppError('unavailable', 'The answer could not be computed. Try again shortly.', {
    retryAfterSeconds: 1,
    cause: new Error(reason),
  });
}
