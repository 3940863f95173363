// A program: runs the server from its sources on the PostgreSQL of the environment and prints, as JSON, the source files
// that execute code while one alarm is raised and while one call is made and answered. On PostgreSQL everything runs in one
// thread, so that the coverage of this thread is complete.

import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { MonotonicClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { until } from './until.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Returns the files of src/ and packages/ in which a function is called while `work` runs. */
async function filesDuring(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const executed = result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => fileURLToPath(url).slice(root.length));
  return new Set(executed.filter((file) => /^(src|packages)\//.test(file)));
}

const config = readConfig(process.env);
const clock = new MonotonicClock(Date.now());
const log = pino({ level: 'silent' });
const app = createApp(config, { clock, log, onBroken: (reason) => process.exit(reason.length) });
const { url } = await app.start();

async function request<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

const signIn = { grant_type: 'password', username: 'admin', password: config.adminPassword };
const { access_token: token } = await request<{ access_token: string }>('POST', '/auth/login', signIn);
const ask = <T>(method: string, path: string, body?: unknown): Promise<T> => request<T>(method, path, body, token);

/**
 * The files that execute code in every run, and in any: background work, such as polling, happens only in some runs, and so does work
 * that goes on after the answer.
 */
async function filesOf(runs: number, work: (run: number) => Promise<unknown>) {
  let every: ReadonlySet<string> | undefined;
  let any: ReadonlySet<string> = new Set();
  for (let run = 0; run < runs; run++) {
    const files = await filesDuring(() => work(run));
    every = every === undefined ? files : every.intersection(files);
    any = any.union(files);
  }
  return { every: [...(every ?? [])].toSorted(), any: [...any] };
}

const raise = (run: number): Promise<unknown> => ask('POST', '/alarms', { path: `Plant/Pump${run}`, priority: 2 });

const runs = 4;
/** One for each run: a telephone rests after a ring. */
const people: number[] = [];
for (let run = 0; run < runs; run++)
  people.push(await ask('POST', '/users', { name: `person ${run}`, role: 'operator' }));

async function raiseAndTakeByPhone(run: number): Promise<void> {
  const id = people[run] ?? 0;
  const phone = `/simulator/phones/${id}`;
  const isRinging = async () => (await ask<{ state: string }[]>('GET', phone)).some(({ state }) => state === 'ringing');
  const alarmActions = [{ type: 'CallUser', id }];
  await ask('POST', '/alarms', { path: `Plant/Door${run}`, priority: 1, alarmActions });
  await until(isRinging, (rings) => rings);
  await ask('POST', `${phone}/answer`);
  for (const keys of ['1', '1']) await ask('POST', `${phone}/keys`, { keys });
  const calls = () => ask<{ items: { endTime?: string }[] }>('GET', `/call/histories?userId=${id}`);
  await until(calls, ({ items }) => items.every(({ endTime }) => endTime !== undefined));
}

console.log(
  // An alarm takes milliseconds; on a slow machine background work happens beside most of them, but not beside all of so many.
  JSON.stringify({ alarm: await filesOf(40, raise), call: await filesOf(runs, raiseAndTakeByPhone) }),
);
await app.stop();
