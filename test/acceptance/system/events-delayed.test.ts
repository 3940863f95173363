// The system alarm about changes that are not pushed: raised while that lasts, once, and over with its cause.

import assert from 'node:assert/strict';
import { watchEvents } from '../../../src/dispatch/event-watch.ts';
import type { Store } from '../../../src/store/store.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

testOnStores('the alarm about delayed events lasts as long as its cause, and is one occurrence', async (t, kind) => {
  const site = await startSite(t, kind);
  let delayMs = 0;
  const store = Object.create(site.app.store, {
    eventDelayMs: { value: () => delayMs },
    write: { value: site.app.store.write.bind(site.app.store) },
  }) as Store;
  const watch = watchEvents(store, 'plant', (error) => assert.fail(String(error)));
  t.after(() => watch.stop());
  const own = async () => (await site.alarms.fromTocsin()).filter(({ path }) => path === 'system/events-delayed/plant');
  await watch.poll();
  delayMs = 20_000;
  await watch.poll();
  assert.deepEqual(await own(), [], 'once may be a process that was suspended');
  await watch.poll();
  const [raised] = await own();
  assert.equal(raised?.state, 3);
  await site.alarms.acknowledge(Number(raised?.id));
  await watch.poll();
  assert.deepEqual(
    (await own()).map(({ id, state }) => [id, state]),
    [[raised?.id, 1]],
  );
  delayMs = 0;
  await watch.poll();
  assert.deepEqual(await own(), []);
  await site.admin.isNotCalled();
});
