// A reader thread for a SQLite file: each query sees one snapshot, and none blocks the event loop.

import type { MessagePort } from 'node:worker_threads';
import type { Query } from '../store.ts';
import {
  type FromWorker,
  failedResult,
  type Job,
  type JobResult,
  packResults,
  type ToWorker,
  unpackJobs,
} from '../threads/thread-messages.ts';
import { openReadOnly } from './database-file.ts';
import { PreparedConnection } from './prepared-connection.ts';
import { damagedStore, isDamage } from './sqlite-errors.ts';
import type { Catalogue } from './writer.ts';

export function serveReader(port: MessagePort, file: string, queries: Catalogue<Query<never, unknown>>): void {
  const connection = new PreparedConnection(openReadOnly(file));
  const send = (message: FromWorker): void => port.postMessage(message);
  // Queries run one after another: two on one connection would share and end each other's transaction.
  let last: Promise<void> = Promise.resolve();
  const onDamage = (problem: string): void => send({ kind: 'checked', problem });
  const run = async (job: Job): Promise<void> =>
    send(packResults([await runQuery(connection, queries, job, onDamage)], false));
  port.on('message', (message: ToWorker) => {
    if (message !== 'close') for (const job of unpackJobs(message)) last = last.then(() => run(job));
    else
      last = last.then(() => {
        connection.close();
        port.close();
      });
  });
  send({ kind: 'ready' });
}

async function runQuery(
  connection: PreparedConnection,
  queries: Catalogue<Query<never, unknown>>,
  job: Job,
  onDamage: (problem: string) => void,
): Promise<JobResult> {
  try {
    const query = queries.get(job.name);
    if (query === undefined) throw new Error(`The query ${job.name} is not in src/store-worker.ts`);
    connection.begin('BEGIN');
    try {
      return { id: job.id, kind: 'done', outcome: await query.run(connection.tx, job.input as never) };
    } finally {
      await connection.commit();
    }
  } catch (error) {
    if (!isDamage(error)) return failedResult(job.id, error);
    const problem = error instanceof Error ? error.message : String(error);
    onDamage(problem);
    return failedResult(job.id, damagedStore(problem));
  }
}
