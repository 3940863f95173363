// A provider that is tied to a node whose key for the secrets is another one: no other node may carry its calls, so that the next
// provider, number or person follows, also while others run.

import assert from 'node:assert/strict';
import { announceNode } from '../../../src/operations/system/nodes.ts';
import { mailAccount, startMailCatcher } from '../../harness/mail/mail-catcher.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

testOnStores('calls do not wait for a node that may not carry them', async (t, kind) => {
  const [first, second] = [await startMailCatcher(t, { isOpen: false }), await startMailCatcher(t, { isOpen: true })];
  const site = await startSite(t, kind, { overrides: { TOCSIN_NODE_NAME: 'first' } });
  const mail = { channel: 'email', kind: 'smtp' };
  const { user, password } = mailAccount;
  await site.create('/providers', {
    ...{ ...mail, name: 'Mail', order: 1, node: 'first' },
    ...{ settings: { ...first.settings, user }, secrets: { password } },
  });
  await site.restart({ TOCSIN_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') });
  await site.create('/providers', { ...mail, name: 'Next mail', order: 2, settings: second.settings });
  await site.app.store.write(announceNode, { id: 'other', name: 'other', address: 'http://127.0.0.1:9' });
  const ana = await site.person('ana', { numbers: [{ channel: 'email', address: 'ana@plant.example' }] });
  const { id } = (await site.list('/providers?limit=10')).items.find(({ name }) => name === 'Mail') ?? {};
  await site.request('POST', `/providers/${id}/test`);
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 1 });
  await until(
    () => second.mails.length,
    (count) => count === 1,
  );
  assert.equal(first.mails.length, 0);
  const { health } = await site.ask<{ readonly health: { readonly state: string } }>('GET', `/providers/${id}`);
  assert.equal(health.state, 'down', 'nobody carries its calls');
  const own = (await site.alarms.fromTocsin()).map(({ path }) => String(path));
  assert.ok(own.includes(`system/provider/${id}`) && !own.some((path) => path.includes('unopened')), own.join());
  await site.alarms.acknowledge(alarm);
  // The administrator is called for the provider that cannot be opened.
  await site.expectWhatRings();
});
