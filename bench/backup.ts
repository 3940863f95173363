// Measures the memory and the time of a backup, of its verification and of a restore with many recordings, for two sizes: `npm run
// bench:backup`.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runBench } from './run-bench.ts';
import { startTocsin } from './server.ts';

/** 2 MB each in base64: half a gigabyte, and one. */
const sizes = [250, 500] as const;
const soundBytes = 1_500_000;
const maxMegabytes = 300;
/** Twice as much takes twice as long; the rest is noise. */
const maxRatio = 2.5;

/** The bundle that a package carries: the sources take more memory to be compiled than the backup itself. */
const mainFile = fileURLToPath(new URL('../dist/main.js', import.meta.url));

type Run = { readonly code: number; readonly seconds: number; readonly megabytes: number };

/** Runs a command and returns how long it took and the most memory that it had. */
async function run(folder: string, words: readonly string[]): Promise<Run> {
  const begin = performance.now();
  const child = spawn(process.execPath, [mainFile, ...words], {
    env: { PATH: process.env.PATH, TOCSIN_DATA_DIR: folder },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  let megabytes = 0;
  while (child.exitCode === null) {
    megabytes = Math.max(megabytes, peakOf(child));
    await Promise.race([ended, pause(20)]);
  }
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `  ${words.slice(0, -1).join(' ')}: code ${child.exitCode}, ${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB`,
  );
  return { code: child.exitCode, seconds, megabytes };
}

/** The most memory that a process has had so far, in MB. */
function peakOf({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
  } catch {
    // It has ended.
    return 0;
  }
}

async function makeStore(folder: string, recordings: number): Promise<void> {
  const server = await startTocsin('SQLite', folder);
  server.process.kill();
  await once(server.process, 'exit');
  const db = new DatabaseSync(join(folder, 'tocsin.db'));
  const insert = db.prepare(`INSERT INTO call_messages (text, num, audio, file, actor, created_at)
    VALUES ('message', ?, ?, '', 'user:1', ${Date.now()})`);
  for (let n = 0; n < recordings; n++) insert.run(n, randomBytes(soundBytes).toString('base64'));
  db.close();
}

function flipByte(file: string): void {
  const descriptor = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  const middle = Math.floor(statSync(file).size / 2);
  readSync(descriptor, byte, 0, 1, middle);
  byte[0] = (byte[0] ?? 0) ^ 1;
  writeSync(descriptor, byte, 0, 1, middle);
  closeSync(descriptor);
}

async function measure(folder: string): Promise<boolean> {
  const runs: Record<string, Run[]> = { backup: [], verify: [], restore: [] };
  let isFound = true;
  for (const recordings of sizes) {
    const [from, to] = [join(folder, `from-${recordings}`), join(folder, `to-${recordings}`)];
    const file = join(folder, `${recordings}.backup`);
    await makeStore(from, recordings);
    runs.backup?.push(await run(from, ['backup', file]));
    runs.verify?.push(await run(from, ['backup', 'verify', file]));
    runs.restore?.push(await run(to, ['restore', file]));
    flipByte(file);
    isFound &&= (await run(from, ['backup', 'verify', file])).code !== 0;
    console.log(
      `${recordings} recordings, a database of ${Math.round(statSync(join(from, 'tocsin.db')).size / 1e6)} MB`,
    );
  }
  const met = Object.entries(runs).map(([name, all]) => {
    const ratio = (all[1]?.seconds ?? Number.NaN) / (all[0]?.seconds ?? Number.NaN);
    const most = Math.max(...all.map(({ megabytes }) => megabytes));
    const isMet = most <= maxMegabytes && ratio <= maxRatio && all.every(({ code }) => code === 0);
    const seconds = all.map((one) => one.seconds.toFixed(1)).join(' and ');
    console.log(
      `${isMet ? 'ok    ' : 'MISSED'} ${name.padEnd(8)} ${seconds} s, ratio ${ratio.toFixed(2)} (bar ${maxRatio}), ${all.map(({ megabytes }) => Math.round(megabytes)).join(' and ')} MB (bar ${maxMegabytes})`,
    );
    return isMet;
  });
  console.log(`${isFound ? 'ok    ' : 'MISSED'} verify finds a bit that was changed`);
  return isFound && met.every(Boolean);
}

await runBench({ needs: [], measure });
