// Calls of a trunk come from its host, and from the addresses and networks of `allowFrom`; all others are strangers.

import assert from 'node:assert/strict';
import { freePort } from '../../../../packages/sip/test/harness/ports.ts';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { RingInCaller } from '../../../harness/telephone/ring-in-caller.ts';
import { until } from '../../../harness/until.ts';

testOnAnyStore('people ring in from allowFrom, and strangers do not', async (t, kind) => {
  const site = await startSite(t, kind);
  const listenPort = await freePort();
  const settings = { host: '192.0.2.1', user: 'tocsin', ringIn: true, listenPort };
  const provider = { name: 'Carrier', channel: 'voice', kind: 'sip' };
  const wrong = await site.request('POST', '/providers', {
    ...provider,
    settings: { ...settings, allowFrom: ['127.0.0.2/33'] },
  });
  assert.equal(wrong.status, 422, wrong.text);
  const allowFrom = ['127.0.0.2', '127.0.1.0/24'];
  await site.create('/providers', { ...provider, settings: { ...settings, allowFrom } });
  const statusFrom = async (address: string): Promise<number> => {
    const caller = await RingInCaller.start(t, listenPort, address);
    const id = `from-${address}`;
    const again = setInterval(() => caller.invite(id), 100);
    const status = await caller.statusOf(id).finally(() => clearInterval(again));
    caller.cancel(id);
    return status;
  };
  assert.notEqual(await statusFrom('127.0.0.2'), 403);
  assert.notEqual(await statusFrom('127.0.1.9'), 403);
  assert.equal(await statusFrom('127.0.0.3'), 403);
  await until(
    () => site.list('/call/histories'),
    ({ items }) => items.every(({ cause, endTime }) => cause !== 'ringIn' || endTime !== undefined),
  );
});
