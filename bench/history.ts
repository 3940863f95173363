// Measures how much slower lists of the history are with ten million entries than with 100,000: `npm run
// bench:history`.

import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { number } from '../src/cli/progress.ts';
import type { HistoryListing } from '../src/operations/history/filter.ts';
import { listInterventions } from '../src/operations/history/list-interventions.ts';
import { listHistories } from '../src/operations/history/list-occurrences.ts';
import { listStatistics } from '../src/operations/history/list-statistics.ts';
import { noTimeoutConfig } from '../src/store/postgres/prepared-connection.ts';
import { databaseFileName } from '../src/store/sqlite/database-file.ts';
import type { Query } from '../src/store/store.ts';
import { type Plan, plansOnPostgres, plansOnSqlite } from '../test/harness/stores/plans.ts';
import { startPostgres } from '../test/harness/stores/postgres-server.ts';
import { type Case, cases, type FilterIds, type ListParameters } from './history/cases.ts';
import { type SeededStore, seededStore } from './history/seeds.ts';
import { runBench } from './run-bench.ts';
import { randomFrom } from './seed/year.ts';
import { type Subject, startTocsin } from './server.ts';

const usage = `npm run bench:history -- [--rows 10000000] [--database sqlite,postgres] [--folder FOLDER] [--only WORDS]
The stores are made in FOLDER, below the folder of temporary files unless named, and kept there for the next time.`;

const smallRows = 100_000;
const warmUps = 8;
const requests = 41;
const bar = 1.5;
/** As PostgreSQL's documentation advises for this memory and an SSD; the defaults are for a small, old machine. */
const postgresSettings = { shared_buffers: '4GB', random_page_cost: 1.1 };
/** Requests slower than this are repeated less often, except where a bar applies. */
const longMs = 300;

type Measured = {
  readonly store: SeededStore;
  readonly subject: Subject;
  readonly ids: FilterIds;
  readonly total: number;
};
type Paging = {
  readonly items: readonly { id: number; alarmTime: string }[];
  readonly paging: { readonly total: number };
};

