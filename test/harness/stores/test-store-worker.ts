// The worker module of a store's threads for the conformance suite, with the operations of the tests and the queries of the
// event log.

import { parentPort, workerData } from 'node:worker_threads';
import { readOtherEvents, readWholeEvents } from '../../../src/operations/alarms/events.ts';
import { readEvents, readLogPosition } from '../../../src/store/event-log.ts';
import { servePostgresReader } from '../../../src/store/postgres/reader.ts';
import { serveCheckProcess } from '../../../src/store/sqlite/check-file.ts';
import { serveReader } from '../../../src/store/sqlite/reader.ts';
import { serveWriter } from '../../../src/store/sqlite/writer.ts';
import type { Operation, Query } from '../../../src/store/store.ts';
import type { WorkerData } from '../../../src/store/threads/worker-thread.ts';
import {
  countTwice,
  countUp,
  endThread,
  holdComputation,
  holdList,
  keepNote,
  keepNotes,
  keepTexts,
  knownMedia,
  readNote,
  readNoteQuickly,
  scanEvents,
  takeIds,
  tellOfAlarm,
  useRowSets,
} from './test-operations.ts';

const operations: readonly Operation<never, unknown>[] = [
  keepNote,
  keepNotes,
  keepTexts,
  tellOfAlarm,
  countUp,
  useRowSets,
  takeIds,
];
const queries: readonly Query<never, unknown>[] = [
  readNote,
  readNoteQuickly,
  holdComputation,
  holdList,
  endThread,
  countTwice,
  scanEvents,
  knownMedia,
  readEvents,
  readOtherEvents,
  readWholeEvents,
  readLogPosition,
];

if (parentPort !== null) {
  const data = workerData as WorkerData;
  const catalogue = new Map(queries.map((entry) => [entry.name, entry]));
  if (data.role === 'writer') serveWriter(parentPort, data, new Map(operations.map((entry) => [entry.name, entry])));
  else if (data.role === 'reader') serveReader(parentPort, data.file, catalogue);
  else if (data.role === 'postgres-reader') servePostgresReader(parentPort, data.url, catalogue);
} else {
  serveCheckProcess();
}
