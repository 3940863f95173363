// Runs a server until it receives a stop signal, for the commands that do.

import { pino } from 'pino';
import { createApp, type StartedApp } from '../../app.ts';
import { MonotonicClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { exitCodes } from '../../errors.ts';
import { watchLoop } from './watch-loop.ts';

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Longer than any request may take during shutdown. */
const maxStopMs = 10_000;
/** After this long parts that do not stop are left behind, so that the audit trail is sealed and the store closed in time. */
const patientStopMs = 6_000;
/** How long parts that were left behind may keep a server alive that has stopped. */
const leftBehindMs = 2_000;

/** `greet` is called once the server is ready; the server stops when it fails, or at a signal. */
export async function runServer(config: Config, greet: (started: StartedApp) => Promise<void>): Promise<void> {
  // Synchronous, because the last lines before the process ends matter most.
  const log = pino(
    { level: config.logLevel, base: null, serializers: { err: errorInLog } },
    pino.destination({ dest: 2, sync: true }),
  );
  const clock = new MonotonicClock(Date.now());
  const app = createApp(config, {
    clock,
    log,
    onBroken: (reason) => {
      log.fatal({ reason }, 'storage failed: nothing can be stored any more, so Tocsin ends to be started again');
      process.exit(exitCodes['storage-failed']);
    },
  });
  endOnFaults(log);
  const endWatch = watchLoop((held) => log.warn(held, 'the event loop was held: nobody was answered meanwhile'));
  const started = await app.start();
  // Listens before it says that it is ready: a signal that comes right then must not end the process at once.
  const stopped = stopSignal();
  try {
    const greeted = greet(started);
    log.info({ url: started.url, database: started.store.kind }, 'ready');
    await Promise.race([stopped, greeted.then(() => stopped)]);
  } finally {
    log.info('stopping');
    const overdue = setTimeout(() => process.exit(1), maxStopMs).unref();
    await app.stop(patientStopMs);
    log.info('stopped');
    await endWatch();
    clearTimeout(overdue);
    // With the exit code that has been set: a part that was left behind makes a stop no failure.
    setTimeout(() => process.exit(), leftBehindMs).unref();
  }
}

/** Logs only the error's own fields, because a database driver attaches its whole connection to an error. */
function errorInLog(error: Error): object {
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, code };
}

/**
 * Resolves at the first signal. Further ones are ignored, because a terminal and npm may both send one for one Ctrl-C.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of stopSignals) process.on(signal, () => resolve());
  });
}

/** Logs an uncaught error and ends the process, whose state is then unknown, so that it is started again. */
function endOnFaults(log: { fatal(object: object, message: string): void }): void {
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'a fault nobody caught');
    process.exit(exitCodes.fault);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
