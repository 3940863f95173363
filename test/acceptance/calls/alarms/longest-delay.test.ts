// The longest delay that a call can have: 2^32 - 1 seconds, 136 years.

import assert from 'node:assert/strict';
import { findDueWork } from '../../../../src/operations/calls/queries.ts';
import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('a call with the longest delay is due exactly when that delay ends', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const parameter = String(2 ** 32 - 1);
  await story.raise(group, { alarmActions: [{ type: 'CallGroup', id: group, parameter }] });
  await story.advance('1d');
  await ana.isNotCalled();
  const { next } = await story.app.store.read(findDueWork, { now: story.app.clock.now() });
  assert.equal(next, Date.UTC(2026, 10, 15, 12) + (2 ** 32 - 1) * 1000);
});
