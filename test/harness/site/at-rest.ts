// Asserts that a server is at rest: every loop, polled once more, finds nothing to do and writes no row of alarms, calls or
// events. A handler that is due again for ever, or undoes what another does, fails every test that ends with it.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Polled } from '../../../src/app/start-background-work.ts';
import { type TableReader, tablesOf } from '../stores/table-rows.ts';

const watchedTables = [
  'alarms',
  'calls',
  'call_causes',
  'call_cycles',
  'call_attempts',
  'call_turns',
  'events',
] as const;

/** Of a larger table the number of rows alone is compared. */
const mostRowsCompared = 1_000;
/** Deliveries and pushes that are under way when a test ends finish within some polls. */
const mostPolls = 1_000;
const betweenPollsMs = 5;
/** How long one poll may take on the slowest machine. */
const longestPollMs = 120_000;

export type Restful = { readonly polled: Polled; readonly environment: Readonly<Record<string, string>> };

export async function expectRest({ polled, environment }: Restful): Promise<void> {
  const tables = await tablesOf(environment);
  try {
    let before = await contentOf(tables);
    for (let polls = 0; polls < mostPolls; polls++) {
      await pollAll(polled);
      const after = await contentOf(tables);
      if (changesBetween(before, after).length === 0) return;
      before = after;
      await pause(betweenPollsMs);
    }
    await pollAll(polled);
    const changed = changesBetween(before, await contentOf(tables));
    assert.deepEqual(changed, [], `the server is not at rest: after ${mostPolls} polls it still writes these tables`);
  } finally {
    await tables.close();
  }
}

/** Lets every part look for due work, and resolves when all have done what was due. */
export async function pollAll(polled: Polled): Promise<void> {
  await Promise.all(Object.entries(polled).map(([name, part]) => endOf(name, part.poll())));
}

async function endOf(name: string, poll: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new Error(`the server is not at rest: "${name}" finds due work for ever`);
  const timer = setTimeout(() => reject(error), longestPollMs);
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
