// All simulated phones in one answer: for administrators every phone, for others their own.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

type Shown = readonly { readonly userId: number; readonly user: string; readonly messages: readonly unknown[] }[];

testOnAnyStore(
  'all phones that have something to show are in one answer, the newest ten messages of each',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const password = 'correct horse battery staple';
    const [ana, bo] = [await site.person('ana', { password }), await site.person('bo')];
    const phones = () => site.ask<Shown>('GET', '/simulator/phones');
    assert.deepEqual(await phones(), []);
    await site.ask('POST', '/call/users', { userIds: [ana.id, bo.id], msgText: 'Please come' });
    await ana.isCalled();
    await bo.isCalled();
    const both = [
      { userId: ana.id, user: 'ana', messages: await ana.messages() },
      { userId: bo.id, user: 'bo', messages: await bo.messages() },
    ];
    assert.deepEqual(await phones(), both);
    const herself = site.as(await site.app.signIn('ana', password));
    assert.deepEqual(await herself.ask<Shown>('GET', '/simulator/phones'), both.slice(0, 1));
    const machine = site.as(await site.keyFor(['calls:read']));
    assert.deepEqual(await machine.ask<Shown>('GET', '/simulator/phones'), []);
    await ana.hears();
    await bo.hears();
    for (let count = 0; count < 11; count++) await ana.texts('hello');
    const [shown] = await phones();
    assert.deepEqual(shown?.messages, (await ana.messages()).slice(0, 10));
  },
);
