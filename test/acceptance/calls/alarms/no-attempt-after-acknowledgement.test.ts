// Acknowledges an alarm at random points of its escalation: no order of the steps begins an attempt afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemCaller } from '../../../../src/domain/access/access.ts';
import { defaultPolicy } from '../../../../src/domain/calls/call.ts';
import { defaultNumber } from '../../../../src/domain/people/entities.ts';
import { reportAlarm } from '../../../../src/operations/alarms/intake/report.ts';
import { commandAlarm } from '../../../../src/operations/alarms/operator-commands.ts';
import { seedCallPolicy } from '../../../../src/operations/calls/control/call-policy.ts';
import { endAttempt } from '../../../../src/operations/calls/delivery/end-attempt.ts';
import { takeAttempts } from '../../../../src/operations/calls/delivery/take-attempts.ts';
import { carryOut } from '../../../../src/operations/calls/engine/carry-out.ts';
import { decideCalls } from '../../../../src/operations/calls/engine/decide-calls.ts';
import type { Plan } from '../../../../src/operations/calls/engine/plan.ts';
import { createPeopleEntry, type NewPeopleEntry } from '../../../../src/operations/people/change-resource.ts';
import { firstStart } from '../../../../src/operations/system/first-start.ts';
import { type Chance, chanceOf } from '../../../harness/chance.ts';
import { numberOf } from '../../../harness/site/site-phones.ts';
import { isSoak } from '../../../harness/soak.ts';
import { MemoryStore } from '../../../harness/stores/memory-store.ts';

const interleavings = isSoak ? 10_000 : 300;
const begin = Date.UTC(2026, 10, 15, 12);
const caller = systemCaller;

async function openHouse(): Promise<{ store: MemoryStore; groupId: number }> {
  const store = new MemoryStore();
  await store.write(firstStart, begin, { epoch: 'race', adminPasswordHash: '' });
  await store.write(seedCallPolicy, begin, { ...defaultPolicy, cap: undefined });
  const make = (command: Pick<NewPeopleEntry, 'kind'> & { fields: object }): Promise<number> =>
    store.write(createPeopleEntry, begin, { ...command, caller } as NewPeopleEntry);
  const person = (name: string) =>
    make({
      kind: 'user',
      fields: {
        name,
        firstName: '',
        lastName: '',
        displayName: '',
        language: 'en',
        timeZone: 'UTC',
        role: 'operator',
        statusId: 1,
        onDuty: true,
        virtual: false,
        stationIds: [],
        identities: [],
        numbers: [
          { ...defaultNumber, id: 0, channel: 'voice', address: numberOf(name), countTry: 2, timeToRetrySeconds: 1 },
        ],
      },
    });
  const members = [
    { userId: await person('ana'), relief: false },
    { userId: await person('bo'), relief: true },
  ];
  const teamId = await make({ kind: 'team', fields: { name: 'night', colour: '', members } });
  const group = { names: {}, stationId: 1, timeZone: 'UTC', callMode: 'all', reliefMode: 'nobodyReached' };
  const fields = { ...group, name: 'pumps', discardWhenNobodyOnCall: false, teamIds: [teamId] };
  return { store, groupId: await make({ kind: 'callGroup', fields }) };
}

/**
 * Raises one alarm, runs its attempts in random order, and returns the number of attempts begun after the
 * acknowledgement.
 */
async function race(store: MemoryStore, groupId: number, chance: Chance, from: number): Promise<number> {
  let now = from;
  const heldAttempts: { readonly node: string; readonly attemptId: number }[] = [];
  const plans: Plan[] = [];
  let acknowledged = false;
  let begunAfter = 0;
  const action = { type: 'CallGroup', id: groupId, scriptId: 0, parameter: '', flags: 0 };
  const { id } = await store.write(reportAlarm, now, {
    caller,
    stationId: undefined,
    dataServerId: undefined,
    tagGroupId: undefined,
    path: 'pump',
    priority: 1,
    value: undefined,
    raised: true,
    change: { condition: { reactivatable: true }, alarm: { message: 'hot', actions: [action] } },
  });
  const moves = {
    take: async () => {
      const node = chance.pick(['a', 'b']);
      const mine = heldAttempts.filter((held) => held.node === node).map(({ attemptId }) => attemptId);
      const messages = await store.write(takeAttempts, now, {
        node,
        nodeName: 'node',
        leaseMs: 10_000,
        replyCodes: ['1', '2'],
        heldAttemptIds: mine,
      });
      heldAttempts.push(...messages.map(({ attemptId }) => ({ node, attemptId })));
      if (acknowledged) begunAfter += messages.length;
    },
    end: async () => {
      const held = heldAttempts.pop();
      const delivery = { kind: 'failed', retry: 'later', outcome: 'noAnswer', reason: 'no answer' } as const;
      if (held !== undefined) await store.write(endAttempt, now, { ...held, delivery });
    },
    decide: async () => {
      const { plan } = await store.read(decideCalls, { now });
      if (plan !== undefined) plans.push(plan);
    },
    // Also a plan that was decided before the acknowledgement.
    carryOut: async () => {
      const plan = plans.shift();
      if (plan !== undefined) await store.write(carryOut, now, { plan, node: 'a' });
    },
  };
  const names = Object.keys(moves) as (keyof typeof moves)[];
  const acknowledgeAt = chance.int(0, 9);
  for (let turn = 0; turn < 14; turn++) {
    now += chance.int(0, 1_200);
    if (turn === acknowledgeAt) {
      const command = { kind: 'acknowledge', by: 'op', comment: '' } as const;
      await store.write(commandAlarm, now, { caller, id, command, by: { name: 'op', userId: undefined } });
      acknowledged = true;
    }
    await moves[chance.pick(names)]();
  }
  while (heldAttempts.length > 0) await moves.end();
  return begunAfter;
}

test(`no attempt begins after the acknowledgement in ${interleavings} random orders of acknowledgement and escalation`, async () => {
  const chance = chanceOf(4_711);
  let { store, groupId } = await openHouse();
  let begun = 0;
  for (let n = 0; n < interleavings; n++) {
    // A new store every 250 races, so that a growing history does not slow the later ones.
    if (n % 250 === 249) {
      store.close();
      ({ store, groupId } = await openHouse());
    }
    begun += await race(store, groupId, chance, begin + n * 60_000);
  }
  store.close();
  assert.equal(begun, 0);
});
