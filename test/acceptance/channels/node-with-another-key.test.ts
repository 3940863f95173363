// A node whose key for the secrets is another one cannot open providers that others can: their calls are left to the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailAccount, startMailCatcher } from '../../harness/mail/mail-catcher.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { until } from '../../harness/until.ts';

type Node = { readonly self: boolean; readonly unopenedProviders?: readonly { readonly reason: string }[] };

const stateOf = async (site: Site): Promise<string> => {
  const { items } = await site.list('/providers?limit=10');
  const health = items.find(({ name }) => name === 'Mail')?.health as { readonly state: string } | undefined;
  return health?.state ?? 'no provider';
};

if (storesUnderTest().includes('postgres')) {
  test('a node with another key for the secrets leaves the calls to the others, and everybody sees it', async (t) => {
    const catcher = await startMailCatcher(t, { isOpen: false });
    const one = await startSite(t, 'postgres');
    await one.create('/providers', {
      name: 'Mail',
      channel: 'email',
      kind: 'smtp',
      settings: { ...catcher.settings, user: mailAccount.user },
      secrets: { password: mailAccount.password },
    });
    // Its data folder is its own, and with it the key.
    const two = await one.startNode({ TOCSIN_NODE_NAME: 'second' });
    const { id } = (await one.list('/providers?limit=10')).items.find(({ name }) => name === 'Mail') ?? {};
    const numbers = (n: number) => [{ channel: 'email', address: `p${n}@plant.example`, timeToAck: 600 }];
    const people = [];
    for (let n = 0; n < 30; n += 1) people.push(await one.person(`p${n}`, { numbers: numbers(n) }));
    const group = await one.group('Pumps', [await one.team('Night', people)]);
    const tested = await two.request('POST', `/providers/${id}/test`);
    assert.match(tested.text, /key/, 'who tests it on that node is told why');
    await one.alarms.raise(group, { priority: 1 });
    await until(
      () => catcher.mails.length,
      (count) => count === people.length,
    );
    assert.equal(await stateOf(one), 'up');
    const { nodes } = await one.ask<{ readonly nodes: readonly Node[] }>('GET', '/system');
    const lists = nodes.map(({ self, unopenedProviders = [] }) => [self, unopenedProviders.length]);
    assert.deepEqual(
      lists.toSorted(([, n], [, m]) => Number(n) - Number(m)),
      [
        [true, 0],
        [false, 1],
      ],
    );
    const own = (await one.alarms.fromTocsin()).map(({ path }) => path);
    assert.deepEqual(own, ['system/providers-unopened/second']);
    assert.ok(two.app.logLines.some(({ msg }) => msg === 'this node cannot open a provider'));
    await one.expectWhatRings();
  });

  test('when only the node with another key is left, the provider is down', async (t) => {
    const catcher = await startMailCatcher(t, { isOpen: false });
    const one = await startSite(t, 'postgres');
    await one.create('/providers', {
      name: 'Mail',
      channel: 'email',
      kind: 'smtp',
      settings: { ...catcher.settings, user: mailAccount.user },
      secrets: { password: mailAccount.password },
    });
    const two = await one.startNode({ TOCSIN_NODE_NAME: 'second' });
    const { id } = (await two.list('/providers?limit=10')).items.find(({ name }) => name === 'Mail') ?? {};
    await two.request('POST', `/providers/${id}/test`);
    assert.notEqual(await stateOf(two), 'down');
    await one.app.stop();
    await two.request('POST', `/providers/${id}/test`);
    assert.equal(await stateOf(two), 'down');
  });
}
