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

/** Every third attempt under way fails, as an outcome that is stored with its version. */
const endSome: Operation<number, void> = {
  name: 'end-some',
  async run(tx, now, rest) {
    await tx.run(setFailed, { now, rest });
  },
};

const setFailed = sqlStatement<{ now: number; rest: number }, unknown>(
  ({
    now,
    rest,
  }) => sql`update ${target('call_attempts')} set state = 'failed', started_at = ${now}, outcome = 'noAnswer',
    counts = 1, ended_at = ${now}, version = version + 1 where ended_at is null and id % 3 = ${rest}`,
);

async function organised(seed: number) {
  const store = new MemoryStore();
  const { snapshot } = await settle(store, randomOrganisation(chanceOf(seed)), seed, begin);
  const groups = [...snapshot.groups.keys()];
  const raise = (now: number, groupId = groups[0] ?? 0) => {
    const about = { priority: 2, text: 'alarm', short_text: '', created_at: now, due_at: now, origin: '' };
    const none = { alarm_id: null, history_id: null, message_id: null, is_transitory: 0 };
    const called = { kind: 'alarm', list: 'alarm', target_kind: 'group', target_id: groupId, station_id: 1 };
    return store.write(addCause, now, { ...called, ...about, ...none });
  };
  const changed = decideChangedCalls(new ChangedCalls());
  const decide = async (now: number) => {
    const decided = await store.read(changed, { now, isOfAll: false });
    if (decided.plan !== undefined) await store.write(carryOut, now, { plan: decided.plan, node: 'sqlite' });
    return { isDone: decided.plan !== undefined, isLate: decided.isLate, fault: decided.fault };
  };
  return { store, groups, raise, decide };
}

/** One alarm that a group is called for, decided on until nothing is to be done. */
async function oneAlarm() {
  const { store, raise, decide } = await organised(3);
  await raise(begin);
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

test('what is announced is not counted as late, also where a call for it is for others whose turn it is', async () => {
  for (const seed of [1, 2, 3, 5]) {
    const { store, groups, raise, decide } = await organised(seed);
    const chance = chanceOf(seed);
    let done = 0;
    for (let step = 0; step < 60; step++) {
      const now = begin + step * 31_000;
      if (step === 0 || chance.percent(33)) await raise(now, chance.pick(groups));
      if (chance.percent(50)) await store.write(endSome, now, chance.int(0, 3));
      for (let decided = await decide(now); decided.isDone; decided = await decide(now)) {
        assert.equal(decided.isLate, false, `seed ${seed}, step ${step}`);
        done++;
      }
    }
    assert.ok(done > 10, `seed ${seed}: ${done}`);
    store.close();
  }
});
