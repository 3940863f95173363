// Somebody whose phone rings goes off duty, is replaced, or is removed: the ring goes on to its end, but for who is removed, nobody is rung
// again who is not on duty, and who takes the place is called at once.

import { type Site, startSite } from '../../../harness/site/site.ts';
import { type Person, voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const numbers = [voice('+33100000001', { countTry: 5, timeToRetry: 60 })];

/** Changes some fields of a user, and leaves the others as they are. */
async function change(site: Site, { id }: Person, fields: object): Promise<void> {
  await site.ask('PUT', `/users/${id}`, { ...(await site.ask('GET', `/users/${id}`)), ...fields });
}

testOnStores('who goes off duty while their phone rings is not rung again', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo, cy] = [await site.person('ana', { numbers }), await site.person('bo'), await site.person('cy')];
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana, bo], [cy])]), { priority: 3 });
  await ana.isCalled();
  await bo.isCalled();
  await change(site, ana, { onDuty: false });
  await ana.isCalled();
  await bo.declines();
  // Nobody who is on duty is left to be waited for.
  await cy.isCalled();
  await site.advance('30s');
  await site.advance('10m');
  await ana.isNotCalled();
  const calls = (await ana.messages()).length;
  if (calls !== 1) throw new Error(`ana was called ${calls} times`);
  await site.expectWhatRings();
});

testOnStores('who replaces somebody whose phone rings is called at once', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana', { numbers }), await site.person('bo')];
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  await ana.isCalled();
  await change(site, ana, { replacedById: bo.id });
  // The clock stands still.
  await bo.isCalled(/Pump1/);
  await ana.isCalled();
  await site.advance('30s');
  await ana.isNotCalled();
  await site.advance('5m');
  await ana.isNotCalled();
  await site.expectWhatRings();
});

testOnStores('the phone of somebody who is removed stops ringing', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana', { numbers }), await site.person('bo')];
  const team = await site.team('Night', [ana]);
  await site.alarms.raise(await site.group('Pumps', [team]), { priority: 3 });
  await ana.isCalled();
  await site.ask('PUT', `/teams/${team}`, { name: 'Night', members: [{ userId: bo.id, relief: false }] });
  await bo.isCalled(/Pump1/);
  await ana.isCalled();
  await site.ask('DELETE', `/users/${ana.id}`);
  await site.settle();
  await site.advance('5m');
  await site.expectWhatRings();
  const phones = await site.app.request('GET', `/api/v1/simulator/phones/${ana.id}`, { token: site.token });
  if (/"ringing"/.test(phones.text)) throw new Error('the phone of a removed person rings on');
});
