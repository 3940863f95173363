// Steps of the clock of one hour ahead and three hours back in the middle of a ring, a rest and a pause between rounds: people are called
// at the same time as without a step, and nobody is silenced.

import assert from 'node:assert/strict';
import { hours, keepClock } from '../../../harness/site/kept-clock.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const hour = 3_600_000;

/** Two tries a minute apart, and then a pause: when the step comes, and how long it takes from there to the next call. */
const moments = [
  { name: 'a ring', stepAfter: '10s', nextAfter: 80 },
  { name: 'the rest of a number', stepAfter: '50s', nextAfter: 40 },
  { name: 'the pause between two rounds', stepAfter: '4m', nextAfter: 180 },
] as const;

for (const { name, stepAfter, nextAfter } of moments)
  for (const [step, byMs] of [
    ['one hour ahead', hour],
    ['three hours back', -3 * hour],
  ] as const)
    testOnAnyStore(`a step of ${step} in ${name} calls nobody early and silences nobody`, async (t, kind) => {
      const site = await startSite(t, kind);
      const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
      await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 2 });
      await ana.isCalled();
      await site.advance(stepAfter);
      const before = (await ana.messages()).length;
      await using keeper = await keepClock(site);
      await keeper.setClock(byMs);
      await until(keeper.movedBy, (ms) => hours(ms) === Math.max(0, hours(byMs)));
      const called = async (seconds: number) => {
        await site.advance(`${seconds}s`);
        return (await ana.messages()).length - before;
      };
      assert.equal(await called(nextAfter - 5), 0, 'not early');
      assert.equal(await called(10), 1, 'not late');
      await site.advance('30m');
      assert.ok((await ana.messages()).length - before >= 3, 'and so on');
      await site.expectWhatRings();
    });
