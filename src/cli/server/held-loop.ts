// The thread's side of the watch over the event loop: notices that it is held, and asks the inspector what by.

import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import type { MessagePort } from 'node:worker_threads';

export type LoopWatchData = {
  /** Counted up by the watched thread for as long as its loop turns. */
  readonly beats: Int32Array;
  /** How many looks without a beat make it held, and how many end the process. */
  readonly heldLooks: number;
  readonly endLooks: number;
};

/** The functions that held the loop, the innermost first. */
export type HeldBy = readonly string[];

/** More often than the loop is looked at, so that each look finds a new beat. */
export const beatEveryMs = 100;
export const lookEveryMs = 250;
const mostFrames = 12;
const pauseWithinMs = 2_000;

/** Looks are counted and not times: while the machine sleeps, or the process is stopped, nobody looks. */
export function watchBeats(port: MessagePort, { beats, heldLooks, endLooks }: LoopWatchData): void {
  let last = -1;
  let looks = 0;
  let heldBy: HeldBy = [];
  const look = (): void => {
    const beat = Atomics.load(beats, 0);
    if (beat !== last) {
      if (looks >= heldLooks) port.postMessage({ heldMs: looks * lookEveryMs, heldBy });
      last = beat;
      looks = 0;
      return;
    }
    looks += 1;
    if (looks === heldLooks) {
      heldBy = [];
      void functionsOf().then((found) => {
        heldBy = found;
      });
    }
    if (looks === endLooks) endProcess(heldBy);
  };
  setInterval(look, lookEveryMs);
}

/** Stops the watched thread for a moment to see where it is. */
function functionsOf(): Promise<HeldBy> {
  const { promise, resolve } = Promise.withResolvers<HeldBy>();
  const session = new Session();
  session.connectToMainThread();
  const finish = (found: HeldBy): void => {
    clearTimeout(late);
    session.disconnect();
    resolve(found);
  };
  // Inside of a long native call, such as JSON.parse, it cannot be stopped.
  const late = setTimeout(() => finish(['native code']), pauseWithinMs);
  session.on('Debugger.paused', ({ params }) => {
    const found = params.callFrames.slice(0, mostFrames).map(({ functionName, url, location }) => {
      const file = url.split('/').pop() || 'node';
      return `${functionName || 'anonymous'} (${file}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1})`;
    });
    session.post('Debugger.resume', () => finish(found));
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  return promise;
}

/** Nobody else can: the thread that stops the server, and writes the log, is the one that is held. */
function endProcess(heldBy: HeldBy): void {
  const line = {
    level: 60,
    time: Date.now(),
    heldBy,
    msg: 'the event loop is held for good: Tocsin ends to be started again',
  };
  writeSync(2, `${JSON.stringify(line)}\n`);
  process.kill(process.pid, 'SIGKILL');
}
