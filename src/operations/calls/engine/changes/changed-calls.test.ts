// Deciding on what has changed: what nothing announced is found when its turn comes, and is told; so is a fault.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { chanceOf } from '../../../../../test/harness/chance.ts';
import { randomOrganisation } from '../../../../../test/harness/escalation/organisation.ts';
import { settle } from '../../../../../test/harness/simulation/stored-organisation.ts';
import { MemoryStore } from '../../../../../test/harness/stores/memory-store.ts';
import { sqlStatement } from '../../../../store/statement.ts';
import { target } from '../../../../store/statement-tables.ts';
import type { Operation } from '../../../../store/store.ts';
import { carryOut } from '../carry-out.ts';
import { decideChangedCalls } from '../decide-calls.ts';
import { insertCauses } from '../rows/escalation-rows.ts';
import { ChangedCalls } from './changed-calls.ts';

const begin = Date.UTC(2026, 9, 22, 12);
const seed = 3;

type Cause = Parameters<typeof insertCauses>[1][number];

const addCause: Operation<Cause, void> = {
  name: 'add-cause',
  run: (tx, _now, cause) => insertCauses(tx, [cause]),
};

const writeUnannounced: Operation<string, void> = {
  name: 'write-unannounced',
  async run(tx, _now, entered) {
    await tx.run(setEntered, { entered });
  },
};

const setEntered = sqlStatement<{ entered: string }, unknown>(
  ({ entered }) => sql`update ${target('call_causes')} set entered = ${entered}, round = 0, round_since = null`,
);

/** One alarm that a group is called for, decided on until nothing is to be done. */
async function oneAlarm() {
  const store = new MemoryStore();
  const { snapshot } = await settle(store, randomOrganisation(chanceOf(seed)), seed, begin);
  const [groupId = 0] = snapshot.groups.keys();
  const about = { priority: 2, text: 'alarm', short_text: '', created_at: begin, due_at: begin, origin: '' };
  const none = { alarm_id: null, history_id: null, message_id: null, is_transitory: 0 };
  const called = { kind: 'alarm', list: 'alarm', target_kind: 'group', target_id: groupId, station_id: 1 };
  await store.write(addCause, begin, { ...called, ...about, ...none });
  const changed = decideChangedCalls(new ChangedCalls());
  const decide = async (now: number) => {
    const decided = await store.read(changed, { now, isOfAll: false });
    if (decided.plan !== undefined) await store.write(carryOut, now, { plan: decided.plan, node: 'sqlite' });
    return { isDone: decided.plan !== undefined, isLate: decided.isLate, fault: decided.fault };
  };
  assert.deepEqual(await decide(begin), { isDone: true, isLate: false, fault: undefined });
  while ((await decide(begin)).isDone);
  return { store, decide };
}

test('a change that nothing announced is acted on within 30 s, and counted as late', async () => {
  const { store, decide } = await oneAlarm();
  await store.write(writeUnannounced, begin, '[]');
  assert.deepEqual(await decide(begin + 1_000), { isDone: false, isLate: false, fault: undefined });
  assert.deepEqual(await decide(begin + 31_000), { isDone: true, isLate: true, fault: undefined });
  store.close();
});

test('a fault of deciding on what has changed is told, and everything is decided on', async () => {
  const { store, decide } = await oneAlarm();
  await store.write(writeUnannounced, begin, '{');
  const { fault } = await decide(begin + 31_000);
  assert.match(fault ?? '', /JSON/);
  store.close();
});
