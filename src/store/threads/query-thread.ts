// A thread for one kind of queries: started with the first of them, and started again after it failed.

import { AppError } from '../../errors.ts';
import type { Query } from '../store.ts';
import { closedStore, type ThreadOptions, type WorkerThread } from './worker-thread.ts';

/** Limits how many queries wait; beyond that, callers should retry later. */
type QueryLimit = { readonly maxWaiting: number; readonly refusal: string };

/** Lists may take long. */
export const listLimit: QueryLimit = {
  maxWaiting: 100,
  refusal: 'Too many lists are being read at once. Try again shortly.',
};

/** Each computation may take its whole time limit, a second or two. */
export const computationLimit: QueryLimit = {
  maxWaiting: 10,
  refusal: 'Too many forecasts and calendars are being computed at once. Try again shortly.',
};

export function refuseQueryWhenOverloaded(waiting: number, { maxWaiting, refusal }: QueryLimit): void {
  if (waiting >= maxWaiting) throw new AppError('unavailable', refusal, { retryAfterSeconds: 1 });
}

type StartThread = (on: Pick<ThreadOptions, 'onBroken' | 'refusal'>) => Promise<WorkerThread>;

export class QueryThread {
  readonly #start: StartThread;
  readonly #limit: QueryLimit;
  #thread: Promise<WorkerThread> | undefined;
  #waiting = 0;
  #isClosed = false;

  constructor(start: StartThread, limit: QueryLimit) {
    this.#start = start;
    this.#limit = limit;
  }

  async read<A, R>(query: Query<A, R>, args: A): Promise<R> {
    refuseQueryWhenOverloaded(this.#waiting, this.#limit);
    this.#waiting++;
    try {
      const thread = await this.#running();
      return (await thread.post(query.name, args, 0)) as R;
    } finally {
      this.#waiting--;
    }
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
