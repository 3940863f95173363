// A reader thread for PostgreSQL: runs computations on a connection of its own, off the event loop of the server.

import type { MessagePort } from 'node:worker_threads';
import type { Query } from '../store.ts';
import {
  type FromWorker,
  failedResult,
  type Job,
  packResults,
  type ToWorker,
  unpackJobs,
} from '../threads/thread-messages.ts';
import { cheapRandomReads, longComputations } from './prepared-connection.ts';
import { openPool, runQuery } from './query-pool.ts';

export function servePostgresReader(
  port: MessagePort,
  url: string,
  queries: ReadonlyMap<string, Query<never, unknown>>,
): void {
  // An idle connection that was lost is opened again for the next query, which reports the failure if there is one.
  const pool = openPool({ url, max: 1, settings: `${cheapRandomReads}; ${longComputations}`, onTrouble: () => {} });
  const send = (message: FromWorker): void => port.postMessage(message);
  let last: Promise<void> = Promise.resolve();
  const run = async ({ id, name, input }: Job): Promise<void> => {
    try {
      const query = queries.get(name);
      if (query === undefined) throw new Error(`The query ${name} is not in src/store-worker.ts`);
      send(packResults([{ id, kind: 'done', outcome: await runQuery(pool, query, input as never) }], false));
    } catch (error) {
      send(packResults([failedResult(id, error)], false));
    }
  };
  const close = async (): Promise<void> => {
    await pool.end();
    port.close();
  };
  port.on('message', (message: ToWorker) => {
    if (message === 'close') last = last.then(close);
    else for (const job of unpackJobs(message)) last = last.then(() => run(job));
  });
  send({ kind: 'ready' });
}