async function get({ url, token }: Subject, path: string): Promise<Paging> {
  const response = await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function pathOf(list: string, { filter, ...asked }: ListParameters): string {
  const words = new URLSearchParams();
  for (const [name, value = ''] of Object.entries({ ...asked, ...filter })) {
    const isInstant = name === 'from' || name === 'to';
    words.append(name, isInstant ? new Date(Number(value)).toISOString() : String(value));
  }
  return `alarms/${list}?${words}`;
}

async function served(store: SeededStore): Promise<Measured> {
  const subject = await startTocsin(`${store.kind} ${store.rows}`, store.folder, store.databaseUrl);
  const idsOf = async (path: string) => (await get(subject, `${path}?limit=1000`)).items.map(({ id }) => id);
  const newest = await get(subject, 'alarms/histories?sort=-id&limit=1');
  const ids = {
    stationId: await idsOf('stations'),
    dataServerId: await idsOf('dataservers'),
    tagGroupId: await idsOf('taggroups'),
    userId: await idsOf('alarms/interventions'),
    end: Date.parse(newest.items[0]?.alarmTime ?? ''),
  };
  return { store, subject, ids, total: newest.paging.total };
}

async function timeOf({ subject, ids, total }: Measured, { list, ask }: Case, random: () => number): Promise<number> {
  const path = pathOf(list, ask(ids, random, total));
  const begin = performance.now();
  await get(subject, path);
  return performance.now() - begin;
}

/** Returns the median time of each store; requests alternate so that other load on the machine affects both. */
async function measure(small: Measured, big: Measured, asked: Case): Promise<readonly [small: number, big: number]> {
  const times: [number[], number[]] = [[], []];
  const chance = [randomFrom(7), randomFrom(7)] as const;
  const isLong = (await timeOf(big, asked, chance[1])) > longMs && !asked.isBarred;
  const [skipped, wanted] = isLong ? [0, 5] : [warmUps, requests];
  for (let n = 0; n < skipped + wanted; n++) {
    const pair = [await timeOf(small, asked, chance[0]), await timeOf(big, asked, chance[1])] as const;
    if (n < skipped) continue;
    times[0].push(pair[0]);
    times[1].push(pair[1]);
  }
  return [median(times[0]), median(times[1])];
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

const queries = { histories: listHistories, statistics: listStatistics, interventions: listInterventions } as const;

async function plansOf({ store, ids, total }: Measured, { list, ask }: Case): Promise<readonly Plan[]> {
  const asked = { search: '', offset: 0, ...ask(ids, randomFrom(7), total) };
  const listing: HistoryListing = { caller: { stationIds: [] }, sortBy: 'id', order: 'asc', now: ids.end, ...asked };
  const query = queries[list] as Query<HistoryListing, unknown>;
  if (store.databaseUrl === undefined) {
    const db = new DatabaseSync(join(store.folder, databaseFileName), { readOnly: true });
    return plansOnSqlite(db, query, listing).finally(() => db.close());
  }
  const client = new Client(noTimeoutConfig(store.databaseUrl));
  await client.connect();
  return plansOnPostgres(client, query, listing).finally(() => client.end());
}

/** Prints the plan steps that read the entries themselves. */
async function printPlans(big: Measured, asked: Case): Promise<void> {
  const steps = (await plansOf(big, asked)).flatMap((plan) => plan.steps);
  const telling = steps.filter((step) => /alarm_histories|page|histor\w+_words/.test(step));
  for (const step of new Set(telling)) console.log(`      ${step.slice(0, 150)}`);
}

/** Returns how many bars were missed. */
async function compare(small: Measured, big: Measured, only: string): Promise<number> {
  let missed = 0;
  console.log(
    `\n${small.store.kind}: median ms with ${number(small.store.rows)} and ${number(big.store.rows)} entries, ratio`,
  );
  for (const asked of cases.filter(({ list, name }) => `${list} ${name}`.includes(only))) {
    const [a, b] = await measure(small, big, asked);
    const isMissed = asked.isBarred && b / a > bar;
    if (isMissed) missed++;
    const numbers = `${a.toFixed(2).padStart(8)} ${b.toFixed(2).padStart(9)} ${(b / a).toFixed(2).padStart(7)}`;
    const mark = asked.isBarred ? (isMissed ? `over ${bar}` : '') : 'not barred';
    console.log(`${asked.list.padEnd(14)} ${asked.name.padEnd(34)} ${numbers}  ${mark}`);
    if (!asked.isBarred) await printPlans(big, asked);
  }
  return missed;
}

async function compareOn(home: string, rows: number, only: string, server?: string): Promise<number> {
  const stores = [await seededStore(home, smallRows, server), await seededStore(home, rows, server)];
  const subjects: Measured[] = [];
  try {
    for (const store of stores) subjects.push(await served(store));
    const [small, big] = subjects;
    return small === undefined || big === undefined ? 0 : await compare(small, big, only);
  } finally {
    for (const { subject } of subjects) {
      subject.process.kill();
      await once(subject.process, 'close');
    }
  }
}

function readOptions() {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ options: { rows: text, database: text, folder: text, only: text } });
    const { rows = '10000000', database = 'sqlite,postgres', folder, only = '' } = values;
    const databases = database.split(',');
    if (!/^[1-9]\d{0,8}$/.test(rows)) throw new Error('--rows must be a whole number above 0');
    if (!databases.every((name) => ['sqlite', 'postgres'].includes(name)))
      throw new Error('--database is sqlite, postgres or both');
    return { rows: Number(rows), databases, home: folder ?? join(tmpdir(), 'tocsin-bench-history'), only };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}.\nUsage: ${usage}`);
    process.exit(64);
  }
}

const { rows, databases, home, only } = readOptions();
await runBench({
  needs: databases.includes('postgres') ? ['PostgreSQL'] : [],
  async measure() {
    await mkdir(home, { recursive: true });
    let missed = 0;
    if (databases.includes('sqlite')) missed += await compareOn(home, rows, only);
    if (databases.includes('postgres')) {
      const postgres = await startPostgres(join(home, 'postgres'), postgresSettings);
      try {
        missed += await compareOn(home, rows, only, postgres.url);
      } finally {
        await postgres.stop();
      }
    }
    console.log(missed === 0 ? '\nAll within the bar.' : `\n${missed} over the bar of ${bar}.`);
    return missed === 0;
  },
});
