// How fast alarms are taken, durably, as a ratio to a bare HTTP server in the same run: `npm run bench`.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../test/harness/postgres-server.ts';

const seconds = 8;
const rounds = 3;
const connections = 64;
const password = 'a password for the bench';

type Subject = { readonly name: string; readonly url: string; readonly token: string; readonly process: ChildProcess };

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Starts a program and answers its address, which it prints when it is ready. */
async function start(
  name: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Subject> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const found = /ready at (\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('close', () => reject(new Error(`${name} ended: ${printed}`)));
  });
  return { name, url, token: environment.TOCSIN_DATA_DIR === undefined ? '' : await signIn(url), process: child };
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'admin', password });
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

function settings(folder: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    TOCSIN_PORT: '0',
    TOCSIN_DATA_DIR: folder,
    TOCSIN_ADMIN_PASSWORD: password,
    TOCSIN_LOG_LEVEL: 'warn',
    ...more,
  };
}

/** Requests a second that were answered 200. */
function measure({ name, url, token }: Subject): number {
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '-s',
    file('raise.lua'),
    `${url}/api/v1/alarms`,
  ];
  const { stdout, status } = spawnSync('wrk', args, { env: { ...process.env, TOKEN: token }, encoding: 'utf8' });
  if (status !== 0) throw new Error('wrk is needed: apt-get install wrk');
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1];
  if (failed !== undefined) throw new Error(`${name} refused ${failed} requests`);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  const p99 = /99%\s+(\S+)/.exec(stdout)?.[1];
  console.log(`  ${name.padEnd(10)} ${rate.toFixed(0).padStart(7)} /s   p99 ${p99}`);
  return rate;
}

const folder = await mkdtemp(join(tmpdir(), 'tocsin-bench-'));
const postgres = await startPostgres();
const main = file('../src/main.ts');
const subjects = [
  await start('bare HTTP', [file('echo-server.ts')]),
  await start('SQLite', [main, 'serve'], settings(join(folder, 'sqlite'))),
  await start('PostgreSQL', [main, 'serve'], settings(join(folder, 'postgres'), { TOCSIN_DATABASE_URL: postgres.url })),
];
try {
  const best = new Map<string, number>();
  for (let round = 1; round <= rounds; round++) {
    console.log(`round ${round} of ${rounds}, ${connections} connections, ${seconds} s each`);
    for (const subject of subjects) best.set(subject.name, Math.max(best.get(subject.name) ?? 0, measure(subject)));
  }
  const bare = best.get('bare HTTP') ?? 1;
  for (const [name, rate] of best)
    console.log(`${name}: best ${rate.toFixed(0)} /s, ${((100 * rate) / bare).toFixed(0)} % of bare HTTP`);
} finally {
  for (const subject of subjects) subject.process.kill();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
