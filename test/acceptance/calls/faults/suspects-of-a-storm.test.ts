// Before calls are decided on after two unplanned ends, the causes that were in hand are tried: in a storm this costs a few decisions
// on everything, and not one for each of them.

import assert from 'node:assert/strict';
import { decideCalls, findFaultyCauses } from '../../../../src/operations/calls/engine/decide-calls.ts';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const alarmCount = 400;
const personCount = 6;
/** One by one they cost more than twenty decisions on all. */
const mostDecisions = 12;

/** Processor time of the cheapest of a few runs, in ms. */
async function costOf(run: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let n = 0; n < 4; n++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1_000);
  }
  return Math.min(...costs);
}

testOnAnyStore('the suspects of a storm are tried at the cost of a few decisions', async (t, kind) => {
  const site = await startSite(t, kind);
  const people = [];
  for (let n = 0; n < personCount; n++) people.push(await site.person(`person ${n}`));
  const group = await site.group('Pumps', [await site.team('Night', people)]);
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const alarms = Array.from({ length: alarmCount }, (_, n) => ({ path: `Pump ${n}`, priority: 3, alarmActions }));
  await site.ask('POST', '/alarms/batch', alarms);
  for (const person of people) await person.isCalled();
  const { store, clock } = site.app;
  const now = clock.now();
  assert.deepEqual(await store.read(findFaultyCauses, { now }), []);
  const decision = await costOf(() => store.read(decideCalls, { now }));
  const trial = await costOf(() => store.read(findFaultyCauses, { now }));
  assert.ok(trial < mostDecisions * decision, `a trial costs ${trial} ms, a decision ${decision} ms`);
});
