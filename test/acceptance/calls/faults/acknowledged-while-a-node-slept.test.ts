// A node that took an attempt and then slept does not make it when somebody has acknowledged the alarm meanwhile.

import assert from 'node:assert/strict';
import { endAttempt } from '../../../../src/operations/calls/delivery/end-attempt.ts';
import { renewLeases } from '../../../../src/operations/calls/delivery/leases.ts';
import { takeAttempts } from '../../../../src/operations/calls/delivery/take-attempts.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

testOnStores('a node cannot renew the lease of an attempt after the alarm was acknowledged', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_SIMULATOR: 'false' } });
  const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 9, timeToRetry: 3600 })] });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  await site.settle();
  await site.advance('1h');
  const { store } = site.app;
  const take = { node: 'sleeper', nodeName: 'node', leaseMs: 10_000, replyCodes: ['1'], heldAttemptIds: [] };
  const [message] = await until(
    () => store.write(takeAttempts, take),
    (messages) => messages.length <= 1,
  );
  const attemptIds = message === undefined ? [] : [message.attemptId];
  await site.alarms.acknowledge(alarm);
  const renewal = { node: 'sleeper', nodeName: 'node', leaseMs: 10_000, attemptIds, isBeforeDelivery: true };
  assert.deepEqual(await store.write(renewLeases, renewal), []);
  for (const attemptId of attemptIds)
    await store.write(endAttempt, {
      node: 'sleeper',
      attemptId,
      delivery: { kind: 'failed', retry: 'later', outcome: 'failed', reason: 'x' },
    });
});
