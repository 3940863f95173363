// The timeline of an alarm goes on after a restore, from either database into either, though events have other ids there.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshStore, startOn, type TestApp } from '../../harness/app.ts';
import { runTocsin } from '../../harness/server-process.ts';
import { storesUnderTest } from '../../harness/stores.ts';

/** What the timeline of the first alarm says once these have been sent. */
async function timelineAfter(app: TestApp, bodies: readonly object[]): Promise<readonly string[]> {
  const token = await app.signIn();
  for (const body of bodies) await app.request('POST', '/api/v1/alarms', { token, body });
  const { body } = await app.request('GET', '/api/v1/alarms/1/timeline', { token });
  return (body as { event: string }[]).map(({ event }) => event);
}

for (const from of storesUnderTest()) {
  for (const to of storesUnderTest()) {
    test(`a backup of ${from} restored into ${to}: the timeline goes on`, async (t) => {
      const environment = await freshStore(t, from);
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
      // Of another alarm, so that an id kept from before would lead to one of its events.
      await timelineAfter(after, [{ path: 'b' }, { path: 'b', raised: false }, { path: 'c' }]);
      assert.deepEqual(await timelineAfter(after, [{ path: 'a' }]), ['raised', 'returned', 'raised']);
    });
  }
}
