// Has the whole file checked beside the server, one check at a time; a stop ends it at once.

import type { StoreWorker } from './worker-thread.ts';

export class FileChecks {
  readonly #start: () => StoreWorker;
  readonly #onChecked: (problem: string | undefined) => void;
  #running: { readonly worker: StoreWorker; readonly ended: Promise<void> } | undefined;
  #isClosed = false;

  constructor(start: () => StoreWorker, onChecked: (problem: string | undefined) => void) {
    this.#start = start;
    this.#onChecked = onChecked;
  }

  begin(): void {
    if (this.#running !== undefined || this.#isClosed) return;
    const worker = this.#started();
    if (worker === undefined) return;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#running = { worker, ended };
    worker.on('message', (message) => {
      if (message.kind === 'checked' && !this.#isClosed) this.#onChecked(message.problem);
    });
    worker.on('error', () => resolve());
    worker.once('exit', () => resolve());
    void ended.then(() => {
      this.#running = undefined;
    });
  }

  /** Returns undefined when no worker can be started, for lack of memory for instance: the server runs on without the check. */
  #started(): StoreWorker | undefined {
    try {
      return this.#start();
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.worker.postMessage('close');
    await this.#running?.ended;
  }
}
