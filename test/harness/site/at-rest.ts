// Asserts that a server is at rest: every loop, polled once more, finds nothing to do and writes no row of alarms, calls or
// events. A handler that is due again for ever, or undoes what another does, fails every test that ends with it.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Polled } from '../../../src/app/start-background-work.ts';
import { type TableReader, tablesOf } from '../stores/table-rows.ts';

const watchedTables = ['alarms', 'call_causes', 'call_attempts', 'call_turns', 'events'] as const;

/** Of a larger table the number of rows alone is compared. */
const mostRowsCompared = 1_000;
const betweenPollsMs = 5;

/** Deliveries that are under way when a test ends finish within some polls; a poll takes at most so long on any machine. */
const patience = { polls: 1_000, pollMs: 120_000 };

/** A server at rest uses less than this in a second, but for code that is compiled and memory that is collected later. */
const mostProcessorMs = 50;
const secondsTried = 10;

type Restful = { readonly polled: Polled; readonly environment: Readonly<Record<string, string>> };

export async function expectRest({ polled, environment }: Restful, { polls, pollMs } = patience): Promise<void> {
  const tables = await tablesOf(environment);
  try {
    let before = await contentOf(tables);
    for (let poll = 0; poll < polls; poll++) {
      await pollAll(polled, pollMs);
      const after = await contentOf(tables);
      if (changesBetween(before, after).length === 0) return;
      before = after;
      await pause(betweenPollsMs);
    }
    await pollAll(polled, pollMs);
    const changed = changesBetween(before, await contentOf(tables));
    assert.deepEqual(changed, [], `the server is not at rest: after ${polls} polls it still writes these tables`);
  } finally {
    await tables.close();
  }
}

/** Asserts that this process, and with it the server, does next to nothing during a whole second. */
export async function expectIdleSecond(seconds = secondsTried): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let second = 0; second < seconds && least >= mostProcessorMs; second++) {
    const before = process.cpuUsage();
    await pause(1_000);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  assert.ok(least < mostProcessorMs, `the server is not at rest: it used ${least} ms of processor time in a second`);
}

/** Lets every part look for due work, and resolves when all have done what was due. */
export async function pollAll(polled: Polled, pollMs = patience.pollMs): Promise<void> {
  await Promise.all(Object.entries(polled).map(([name, part]) => endOf(name, part.poll(), pollMs)));
}

async function endOf(name: string, poll: Promise<unknown>, pollMs: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new Error(`the server is not at rest: "${name}" finds due work for ever`);
  const timer = setTimeout(() => reject(error), pollMs);
  try {
    await Promise.race([poll, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Content = Readonly<Record<string, string>>;

async function contentOf(tables: TableReader): Promise<Content> {
  const content: Record<string, string> = {};
  for (const table of watchedTables) {
    const [counted] = (await tables.select(`SELECT count(*) AS n FROM ${table}`)) as { n: number | string }[];
    const count = Number(counted?.n);
    content[table] = count > mostRowsCompared ? String(count) : await tables.textOf(table);
  }
  return content;
}

function changesBetween(before: Content, after: Content): readonly string[] {
  return watchedTables.filter((table) => before[table] !== after[table]);
}
