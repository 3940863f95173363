// Every request of every screen and every message of the hub in turn answers 503, hangs, is slow, is cut off or answers 401, for
// 2 s and for 60 s: no figure is untrue without saying so, all comes back by itself, and a priority 1 alarm sounds.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { type Case, casesOf, moments, type View, views } from '../../harness/browser/faults/cases.ts';
import { startFiguresPlant } from '../../harness/browser/faults/figures-plant.ts';
import { MatrixRun } from '../../harness/browser/faults/matrix.ts';
import { chanceOf } from '../../harness/chance.ts';
import { testSeed } from '../../harness/seed.ts';
import { isSoak } from '../../harness/soak.ts';

const skip = withoutBrowser();
const seed = testSeed ?? Math.floor(Math.random() * 2 ** 31);

async function tryAll(t: TestContext, choose: (cases: readonly Case[], view: View) => readonly Case[]): Promise<void> {
  const run = await MatrixRun.begin(t, await startFiguresPlant(t));
  // What every screen asks for is tried on the first.
  const onEvery = new Set(await run.requestsOf('/alarms'));
  let all = 0;
  let tried = 0;
  for (const view of views) {
    const requests =
      view === '/alarms' ? [...onEvery] : (await run.requestsOf(view)).filter((one) => !onEvery.has(one));
    const cases = moments.flatMap((moment) => casesOf(view, requests, moment));
    all += cases.length;
    for (const one of choose(cases, view)) {
      tried++;
      await run.try(one);
    }
  }
  t.diagnostic(`${tried} of ${all} cases, seed ${seed}: ${run.counts()}`);
  assert.deepEqual(run.findings, []);
}

const promise = 'whatever request or message fails, it shows nothing untrue, comes back by itself, and sounds';

test(`one fault on every screen of the console: ${promise}`, { skip: skip || isSoak }, async (t) => {
  const chance = chanceOf(seed);
  await tryAll(t, (cases) => [chance.pick(cases)]);
});

for (const view of views)
  for (const moment of moments)
    test(`all faults on ${view}, ${moment}: ${promise}`, { skip: skip || !isSoak }, async (t) => {
      await tryAll(t, (cases, shown) => (shown === view ? cases.filter((one) => one.moment === moment) : []));
    });
