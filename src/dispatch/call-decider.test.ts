// How a node behaves that does not have the lease of deciding, or lost it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/harness/until.ts';
import type { Store } from '../store/store.ts';
import { CallDecider } from './call-decider.ts';
import { StoredWork } from './stored-work.ts';

/** A store of several nodes that says this of its lease and of what is carried out. */
function storeThat(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const ask = async ({ name }: { readonly name: string }) => {
    asked.push(name);
    const answer = answers[name] ?? (name === 'list-suspects' ? [] : undefined);
    return typeof answer === 'function' ? answer() : answer;
  };
  const store = { kind: 'postgres', onEvents: () => () => undefined, read: ask, write: ask } as unknown as Store;
  return { store, count: (name: string) => asked.filter((one) => one === name).length };
}

/** A plan that changes one escalation. */
function planOf(id: number) {
  const changed = [{ escalation: { id, state: 'open', round: 1, entered: [] } }];
  return { changed, begin: [], notCalled: [], cancel: [] };
}

function deciderOn(store: Store, onTrouble: (error: unknown) => void): CallDecider {
  const clock = { now: () => 1_000_000, elapsed: () => 0 } as never;
  const inHand = { begin: () => {}, end: () => {} };
  const work = new StoredWork({ store, clock, inHand });
  return new CallDecider({ store, clock, nodeId: 'b', work, onTrouble, onMissingChannel: () => {} });
}

test('a node asks for the lease of deciding once a second while another has it, whatever happens', async (t) => {
  const { store, count } = storeThat({ 'take-calling-lease': undefined });
  const decider = deciderOn(store, assert.ifError);
  t.after(() => decider.stop());
  for (let n = 0; n < 30; n++) {
    decider.wake();
    await pause(50);
  }
  assert.ok([1, 2, 3].includes(count('take-calling-lease')), `asked ${count('take-calling-lease')} times`);
  assert.equal(count('get-calling-size'), 0);
});

test('a node that has lost the lease stops deciding, without a report', async (t) => {
  const troubles: unknown[] = [];
  const { store, count } = storeThat({
    'take-calling-lease': 1_015_000,
    'get-calling-size': 1,
    'decide-calls': { plan: planOf(1), lookAgainAt: undefined, unreadable: { causes: [], attempts: [] } },
    'carry-out-calls': 'lease-lost',
  });
  const decider = deciderOn(store, (error) => troubles.push(error));
  t.after(() => decider.stop());
  await until(
    async () => count('carry-out-calls'),
    (carried) => carried > 0,
  );
  await pause(500);
  assert.equal(count('carry-out-calls'), 1);
  assert.deepEqual(troubles, []);
});

/** Returns what is reported while a node carries out so many decisions, each of which finds something to do. */
async function reportsOf(decisions: number, planAt: (n: number) => unknown): Promise<readonly string[]> {
  let n = 0;
  const troubles: string[] = [];
  const { store } = storeThat({
    'take-calling-lease': 1_015_000,
    'get-calling-size': () => (n < decisions ? 1 : 0),
    'decide-calls': () => ({ plan: planAt(++n), lookAgainAt: undefined, unreadable: { causes: [], attempts: [] } }),
    'carry-out-calls': 'whole',
  });
  const decider = deciderOn(store, (error) => troubles.push(String(error)));
  await decider.poll();
  await decider.stop();
  return troubles;
}

test('the same decision again and again is reported, a flood of other ones is not', async () => {
  assert.match((await reportsOf(60, () => planOf(1)))[0] ?? '', /decided on again and again/);
  assert.deepEqual(await reportsOf(300, planOf), []);
});

test('as many suspects as a storm has are tried, a third at a time, and calls are decided on after that', async () => {
  const many = 60_000;
  const { store, count } = storeThat({
    'take-calling-lease': 1_015_000,
    'get-calling-size': 1,
    'list-suspects': [{ kind: 'cause', id: 0, ends: [1, 2], state: 'suspect' }],
    'list-causes-to-decide': Array.from({ length: many }, (_, index) => index + 1),
    'find-faulty-causes': [],
    'decide-calls': { plan: undefined, lookAgainAt: undefined, unreadable: { causes: [], attempts: [] } },
  });
  const troubles: string[] = [];
  const decider = deciderOn(store, (error) => troubles.push(String(error)));
  await decider.poll();
  await decider.stop();
  assert.deepEqual(troubles, []);
  assert.equal(count('find-faulty-causes'), 3);
  assert.ok(count('decide-calls') > 0);
});
