// Measures what a raise and the steps of a call cost with few and with very many past entries, causes and attempts, as a ratio in
// one run, in turn on two stores: `npm run bench:growth`.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { createApp, type StartedApp } from '../src/app.ts';
import { number, secondsSince } from '../src/cli/progress.ts';
import { MonotonicClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { runBench } from './run-bench.ts';
import { password } from './server.ts';

const few = 10_000;
const many = Number(process.argv[2] ?? 10_000_000);
const rounds = 400;
const people = 100;
const maxRatio = 1.2;

/**
 * The columns that differ between the copies of a row, by table; `n` is the number of the copy. Other columns are copied as they
 * are. Half the copies are the history of the people who are called, from before the last day.
 */
function columnsOfCopies([first = 0]: readonly number[]): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const userId = `case n % 2 when 0 then ${first} + n / 2 % ${people} else 100000 + n % 200 end`;
  const before = (column: string) => ({ [column]: `${column} - 86400000 - n * 1000` });
  return {
    alarm_histories: { series_id: '100000 + n % 20000', number: 'n', ...before('raised_at') },
    call_causes: {
      ...{ cause_id: '100000 + n', alarm_id: '100000 + n % 20000', history_id: '100000 + n', call_id: '100000 + n' },
      ...{ target_id: userId, ...before('created_at'), ...before('ended_at') },
    },
    call_attempts: {
      ...{ call_id: '100000 + n', user_id: userId, alarm_id: '100000 + n % 20000' },
      ...{ tries: `'[[' || (100000 + n) || ',' || (100000 + n) || ',"user 1"]]'` },
      ...{ ...before('created_at'), ...before('started_at') },
    },
  };
}

/** Conditions for rows that the server still has to work on; the copied rows must not match them. */
const open: Readonly<Record<string, string>> = {
  call_causes: 'ended_at IS NULL',
  call_attempts: `state IN ('due', 'started')`,
};

type Running = {
  readonly app: StartedApp;
  readonly token: string;
  readonly userIds: readonly number[];
  stop(): Promise<void>;
};

async function startApp(folder: string): Promise<Omit<Running, 'userIds'>> {
  const environment = {
    TOCSIN_PORT: '0',
    TOCSIN_DATA_DIR: folder,
    TOCSIN_ADMIN_PASSWORD: password,
    TOCSIN_CALL_CAP: 'off',
  };
  const made = createApp(readConfig(environment), {
    clock: new MonotonicClock(Date.now()),
    log: pino({ level: 'silent' }),
    onBroken: (reason) => console.error(reason),
  });
  const app = await made.start();
  const body = new URLSearchParams({ grant_type: 'password', username: 'admin', password });
  const response = await fetch(`${app.url}/api/v1/auth/login`, { method: 'POST', body });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { app, token, stop: () => made.stop() };
}

async function ask<T>({ app, token }: Pick<Running, 'app' | 'token'>, path: string, body: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${app.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as T;
}

function raise(running: Running, path: string, n: number): Promise<number> {
  const alarmActions = [{ type: 'CallUser', id: running.userIds[n % people] }];
  return ask(running, '/alarms', { path, priority: 3, alarmMessage: path, alarmActions });
}

/** Decides on the calls, delivers what is due, and decides on how that ended. */
async function stepCalls({ app: { polled } }: Pick<Running, 'app'>): Promise<void> {
  await polled.decider?.poll();
  await polled.dispatcher?.poll();
  await polled.decider?.poll();
}

/** A store with people, a call that has ended, and so many copies of its rows. */
async function makeStore(folder: string, copies: number): Promise<Running> {
  const first = await startApp(folder);
  const userIds: number[] = [];
  for (let n = 0; n < people; n++) {
    const numbers = [{ channel: 'pager', address: `pager ${n}`, ackAutoDefault: 1 }];
    userIds.push(await ask<number>(first, '/users', { name: `person ${n}`, role: 'operator', numbers }));
  }
  const id = await raise({ ...first, userIds }, 'Template', 0);
  await stepCalls(first);
  await ask(first, `/alarms/${id}/acknowledge`, {});
  await ask(first, '/alarms', { path: 'Template', raised: false });
  await stepCalls(first);
  await first.stop();
  const begin = performance.now();
  const db = new DatabaseSync(join(folder, 'tocsin.db'), { enableForeignKeyConstraints: false });
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000');
  for (const [table, isOpen] of Object.entries(open))
    if (db.prepare(`SELECT 1 FROM ${table} WHERE ${isOpen}`).get()) throw new Error(`${table} has a row that is open`);
  for (const [table, other] of Object.entries(columnsOfCopies(userIds))) copyRows(db, table, other, copies);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  console.log(`${number(copies)} of each kind were made in ${secondsSince(begin)}.`);
  // A store that is checked as after a crash would be read from end to end first.
  return { ...(await startApp(folder)), userIds };
}

function copyRows(db: DatabaseSync, table: string, other: Readonly<Record<string, string>>, copies: number): void {
  const names = db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
    .filter((name) => name !== 'id');
  const values = names.map((name) => other[name] ?? `"${name}"`).join(', ');
  db.exec(`INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')})
    WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${copies})
    SELECT ${values} FROM counted, (SELECT * FROM ${table} ORDER BY id LIMIT 1)`);
  const { n } = db.prepare(`SELECT count(*) AS n FROM ${table}`).get() ?? {};
  if (Number(n) <= copies) throw new Error(`${table} had no row to copy`);
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

async function timed(work: () => Promise<unknown> | undefined): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function measure(folder: string): Promise<boolean> {
  const stores = [await makeStore(join(folder, 'few'), few), await makeStore(join(folder, 'many'), many)];
  const times = stores.map(() => ({ raise: [] as number[], 'call step': [] as number[] }));
  for (let n = 0; n < rounds; n++) {
    for (const [index, store] of stores.entries()) {
      times[index]?.raise.push(await timed(() => raise(store, `Line ${n}`, n)));
      times[index]?.['call step'].push(await timed(() => stepCalls(store)));
    }
  }
  const met = (['raise', 'call step'] as const).map((name) => {
    const [short = Number.NaN, long = Number.NaN] = times.map((of) => median(of[name].slice(rounds / 10)));
    const ratio = long / short;
    const isMet = ratio <= maxRatio;
    console.log(
      `${isMet ? 'ok    ' : 'MISSED'} ${name.padEnd(10)} ${short.toFixed(2)} ms with ${number(few)}, ${long.toFixed(2)} ms with ${number(many)} past ones of each kind: ratio ${ratio.toFixed(2)} (bar ${maxRatio})`,
    );
    return isMet;
  });
  for (const { stop } of stores) await stop();
  return met.every(Boolean);
}

await runBench({ needs: [], measure });
