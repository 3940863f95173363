// A number is tried five times, then a relief group in turn mode is called one by one, then the next round begins.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { numberOf, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const once = (site: Site, name: string) => site.person(name, { numbers: [voice(numberOf(name), { countTry: 1 })] });

testOnAnyStore('five tries, then the relief group one by one, then the next round', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 5, timeToRetry: 30 })] });
  const [bo, cy] = [await once(site, 'bo'), await once(site, 'cy')];
  const others = await site.group('Others', [await site.team('List', [bo, cy])], { callMode: 'turn' });
  const group = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId: others });
  await site.alarms.raise(group);
  for (let attempt = 1; attempt <= 5; attempt++) {
    await ana.isCalled(/Pump1/);
    await bo.isNotCalled();
    await site.advance('30s');
    if (attempt < 5) await site.advance('30s');
  }
  await ana.isNotCalled();
  await bo.isCalled(/Pump1/);
  await cy.isNotCalled();
  await site.advance('30s');
  await bo.isNotCalled();
  await cy.isCalled(/Pump1/);
  await site.advance('30s');
  await cy.isNotCalled();
  assert.deepEqual(await site.activeSystemAlarms(), [`system/nobody-took-it/group/${group}`]);
  await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
  await site.admin.declines();
  await site.advance('299s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled(/Pump1/);
  await ana.takes();
  assert.deepEqual(await site.activeSystemAlarms(), []);
});
