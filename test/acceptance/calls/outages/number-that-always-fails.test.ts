// A number that always fails at its trunk, while others are carried: it is the number that is at fault, so it is given up like one that
// nobody answers, and nobody else waits for it.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { trunk } from '../../../harness/mail/post-office.ts';
import { fakeClock } from '../../../harness/site/clock.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { numberOf, voice } from '../../../harness/site/site-phones.ts';
import type { StoreName } from '../../../harness/stores/stores.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { networkDown, noAnswer, ToldExchange } from '../../../harness/telephone/told-exchange.ts';

type Health = { readonly health: { readonly state: string } };

/** A site whose trunk fails for the numbers of the people with these names. */
async function siteWithDeadNumbers(t: TestContext, kind: StoreName, names: readonly string[]) {
  const clock = fakeClock();
  const exchange = new ToldExchange(() => clock.now());
  const dead = new Set(names.map(numberOf));
  exchange.tell = (address) => (dead.has(address) ? networkDown : noAnswer);
  const site = await startSite(t, kind, { clock, openers: { sip: () => exchange } });
  const provider = await site.create('/providers', trunk);
  const asked = (name: string) => exchange.asked.filter(({ address }) => address === numberOf(name));
  const state = async () => (await site.ask<Health>('GET', `/providers/${provider}`)).health.state;
  return { site, asked, state };
}

const person = (site: Site, name: string, countTry: number) =>
  site.person(name, { numbers: [voice(numberOf(name), { countTry, timeToRetry: 60 })] });

testOnAnyStore('a number that always fails at its trunk is given up while others are called', async (t, kind) => {
  const { site, asked, state } = await siteWithDeadNumbers(t, kind, ['ana']);
  const [ana, bo] = [await person(site, 'ana', 2), await person(site, 'bo', 5)];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group, { priority: 3 });
  const beganAt = site.app.clock.now();
  await site.advance('20m');
  const anas = asked('ana');
  const lastAfterMs = (anas.at(-1)?.at ?? 0) - beganAt;
  assert.ok(anas.length >= 3 && anas.length <= 8, `${anas.length} calls to a number that always fails`);
  assert.ok(lastAfterMs < 600_000, `called again after ${lastAfterMs} ms`);
  assert.equal(asked('bo').length, 5, 'the other one is called as often as ever');
  assert.equal(await state(), 'up', 'a number that fails by itself is no fault of the trunk');
  await site.expectWhatRings();
});

testOnAnyStore('five numbers that always fail do not take the trunk down for others', async (t, kind) => {
  const names = ['ana', 'bea', 'cem', 'dan', 'eva'];
  const { site, asked, state } = await siteWithDeadNumbers(t, kind, names);
  const five = [];
  for (const name of names) five.push(await person(site, name, 1));
  const bo = await person(site, 'bo', 1);
  const many = await site.group('Many', [await site.team('Many', five)]);
  const one = await site.group('One', [await site.team('One', [bo])]);
  await site.alarms.raise(many, { path: 'Many', priority: 3 });
  const lates: number[] = [];
  for (let n = 0; n < 10; n++) {
    await site.advance('3m');
    const [raisedAt, before] = [site.app.clock.now(), asked('bo').length];
    await site.alarms.raise(one, { path: `One ${n}`, priority: 3 });
    await site.advance('60s');
    lates.push(((asked('bo')[before]?.at ?? Number.POSITIVE_INFINITY) - raisedAt) / 1_000);
  }
  // The trunk has carried nothing before the first of them: nobody can know then that it is the numbers.
  assert.ok((lates[0] ?? 99) <= 30, `the first was called after ${lates[0]} s`);
  assert.ok(
    lates.slice(1).every((late) => late <= 1),
    `the others were called after ${lates} s`,
  );
  for (const name of names) assert.ok(asked(name).length <= 12, `${asked(name).length} calls to ${name}`);
  const before = names.map((name) => asked(name).length);
  await site.advance('10m');
  const after = names.map((name) => asked(name).length);
  assert.deepEqual(after, before, 'they are given up');
  assert.equal(await state(), 'up');
  await site.expectWhatRings();
});
