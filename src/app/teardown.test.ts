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

test('a step that never ends keeps the seal and the store from being closed for some seconds only', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const seen: string[] = [];
  let late = 0;
  const teardown = new Teardown(() => late++);
  teardown.add(() => seen.push('store'));
  teardown.add(async () => {
    await new Promise(setImmediate);
    seen.push('seal');
  });
  teardown.add(() => new Promise(() => {}));
  teardown.add(() => new Promise(() => {}));
  const done = teardown.run(6_000);
  t.mock.timers.tick(6_000);
  await new Promise(setImmediate);
  t.mock.timers.tick(300);
  await done;
  assert.deepEqual([seen, late], [['seal', 'store'], 2]);
});
