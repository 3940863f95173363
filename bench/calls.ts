// Measures how soon people are called under load, and what taking due work costs with a long queue: `npm run
// bench:calls`, or fewer alarms at the same pace: `npm run bench:calls 3000`.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { defaultPolicy } from '../src/domain/calls/call.ts';
import { openStore } from '../src/open-store.ts';
import { seedCallPolicy } from '../src/operations/calls/control/call-policy.ts';
import { takeAttempts } from '../src/operations/calls/delivery/take-attempts.ts';
import { firstStart } from '../src/operations/system/first-start.ts';
import { startPostgres } from '../test/harness/stores/postgres-server.ts';
import { runBench } from './run-bench.ts';
import { type Subject, startTocsin } from './server.ts';

/** One person for each alarm: a number that rang rests, so that other alarms wait for it by rule. */
const alarms = Number(process.argv[2] ?? 10_000);
const sentInMs = alarms * 6;
const backlogs = [1_000, 100_000] as const;
const claims = 40;
const claimed = 20;

type Sql = (text: string) => Promise<readonly Record<string, unknown>[]>;

/** Opens a connection of its own beside the server, as an administrator would. */
async function openSql(folder: string, databaseUrl?: string): Promise<{ sql: Sql; close(): Promise<void> }> {
  if (databaseUrl === undefined) {
    const db = new DatabaseSync(join(folder, 'tocsin.db'), { timeout: 10_000 });
    const sql: Sql = async (text) => db.prepare(text).all() as Record<string, unknown>[];
    return { sql, close: async () => db.close() };
  }
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const sql: Sql = async (text) => (await client.query(text)).rows;
  return { sql, close: () => client.end() };
}

async function ask<T>({ url, token }: Subject, method: string, path: string, body: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** People take alarms after so long, a second's alarms at a time. */
const takenAfterMs = 2_000;

/** Raises ten thousand alarms a minute, evenly, for as many people with a pager each, who take them or, in a storm, do not. */
async function load(subject: Subject, sql: Sql, isStorm: boolean): Promise<boolean> {
  const userIds: number[] = [];
  // The last resort has somebody, as alarms that pagers have only shown go on to it.
  const [admin] = (await ask<{ items: readonly object[] }>(subject, 'GET', '/users?limit=1', undefined)).items;
  const ofAdmin = { ...admin, numbers: [{ channel: 'pager', address: 'pager', ackAutoDefault: 1 }] };
  await ask(subject, 'PUT', '/users/1', ofAdmin);
  for (let n = 0; n < alarms; n++) {
    const numbers = [{ channel: 'pager', address: `pager ${n}`, ackAutoDefault: 1 }];
    userIds.push(await ask<number>(subject, 'POST', '/users', { name: `person ${n}`, role: 'operator', numbers }));
  }
  const begin = performance.now();
  const sent: Promise<unknown>[] = [];
  const raised: { readonly id: number; readonly at: number }[] = [];
  const taking = setInterval(() => {
    const over = raised.findIndex(({ at }) => performance.now() - at < takenAfterMs);
    const ids = raised.splice(0, over < 0 ? raised.length : over).map(({ id }) => id);
    if (ids.length > 0) sent.push(ask(subject, 'POST', '/alarms/acknowledge', { ids }));
  }, 1_000);
  for (let n = 0; n < alarms; n++) {
    const due = begin + (n / alarms) * sentInMs;
    if (due > performance.now()) await pause(due - performance.now());
    const alarmActions = [{ type: 'CallUser', id: userIds[n] }];
    const alarm = { path: `Line ${n}`, priority: 3, alarmMessage: `Line ${n}`, alarmActions };
    const sending = ask<number>(subject, 'POST', '/alarms', alarm);
    sent.push(isStorm ? sending : sending.then((id) => raised.push({ id, at: performance.now() })));
  }
  await Promise.all(sent);
  clearInterval(taking);
  // The last resort, which is called for alarms that pagers have only shown, is not measured.
  const firstAttempts = `select (select min(started_at) from call_attempts where call_attempts.id = attempts_from) - due_at as wait
    from call_causes where kind = 'alarm' and target_kind = 'user'`;
  for (let left = 1; left > 0; await pause(1_000))
    left = Number((await sql(`select count(*) as n from (${firstAttempts}) as firsts where wait is null`))[0]?.n);
  const waits = (await sql(firstAttempts)).map(({ wait }) => Number(wait)).toSorted((one, other) => one - other);
  const at = (share: number): number => waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN;
  const [half, most, all] = [at(0.5), at(0.99), at(1)];
  const isWithinBar = waits.length === alarms && most < 2_000;
  console.log(
    `${isWithinBar ? 'ok    ' : 'MISSED'} ${subject.name.padEnd(10)} ${waits.length} alarms ${isStorm ? 'that nobody takes' : 'that people take'} in ${Math.round((performance.now() - begin) / 1000)} s: due to first attempt p50 ${half} ms, p99 ${most} ms, last ${all} ms (aim: p99 under 2000)`,
  );
  return isWithinBar;
}

/** Measures the time to take due attempts with a short and a long queue. */
async function claim(name: string, folder: string, databaseUrl: string | undefined): Promise<boolean> {
  const store = await openStore(
    { dataDir: folder, databaseUrl },
    {
      clock: { now: () => Date.now() },
      exclusive: true,
      schemaChange: 'make-or-upgrade',
      onTrouble: console.error,
      onNotice: console.error,
      onBroken: console.error,
    },
  );
  const { sql, close } = await openSql(folder, databaseUrl);
  try {
    await store.write(firstStart, { epoch: randomUUID(), adminPasswordHash: '' });
    await store.write(seedCallPolicy, defaultPolicy);
    const medians: number[] = [];
    let made = 0;
    for (const backlog of backlogs) {
      for (; made < backlog + claims * claimed; made += 1_000) await sql(attemptRows(made, 1_000));
      if (databaseUrl !== undefined) await sql('analyze call_attempts');
      medians.push(await medianClaim(store));
    }
    const ratio = (medians[1] ?? Number.NaN) / (medians[0] ?? Number.NaN);
    const isWithinBar = ratio <= 1.5;
    console.log(
      `${isWithinBar ? 'ok    ' : 'MISSED'} ${name.padEnd(10)} taking ${claimed} of ${backlogs.join(' and ')} due: ${medians.map((ms) => ms.toFixed(2)).join(' and ')} ms, ratio ${ratio.toFixed(2)} (bar 1.5)`,
    );
    return isWithinBar;
  } finally {
    await close();
    await store.close();
  }
}

async function medianClaim(store: Awaited<ReturnType<typeof openStore>>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < claims; n++) {
    const replyCodes = Array.from({ length: claimed }, () => '1234');
    const begin = performance.now();
    await store.write(takeAttempts, {
      node: 'bench',
      nodeName: 'node',
      leaseMs: 600_000,
      replyCodes,
      heldAttemptIds: [],
    });
    times.push(performance.now() - begin);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(claims / 2)] ?? Number.NaN;
}

