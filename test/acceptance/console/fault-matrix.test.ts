// Every request of every screen and every message of the hub in turn answers 503, hangs, is slow, is cut off or answers 401, for
// 2 s and for 60 s: no figure is untrue without saying so, all comes back by itself, and a priority 1 alarm sounds.

import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { type TestContext, test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { type Case, casesOf, type Moment, moments, type View, views } from '../../harness/browser/faults/cases.ts';
import { countsOf, MatrixStand, newTally } from '../../harness/browser/faults/matrix.ts';
import { chanceOf } from '../../harness/chance.ts';
import { testSeed } from '../../harness/seed.ts';
import { isSoak } from '../../harness/soak.ts';

const skip = withoutBrowser();
const seed = testSeed ?? Math.floor(Math.random() * 2 ** 31);
/** While one waits for its page or its server another works. */
const standsAtOnce = availableParallelism() + 1;

type Choose = (cases: readonly Case[]) => readonly Case[];

/** What every screen asks for is tried on the first. */
async function casesBy(stand: MatrixStand, asked: readonly View[], moment: Moment): Promise<readonly Case[][]> {
  const onEvery = new Set(await stand.requestsOf('/alarms', moment));
  const cases: Case[][] = [];
  for (const view of asked) {
    const own = async () => (await stand.requestsOf(view, moment)).filter((one) => !onEvery.has(one));
    cases.push([...casesOf(view, view === '/alarms' ? [...onEvery] : await own(), moment)]);
  }
  return cases;
}

async function tryThem(
  t: TestContext,
  { asked, moment, stands }: { readonly asked: readonly View[]; readonly moment: Moment; readonly stands: number },
  choose: Choose,
): Promise<void> {
  const tally = newTally();
  const first = await MatrixStand.begin(t, tally);
  const all = await casesBy(first, asked, moment);
  const due = all.flatMap(choose);
  const work = async (stand: MatrixStand): Promise<void> => {
    for (let one = due.shift(); one !== undefined; one = due.shift()) await stand.try(one);
  };
  const others = Array.from({ length: stands - 1 }, async () => work(await MatrixStand.begin(t, tally)));
  await Promise.all([work(first), ...others]);
  t.diagnostic(`${tally.cases} of ${all.flat().length} cases, seed ${seed}: ${countsOf(tally)}`);
  assert.deepEqual(tally.findings, []);
}

const promise = 'whatever request or message fails, it shows nothing untrue, comes back by itself, and sounds';

test(`one fault on every screen of the console: ${promise}`, { skip: skip || isSoak }, async (t) => {
  const chance = chanceOf(seed);
  const moment = chance.pick(moments);
  await tryThem(t, { asked: views, moment, stands: 1 }, (cases) => [chance.pick(cases)]);
});

for (const view of views)
  for (const moment of moments)
    test(`all faults on ${view}, ${moment}: ${promise}`, { skip: skip || !isSoak }, async (t) => {
      await tryThem(t, { asked: [view], moment, stands: standsAtOnce }, (cases) => cases);
    });
