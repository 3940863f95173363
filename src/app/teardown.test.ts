// Tests the order in which the steps of a teardown run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Teardown } from './teardown.ts';

test('steps run in reverse, each after the one before has finished', async () => {
  const teardown = new Teardown();
  const seen: string[] = [];
  teardown.add(() => seen.push('store'));
  teardown.add(async () => {
    await Promise.resolve();
    seen.push('server');
  });
  await teardown.run();
  assert.deepEqual(seen, ['server', 'store']);
});

test('after a step that failed, another run continues with the steps that are left', async () => {
  const teardown = new Teardown();
  const seen: string[] = [];
  teardown.add(() => seen.push('store'));
  teardown.add(() => {
    seen.push('server');
    throw new Error('did not close');
  });
  await assert.rejects(teardown.run(), { message: 'did not close' });
  await teardown.run();
  assert.deepEqual(seen, ['server', 'store']);
});
