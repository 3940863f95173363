// The longest delay that a call can have: 2^32 - 1 seconds, 136 years.

import assert from 'node:assert/strict';
import { decideCalls } from '../../../../src/operations/calls/engine/decide-calls.ts';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a call with the longest delay is due exactly when that delay ends', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const parameter = String(2 ** 32 - 1);
  await site.alarms.raise(group, { alarmActions: [{ type: 'CallGroup', id: group, parameter }] });
  await site.advance('1d');
  await ana.isNotCalled();
  const { lookAgainAt } = await site.app.store.read(decideCalls, { now: site.app.clock.now() });
  assert.equal(lookAgainAt, Date.UTC(2026, 10, 15, 12) + (2 ** 32 - 1) * 1000);
});
