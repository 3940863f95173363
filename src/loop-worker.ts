// The worker module of the thread that watches the event loop.

import { parentPort, workerData } from 'node:worker_threads';
import { type LoopWatchData, watchBeats } from './cli/server/held-loop.ts';

if (parentPort !== null) watchBeats(parentPort, workerData as LoopWatchData);
