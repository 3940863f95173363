// *Called in vain* is said when nobody is owed a call any more, and once for each round.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { numberOf, type Person, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const once = (site: Site, name: string) =>
  site.person(name, { numbers: [voice(numberOf(name), { countTry: 1, timeToRetry: 30 })] });

/** Ana is on duty and was called as often as she may be; bo is the relief. */
async function anaIsThrottled(site: Site) {
  const [ana, bo] = [await once(site, 'ana'), await once(site, 'bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
  await site.alarms.raise(group, { path: 'First', priority: 3 });
  await ana.isCalled();
  await ana.takes();
  await site.advance('1m');
  return { ana, bo, group };
}

const isSaid = async (site: Site, group: number): Promise<boolean> =>
  (await site.activeSystemAlarms()).includes(`system/nobody-took-it/group/${group}`);

const rings = async (person: Person): Promise<boolean> =>
  (await person.messages()).some(({ state }) => state === 'ringing');

for (const priority of [2, 3])
  testOnAnyStore(
    `an alarm of priority ${priority} is not called in vain while a throttled person is owed a call`,
    async (t, kind) => {
      const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '1/15' } });
      const { ana, bo, group } = await anaIsThrottled(site);
      await site.alarms.raise(group, { priority });
      await ana.isCalled(/Pump1/);
      await ana.hangsUp();
      await site.advance('60s');
      for (const person of [bo, site.admin]) {
        await person.isCalled();
        await person.declines();
      }
      assert.equal(await isSaid(site, group), false);
      for (let minutes = 0; minutes < 12; minutes++) {
        await site.advance('60s');
        for (const person of [bo, site.admin]) if (await rings(person)) await person.declines();
        assert.equal(await isSaid(site, group), false);
      }
      await site.advance('60s');
      await ana.isCalled(/Pump1/);
      assert.equal(await isSaid(site, group), false);
      await site.advance('30s');
      await ana.isNotCalled();
      assert.equal(await isSaid(site, group), true);
    },
  );

type Step = { readonly time: string; readonly what: string };
type Explanation = { readonly calls: readonly { readonly name: string; readonly steps: readonly Step[] }[] };

testOnAnyStore('explain says once for each round that nobody took it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await once(site, 'ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const body = { path: 'x', priority: 2, alarmActions: [{ type: 'CallGroup', id: group }] };
  const { calls } = await site.ask<Explanation>('POST', '/explain?hours=1', body);
  const steps = calls[0]?.steps.map(({ time, what }) => `${time.slice(14, 19)} ${what}`) ?? [];
  assert.deepEqual(steps.slice(0, 8), [
    '00:00 round',
    '00:00 level',
    '00:00 attempt',
    '00:30 exhausted',
    '05:30 round',
    '05:30 level',
    '05:30 attempt',
    '06:00 exhausted',
  ]);
});
