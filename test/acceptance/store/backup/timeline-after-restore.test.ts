// The timeline of an alarm continues after a restore into either database, although events get other ids there.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runTocsin } from '../../../harness/server/server-process.ts';
import { freshStore, migratedStore, startOn, type TestApp } from '../../../harness/site/app.ts';
import { storesUnderTest } from '../../../harness/stores/stores.ts';

/** Sends the reports and returns the events in the timeline of the first alarm. */
async function timelineAfter(app: TestApp, bodies: readonly object[]): Promise<readonly string[]> {
  const token = await app.signIn();
  for (const body of bodies) await app.request('POST', '/api/v1/alarms', { token, body });
  const { body } = await app.request('GET', '/api/v1/alarms/1/timeline', { token });
  return (body as { event: string }[]).map(({ event }) => event);
}

for (const from of storesUnderTest()) {
  for (const to of storesUnderTest()) {
    test(`a backup of ${from} restored into ${to} continues the timeline of its alarms`, async (t) => {
      const environment = await migratedStore(t, from);
      const before = await startOn(t, environment);
      const sent = [{ path: 'a' }, { path: 'a', raised: false }];
      assert.deepEqual(await timelineAfter(before, sent), ['raised', 'returned']);
      await before.stop();
      const file = join(environment.TOCSIN_DATA_DIR ?? '', 'a.backup');
      const target = await freshStore(t, to);
      for (const [where, words] of [
        [environment, ['backup', file]],
        [target, ['restore', file]],
      ] as const) {
        const ended = await runTocsin(where, words);
        assert.equal(ended.code, 0, ended.output);
      }
      const after = await startOn(t, target);
      // Events of other alarms, so that an event id from before the restore would belong to one of them.
      await timelineAfter(after, [{ path: 'b' }, { path: 'b', raised: false }, { path: 'c' }]);
      assert.deepEqual(await timelineAfter(after, [{ path: 'a' }]), ['raised', 'returned', 'raised']);
    });
  }
}
