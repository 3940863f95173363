// A provider at its capacity holds up what it alone would carry, and nothing that another one of the channel carries.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { type Person, sms, voice } from '../../harness/site/site-phones.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const trunk = (name: string, more: object) => ({ name, channel: 'voice', kind: 'simulator', ...more });

/** Two trunks for two countries, of which the first has a single line. */
async function twoTrunks(site: Site): Promise<void> {
  await site.create('/providers', trunk('France', { countries: ['+33'], lines: 1 }));
  await site.create('/providers', trunk('Germany', { countries: ['+49'] }));
}

const rings = (person: Person) =>
  until(person.messages, (messages) => messages.some(({ state }) => state === 'ringing'));

testOnStores('one full trunk does not hold up calls by another trunk of its channel', async (t, kind) => {
  const site = await startSite(t, kind);
  await twoTrunks(site);
  // More than a node takes at once.
  const french: Person[] = [];
  for (let n = 0; n < 105; n++) french.push(await site.person(`f${n}`, { numbers: [voice(`+3310000${1000 + n}`)] }));
  const greta = await site.person('greta', { numbers: [voice('+49100000001')] });
  const france = await site.group('France', [await site.team('France', french)]);
  const germany = await site.group('Germany', [await site.team('Germany', [greta])]);
  const busy = await site.alarms.raise(france, { path: 'One', priority: 1 });
  await rings(french[0] as Person);
  const free = await site.alarms.raise(germany, { path: 'Two', priority: 1 });
  await rings(greta);
  const inUse = (await site.list('/providers?limit=10')).items.map(({ health }) => (health as { inUse: number }).inUse);
  assert.deepEqual(inUse, [0, 1, 1]);
  for (const id of [busy, free]) await site.alarms.acknowledge(id);
  await site.expectWhatRings();
});

testOnStores('a number that a full trunk and a free one serve is called by the free one', async (t, kind) => {
  const site = await startSite(t, kind);
  await twoTrunks(site);
  await site.create('/providers', trunk('Paris', { countries: ['+331'], order: 200 }));
  const numbers = ['+33400000001', '+33400000002', '+33100000001'];
  const people: Person[] = [];
  for (const [n, address] of numbers.entries()) people.push(await site.person(`p${n}`, { numbers: [voice(address)] }));
  const group = await site.group('Pumps', [await site.team('Night', people)]);
  const alarm = await site.alarms.raise(group, { priority: 1 });
  const [first, second, third] = people as [Person, Person, Person];
  await rings(first);
  await rings(third);
  assert.deepEqual(await second.messages(), [], 'waits for the line');
  await site.alarms.acknowledge(alarm);
  await site.expectWhatRings();
});

testOnStores(
  'a call whose trunk has failed while the other is full keeps the next level for a minute only',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.create('/providers', trunk('Dead', { order: 1, settings: { fault: 'dead' } }));
    await site.create('/providers', trunk('Full', { order: 2, lines: 1 }));
    await site.create('/providers', { name: 'Texts', channel: 'sms', kind: 'simulator' });
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    const cy = await site.person('cy', { numbers: [sms('+33100000003')] });
    const tanks = await site.group('Tanks', [await site.team('Tanks', [ana])]);
    const heads = await site.group('Heads', [await site.team('Heads', [cy])]);
    const pumps = await site.group('Pumps', [await site.team('Pumps', [bo])], { reliefGroupId: heads });
    const one = await site.alarms.raise(tanks, { path: 'One', priority: 3 });
    await ana.isCalled();
    await ana.answers('1');
    const two = await site.alarms.raise(pumps, { path: 'Two', priority: 3 });
    const beganAt = site.app.clock.now();
    await until(
      async () => {
        site.app.clock.advance(1_000);
        await site.app.poll();
        return cy.messages();
      },
      (messages) => messages.length > 0,
    );
    const seconds = (site.app.clock.now() - beganAt) / 1_000;
    assert.ok(seconds >= 60 && seconds < 90, `the next level is called after ${seconds} s`);
    assert.deepEqual(await bo.messages(), [], 'waits for the line');
    const own = (await site.alarms.fromTocsin()).map(({ path }) => path);
    assert.ok(own.includes('system/no-free-line/voice'), own.join());
    for (const id of [one, two]) await site.alarms.acknowledge(id);
    await site.expectWhatRings();
  },
);
