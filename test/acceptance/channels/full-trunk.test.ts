// A provider at its capacity holds up what it alone would carry, and nothing that another one of the channel carries.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { type Person, voice } from '../../harness/site/site-phones.ts';
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
