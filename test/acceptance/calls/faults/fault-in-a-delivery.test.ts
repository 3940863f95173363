// A delivery that ends by an error in Tocsin, or because the database is away: nobody else is blamed for it, and the next step follows.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { AppError } from '../../../../src/errors.ts';
import { trunk } from '../../../harness/mail/post-office.ts';
import { fakeClock } from '../../../harness/site/clock.ts';
import { startSite } from '../../../harness/site/site.ts';
import { numberOf, voice } from '../../../harness/site/site-phones.ts';
import type { StoreName } from '../../../harness/stores/stores.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { noAnswer, ToldExchange } from '../../../harness/telephone/told-exchange.ts';

type Health = { readonly health: { readonly state: string } };

/** A site with two people, of whom the first is called by a trunk whose code throws. */
async function siteWhoseTrunkThrows(t: TestContext, kind: StoreName, error: () => Error | undefined) {
  const clock = fakeClock();
  const exchange = new ToldExchange(() => clock.now());
  exchange.tell = (address) => {
    const thrown = address === numberOf('ana') ? error() : undefined;
    if (thrown !== undefined) throw thrown;
    return noAnswer;
  };
  const site = await startSite(t, kind, { clock, openers: { sip: () => exchange } });
  const provider = await site.create('/providers', trunk);
  const person = (name: string) => site.person(name, { numbers: [voice(numberOf(name), { countTry: 1 })] });
  const [ana, bo] = [await person('ana'), await person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])], { callMode: 'turn' });
  const asked = (name: string) => exchange.asked.filter(({ address }) => address === numberOf(name)).length;
  const state = async () => (await site.ask<Health>('GET', `/providers/${provider}`)).health.state;
  return { site, ana, group, asked, state };
}

testOnAnyStore(
  'an error in a channel ends the call as an internal fault with an alarm, and the next person is called',
  async (t, kind) => {
    const { site, ana, group, asked, state } = await siteWhoseTrunkThrows(t, kind, () => new Error('broken'));
    await site.alarms.raise(group, { priority: 3 });
    await site.advance('5s');
    const [row] = await site.callHistories(`&userId=${ana.id}`);
    assert.deepEqual([row?.outcome, row?.detail], ['failed', 'internal fault']);
    assert.equal(asked('bo'), 1, 'the next person is called at once');
    assert.notEqual(await state(), 'down', 'it says nothing of the trunk');
    assert.ok((await site.systemAlarms()).includes(`system/set-aside/attempts-of/${ana.id}`));
    assert.equal(site.app.logLines.filter((line) => JSON.stringify(line).includes('broken')).length, 1, 'logged once');
    await site.expectWhatRings();
  },
);

testOnAnyStore('a database that is away during a call uses up no try, and blames no trunk', async (t, kind) => {
  let away = 1;
  const error = () => (away-- > 0 ? new AppError('unavailable', 'The database cannot be reached.') : undefined);
  const { site, ana, group, asked, state } = await siteWhoseTrunkThrows(t, kind, error);
  await site.alarms.raise(group, { priority: 3 });
  await site.advance('2m');
  const rows = await site.callHistories(`&userId=${ana.id}`);
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    ['cancelled', 'noAnswer'],
  );
  assert.equal(asked('bo'), 1);
  assert.notEqual(await state(), 'down');
  await site.expectWhatRings();
});