/** Rows of due attempts, each with its own call. */
function attemptRows(from: number, count: number): string {
  const rows = Array.from({ length: count }, (_, n) => {
    const id = from + n + 1;
    return `(${id}, ${id}, 1, 'admin', 1, 'alarm', ${1 + (id % 4)}, 1, 'sms', '+33', 1, 'due', '', ${id}, '', '')`;
  });
  return `insert into call_attempts (id, call_id, user_id, user_name, station_id, cause, priority, number_id,
    channel, address, attempt, state, reply_code, created_at, detail, words) values ${rows.join(', ')}`;
}

/** A server, and its data in a database of its own. */
async function measureLoad(name: string, folder: string, isStorm: boolean, url?: string): Promise<boolean> {
  const home = join(folder, `${name}-${isStorm}`);
  const subject = await startTocsin(name, home, url, { settings: { TOCSIN_CALL_CAP: 'off' } });
  const { sql, close } = await openSql(home, url);
  const isWithinBar = await load(subject, sql, isStorm);
  await close();
  subject.process.kill();
  await once(subject.process, 'exit');
  return isWithinBar;
}

async function withPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  return work(server.url).finally(() => server.stop());
}

async function measure(folder: string): Promise<boolean> {
  const results: boolean[] = [];
  for (const isStorm of [false, true]) {
    results.push(await measureLoad('SQLite', folder, isStorm));
    results.push(await withPostgres((url) => measureLoad('PostgreSQL', folder, isStorm, url)));
  }
  results.push(await claim('SQLite', join(folder, 'claim'), undefined));
  results.push(await withPostgres((url) => claim('PostgreSQL', join(folder, 'claim-postgres'), url)));
  return results.every(Boolean);
}

await runBench({ needs: ['PostgreSQL'], measure });
