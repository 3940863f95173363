// Declares a test for every database under test.

import { type TestContext, type TestOptions, test } from 'node:test';
import { type StoreName, storesUnderTest } from './stores.ts';

type StoreStory = (t: TestContext, kind: StoreName) => unknown;

/** Declares one test per database, named after the database and the behaviour. */
export function testOnStores(name: string, story: StoreStory, options: TestOptions = {}): void {
  for (const kind of storesUnderTest()) test(`${kind}: ${name}`, options, async (t) => void (await story(t, kind)));
}
