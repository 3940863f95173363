// Declares a test for the databases it has to run on.

import { type TestContext, type TestOptions, test } from 'node:test';
import { isSoak } from '../soak.ts';
import { type StoreName, storesUnderTest } from './stores.ts';

type StoreTest = (t: TestContext, kind: StoreName) => unknown;

/** Declares one test per database, for what transactions, locks, several nodes or statements of a database may change. */
export function testOnStores(name: string, run: StoreTest, options: TestOptions = {}): void {
  for (const kind of storesUnderTest()) test(`${kind}: ${name}`, options, async (t) => void (await run(t, kind)));
}

/**
 * Declares a test of rules that are the same on every database: it runs on the first one, and on all in the soak. The run
 * fails when a statement has been executed on SQLite and never on PostgreSQL (statement-coverage.ts).
 */
export function testOnAnyStore(name: string, run: StoreTest, options: TestOptions = {}): void {
  const kinds = isSoak ? storesUnderTest() : storesUnderTest().slice(0, 1);
  for (const kind of kinds) test(`${kind}: ${name}`, options, async (t) => void (await run(t, kind)));
}
