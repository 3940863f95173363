// People who ring in and hang up at once: each frees the line that they took.

import assert from 'node:assert/strict';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { RingInCaller } from '../../harness/telephone/ring-in-caller.ts';
import { until } from '../../harness/until.ts';

testOnAnyStore('callers who hang up early do not block ringing in', async (t, kind) => {
  const site = await startSite(t, kind);
  const [port, listenPort] = [await freePort(), await freePort()];
  // A name, so that it is looked up whether the caller is the trunk.
  const settings = { host: 'localhost', port, user: 'tocsin', ringIn: true, listenPort };
  const id = await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  await until(
    () => site.request('POST', `/providers/${id}/test`),
    ({ status }) => status === 200,
  );
  const caller = await RingInCaller.start(t, listenPort);
  for (let n = 0; n < 12; n++) {
    const call = `early-${n}`;
    caller.invite(call);
    caller.cancel(call);
    await caller.statusOf(call, 400);
  }
  caller.invite('late');
  assert.notEqual(await caller.statusOf('late'), 486, 'another caller is busy');
  caller.cancel('late');
});
