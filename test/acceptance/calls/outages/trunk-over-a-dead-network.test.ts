// A trunk whose network dies: a check of it may have been good just before, or may be good all the time, as that of a proxy in front of a
// dead network is. Nobody's tries are used up, and everybody is called when it is back.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { noteCheck } from '../../../../src/operations/providers/health.ts';
import { trunk } from '../../../harness/mail/post-office.ts';
import { fakeClock } from '../../../harness/site/clock.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { numberOf, voice } from '../../../harness/site/site-phones.ts';
import type { StoreName } from '../../../harness/stores/stores.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { networkDown, noAnswer, ToldExchange } from '../../../harness/telephone/told-exchange.ts';

const people = 10;
const checkEverySeconds = 30;

/** Ten people with one try each, whom a trunk calls. */
async function tenPeople(t: TestContext, kind: StoreName) {
  const clock = fakeClock();
  const exchange = new ToldExchange(() => clock.now());
  const site = await startSite(t, kind, { clock, openers: { sip: () => exchange } });
  const provider = await site.create('/providers', trunk);
  const called = [];
  for (let n = 0; n < people; n++)
    called.push(await site.person(`p${n}`, { numbers: [voice(numberOf(`p${n}`), { countTry: 1 })] }));
  return { site, exchange, provider, group: await site.group('Pumps', [await site.team('Night', called)]) };
}

/** Lets time pass while the trunk is checked every half minute. */
async function pass(site: Site, seconds: number, provider: number, exchange: ToldExchange): Promise<void> {
  for (let second = 0; second < seconds; second += checkEverySeconds) {
    const check = { providerId: provider, isUp: exchange.passesCheck, reason: 'it does not answer' };
    await site.app.store.write(noteCheck, check);
    await site.advance(`${Math.min(checkEverySeconds, seconds - second)}s`);
  }
}

/** How often each number rang, from the least often to the most. */
function ringsOf({ carried }: ToldExchange): readonly number[] {
  const rings = Array.from({ length: people }, (_, n) => numberOf(`p${n}`));
  return rings.map((address) => carried.filter((one) => one.address === address).length).toSorted();
}

for (const [name, isProxied, withinSeconds] of [
  ['that dies 30 s after a good check', false, checkEverySeconds],
  ['that answers checks although the network behind it is dead', true, 300],
] as const)
  testOnAnyStore(`a trunk ${name} uses up nobody's tries, and everybody is called when it is back`, async (t, kind) => {
    const { site, exchange, provider, group } = await tenPeople(t, kind);
    await pass(site, 30, provider, exchange);
    exchange.tell = () => networkDown;
    await site.alarms.raise(group, { priority: 3 });
    await site.settle();
    exchange.passesCheck = isProxied;
    await pass(site, 600, provider, exchange);
    assert.deepEqual(exchange.carried, []);
    const most = people + 600 / checkEverySeconds + 1;
    assert.ok(exchange.asked.length <= most, `one waiting call at a time, not ${exchange.asked.length} in ten minutes`);
    // Whether it was back before the call that failed at this instant, or after it, nobody could say.
    await site.advance('1s');
    exchange.tell = () => noAnswer;
    exchange.passesCheck = true;
    await pass(site, withinSeconds, provider, exchange);
    assert.deepEqual(ringsOf(exchange), Array(people).fill(1), 'everybody is called, once, as they have one try');
    await pass(site, 600, provider, exchange);
    assert.deepEqual(ringsOf(exchange), Array(people).fill(1), 'and not again');
    await site.expectWhatRings();
  });
