// A conversation that was over when its node was lost: the attempt has its outcome, and the person is not called again.

import assert from 'node:assert/strict';
import type { CallMessage } from '../../../src/domain/calls/delivery.ts';
import { beginConversation } from '../../../src/operations/conversations/converse.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

testOnAnyStore('the node that takes over an attempt learns how its conversation ended', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  const { callId: attemptId } = await ana.isCalled();
  const begin = () => site.app.store.write(beginConversation, { message: { attemptId } as CallMessage });
  assert.equal(await begin(), undefined, 'it goes on');
  await ana.takes();
  assert.deepEqual(await begin(), { isHuman: true, hasHeard: true, isLockedOut: false });
});
