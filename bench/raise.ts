// Measures how fast alarms are durably stored, as a ratio to a bare HTTP server in the same run, and their memory cost:
// `npm run bench`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../test/harness/stores/postgres-server.ts';
import { runBench } from './run-bench.ts';
import { type Subject, start, startTocsin } from './server.ts';

const seconds = 8;
/** Not counted: a server runs for months, and its first thousands of requests are much slower than all later ones. */
const warmUpSeconds = 16;
const passes = 3;
const connections = 64;
const alarmsPerBatch = 100;
const memoryAlarms = 100_000;

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Returns the requests per second with status 200. */
async function measure({ name, url, token }: Subject, run: string, batch = 1, duration = seconds): Promise<number> {
  const address = `${url}/api/v1/alarms${batch > 1 ? '/batch' : ''}`;
  const clients = batch > 1 ? 8 : connections;
  const args = ['-t1', `-c${clients}`, `-d${duration}s`, '--latency', '-s', file('raise.lua'), address];
  const env = { ...process.env, TOKEN: token, RUN: run, BATCH: String(batch) };
  const wrk = spawn('wrk', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(wrk.stdout), once(wrk, 'close')]);
  if (code !== 0) throw new Error(`wrk ended with ${code}`);
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1];
  if (failed !== undefined) throw new Error(`${name} refused ${failed} requests`);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]) * batch;
  const p99 = /99%\s+(\S+)/.exec(output)?.[1];
  console.log(`  ${name.padEnd(10)} ${rate.toFixed(0).padStart(7)} alarms/s   p99 ${p99}`);
  return rate;
}

/** Creates alarms by sending them in batches. */
async function makeAlarms({ url, token }: Subject, count: number, alarm: (n: number) => object): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const body = JSON.stringify(Array.from({ length: Math.min(500, count - from) }, (_, n) => alarm(from + n)));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/v1/alarms/batch`, { method: 'POST', headers, body });
    if (response.status !== 200) throw new Error(await response.text());
    await response.arrayBuffer();
  }
}

/**
 * The alarms that raise.lua raises, defined as it sends them, so that only raising is measured and not creating or
 * redefining.
 */
const alarmOfBench = (n: number): object => ({
  path: `Plant/Area${n % 50}/Pump${n}`,
  value: '80',
  priority: 2,
  alarmMessage: `Pump ${n} is too hot, look at its bearing`,
  resetMessage: `Pump ${n} has cooled down`,
  eventCondition: { value: '>=80', reactivatable: true },
  alarmActions: [{ type: 'CallUser', id: 1, flags: 2 }],
});

async function speed(folder: string): Promise<boolean> {
  const postgres = await startPostgres();
  const subjects = [
    await start('bare HTTP', [file('echo-server.ts')]),
    await startTocsin('SQLite', join(folder, 'sqlite')),
    await startTocsin('PostgreSQL', join(folder, 'postgres'), postgres.url),
  ];
  const [, ...stores] = subjects;
  try {
    for (const store of stores) await makeAlarms(store, 20_000, alarmOfBench);
    console.log(`warming up, ${warmUpSeconds} s each, not counted`);
    for (const subject of subjects) await measure(subject, 'warm-up', 1, warmUpSeconds);
    const best = new Map<string, number>();
    const keep = (name: string, rate: number) => best.set(name, Math.max(best.get(name) ?? 0, rate));
    for (let pass = 1; pass <= passes; pass++) {
      console.log(`pass ${pass} of ${passes}: one by one, ${connections} connections, ${seconds} s each`);
      for (const subject of subjects) keep(subject.name, await measure(subject, `run-${pass}`));
    }
    console.log(`in batches of ${alarmsPerBatch}`);
    for (const store of stores) await measure(store, 'warm-up', alarmsPerBatch);
    for (const store of stores) keep(`${store.name} in batches`, await measure(store, 'batch', alarmsPerBatch));
    return report(best);
  } finally {
    for (const subject of subjects) subject.process.kill();
    await postgres.stop();
  }
}

function report(best: ReadonlyMap<string, number>): boolean {
  const rate = (name: string): number => best.get(name) ?? 0;
  const bars = [
    ['SQLite, of bare HTTP', rate('SQLite') / rate('bare HTTP'), 0.6],
    ['PostgreSQL, of bare HTTP', rate('PostgreSQL') / rate('bare HTTP'), 0.25],
    ['SQLite, a batch to one by one', rate('SQLite in batches') / rate('SQLite'), 3],
    ['PostgreSQL, a batch to one by one', rate('PostgreSQL in batches') / rate('PostgreSQL'), 3],
  ] as const;
  for (const [name, ratio, bar] of bars)
    console.log(`${ratio >= bar ? 'ok    ' : 'MISSED'} ${name.padEnd(36)} ${ratio.toFixed(2)} (bar ${bar})`);
  return bars.every(([, ratio, bar]) => ratio >= bar);
}

function megabytes({ process: { pid } }: Subject): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Returns the minimum over some seconds, which excludes memory not yet garbage-collected. */
async function settledMegabytes(subject: Subject): Promise<number> {
  const samples: number[] = [];
  for (let n = 0; n < 20; n++) {
    await pause(500);
    samples.push(megabytes(subject));
  }
  return Math.min(...samples);
}

/** Puts the same load on few alarms first, so that the comparison excludes warming up. */
async function memory(folder: string): Promise<boolean> {
  const subject = await startTocsin('SQLite', join(folder, 'memory'));
  try {
    const tag = (n: number) => ({ path: `Line ${n}`, alarmMessage: `Line ${n} has stopped` });
    await makeAlarms(subject, memoryAlarms, (n) => tag(n % 100));
    const before = await settledMegabytes(subject);
    await makeAlarms(subject, memoryAlarms, tag);
    const more = (await settledMegabytes(subject)) - before;
    console.log(
      `${more <= 100 ? 'ok    ' : 'MISSED'} ${memoryAlarms} current alarms add ${more.toFixed(0)} MB (bar 100)`,
    );
    return more <= 100;
  } finally {
    subject.process.kill();
  }
}

await runBench({
  needs: ['wrk', 'PostgreSQL'],
  async measure(folder) {
    const isFast = await speed(folder);
    const isLean = await memory(folder);
    return isFast && isLean;
  },
});
