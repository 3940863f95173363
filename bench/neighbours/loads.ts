// The heavy requests of one user, each as a worker that repeats it until it is stopped; run as a process of its own.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { handleRequests } from '../hub/asking.ts';
import type { Subject } from '../server.ts';
import { hostile } from './hostile.ts';
import { largeSchedule, type Site } from './site.ts';

export type LoadOptions = Pick<Site, 'groupIds' | 'userId' | 'scheduleId'> &
  Pick<Subject, 'url' | 'token'> & {
    readonly names: readonly string[];
    readonly workers: number;
    /** The settings with which the program's own commands reach the store. */
    readonly environment: Readonly<Record<string, string>>;
  };

/** How many requests ended with each status. */
export type LoadCounts = Readonly<Record<string, number>>;

export type Heavy = (options: LoadOptions, turn: number) => Promise<number | string>;

const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

async function send({ url, token }: LoadOptions, method: string, path: string, body?: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const given = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...given });
  await response.arrayBuffer();
  return response.status;
}

const largest = 8 * 2 ** 20 - 10;

/** Bodies that are made to keep a parser busy, as long as the interface takes them. */
const hostileBodies: readonly Buffer[] = [
  Buffer.alloc(largest, '['),
  Buffer.alloc(largest, ' '),
  Buffer.concat([Buffer.from('["'), Buffer.alloc(largest, 0xff), Buffer.from('"]')]),
  Buffer.from(`[{${Array.from({ length: 600_000 }, (_, n) => `"k${n}":1`).join()}}]`),
];
const hostileRequests = hostileBodies.flatMap((body) => [
  { body, headers: {} },
  { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } },
]);

async function sendHostile({ url, token }: LoadOptions, turn: number): Promise<number> {
  const { body, headers } = hostileRequests[turn % hostileRequests.length] ?? { body: '', headers: {} };
  const authorization = `Bearer ${token}`;
  const response = await fetch(`${url}/api/v1/alarms/batch`, {
    method: 'POST',
    headers: { authorization, ...headers },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

/** 7.8 kB of words that no other text has. */
function distinctText(seed: number): string {
  return Array.from({ length: 1_000 }, (_, n) => `w${(seed * 1_000 + n).toString(36)}`)
    .join(' ')
    .slice(0, 7_800);
}

export const heavy: Readonly<Record<string, Heavy>> = {
  'explain of a week, 1,000 actions': (options) => {
    const alarmActions = Array.from({ length: 1_000 }, (_, n) => ({
      type: 'CallGroup',
      id: options.groupIds[n % options.groupIds.length],
      parameter: String(n),
    }));
    return send(options, 'POST', '/explain?hours=168', { path: 'x', priority: 1, alarmActions });
  },
  'batch of 1,000 long texts': (options, turn) => {
    const batch = Array.from({ length: 1_000 }, (_, n) => ({
      path: `Heavy/${turn}/${n}`,
      alarmMessage: distinctText(turn * 1_000 + n),
    }));
    return send(options, 'POST', '/alarms/batch', batch);
  },
  'bodies made to be slow': sendHostile,
  'lists of a word everybody has': (options, turn) =>
    send(options, 'GET', `/alarms${turn % 2 ? '' : '/histories'}?search=pump&limit=1000&sort=-id`),
  'deep offsets': (options, turn) =>
    send(options, 'GET', `/alarms${turn % 2 ? '' : '/histories'}?limit=1000&offset=18000`),
  'statistics of everything': (options, turn) =>
    send(options, 'GET', `/alarms/${turn % 2 ? 'statistics' : 'interventions'}?limit=1000&search=`),
  'a large calendar': (options, turn) => {
    if (turn % 3 === 0) return send(options, 'GET', `/users/${options.userId}/calendar.ics`);
    if (turn % 3 === 1)
      return send(options, 'POST', '/schedules/preview', { schedule: largeSchedule(options.groupIds.slice(0, 20)) });
    return send(options, 'GET', `/callgroups/${options.groupIds[0]}/calendar.ics`);
  },
  'bulk acknowledgement': (options, turn) => {
    const ids = Array.from({ length: 1_000 }, (_, n) => ((turn * 1_000 + n) % 20_000) + 1);
    return send(options, 'POST', '/alarms/acknowledge', { ids, comment: 'seen' });
  },
  backup: async ({ environment }) => {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-bench-backup-'));
    const args = [mainFile, 'backup', join(folder, 'backup')];
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...environment }, stdio: 'ignore' });
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    await rm(folder, { recursive: true, force: true });
    return `exit ${code}`;
  },
};

let isStopped = false;
let finished: Promise<unknown> = Promise.resolve();
const counts: Record<string, number> = {};

async function repeat(name: string, options: LoadOptions, worker: number): Promise<void> {
  for (let turn = worker; !isStopped; turn += 7) {
    const status = await (heavy[name] ?? hostile[name])?.(options, turn).catch((error: Error) => error.message);
    counts[String(status)] = (counts[String(status)] ?? 0) + 1;
  }
}

handleRequests({
  begin: (options: LoadOptions) => {
    const workers = options.names.flatMap((name) =>
      Array.from({ length: options.workers }, (_, worker) => repeat(name, options, worker)),
    );
    finished = Promise.all(workers);
  },
  end: async (): Promise<LoadCounts> => {
    isStopped = true;
    await finished;
    return counts;
  },
});
// The channel does not keep the process alive; it ends with the bench.
setInterval(() => {}, 60_000);
process.once('disconnect', () => process.exit());
