// The worker module of SQLite's threads for the conformance suite, with the operations of the tests and the queries of the
// event log.

import { parentPort, workerData } from 'node:worker_threads';
import { readEvents, readLogPosition, readOtherEvents } from '../../src/store/event-log.ts';
import { serveReader } from '../../src/store/sqlite/reader.ts';
import type { WorkerData } from '../../src/store/sqlite/sqlite-store.ts';
import { serveWriter } from '../../src/store/sqlite/writer.ts';
import type { Operation, Query } from '../../src/store/store.ts';
import {
  countTwice,
  countUp,
  keepNote,
  keepNotes,
  keepTexts,
  knownMedia,
  readNote,
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
  countTwice,
  scanEvents,
  knownMedia,
  readEvents,
  readOtherEvents,
  readLogPosition,
];

if (parentPort !== null) {
  const { role, file, isServer } = workerData as WorkerData;
  const byName = new Map(operations.map((entry) => [entry.name, entry]));
  if (role === 'writer') serveWriter(parentPort, { file, isServer }, byName);
  else serveReader(parentPort, file, new Map(queries.map((entry) => [entry.name, entry])));
}
