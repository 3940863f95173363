// The cached directory equals the database after any sequence of changes, undone ones included, and a change of one person
// reads no more rows with many people than with few.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemCaller as caller } from '../../../src/domain/access/access.ts';
import { AppError } from '../../../src/errors.ts';
import { readCallConfiguration } from '../../../src/operations/configuration/call-configuration.ts';
import { addOverride } from '../../../src/operations/on-call/overrides.ts';
import {
  createPeopleEntry,
  type NewPeopleEntry,
  removePeopleEntry,
  replacePeopleEntry,
} from '../../../src/operations/people/change-resource.ts';
import { loadScenarioIndex } from '../../../src/operations/people/scenario-rows.ts';
import { loadPeopleSnapshot } from '../../../src/operations/people/snapshot.ts';
import { setDuty } from '../../../src/operations/people/users/own-entry.ts';
import { createProvider } from '../../../src/operations/providers/change-provider.ts';
import { loadProviders } from '../../../src/operations/providers/provider-rows.ts';
import { firstStart } from '../../../src/operations/system/first-start.ts';
import type { Operation, ReadTx, Tx } from '../../../src/store/store.ts';
import { readProvider } from '../../../src/wire/channels/provider.ts';
import { readSchedule } from '../../../src/wire/on-call/schedule.ts';
import { readCallGroup, readGrouping } from '../../../src/wire/people/call-group.ts';
import { readScenario } from '../../../src/wire/people/scenario.ts';
import { readTeam } from '../../../src/wire/people/team.ts';
import { readUser } from '../../../src/wire/people/user.ts';
import { fc } from '../../harness/fast-check.ts';
import { soak } from '../../harness/soak.ts';
import { MemoryStore } from '../../harness/stores/memory-store.ts';

const noSecrets = { passwordHash: undefined, pinHash: undefined };

/** An entry of each kind, which refers to `others`. */
function entryOf(kind: NewPeopleEntry['kind'], name: string, others: readonly number[]): NewPeopleEntry {
  switch (kind) {
    case 'user':
      return {
        kind,
        caller,
        fields: readUser({ name, numbers: [{ channel: 'voice', address: '+33123456789' }] }, noSecrets, 'UTC'),
      };
    case 'team':
      return { kind, caller, fields: readTeam({ name, members: others.map((userId) => ({ userId })) }) };
    case 'callGroup':
      return { kind, caller, fields: readCallGroup({ name, teamIds: [...others] }, 'UTC') };
    case 'grouping':
      return { kind, caller, fields: readGrouping({ name, callGroupIds: [...others] }) };
    case 'schedule':
      return { kind, caller, fields: readSchedule({ name, holidays: { dates: ['2026-12-25'] } }, 'UTC') };
    case 'scenario':
      return { kind, caller, fields: readScenario({ name }) };
  }
}

const kinds = ['user', 'user', 'team', 'callGroup', 'grouping', 'schedule', 'scenario'] as const;
const step = fc.record({
  verb: fc.constantFrom('create', 'create', 'replace', 'remove', 'duty', 'override', 'provider'),
  kind: fc.constantFrom(...kinds),
  id: fc.integer({ min: 1, max: 6 }),
  name: fc.nat(30).map((n) => `name ${n}`),
  /** Whether it refers to another entry, which need not exist. */
  refers: fc.boolean(),
  onDuty: fc.boolean(),
  isUndone: fc.nat(3).map((n) => n === 0),
});
type Step = Parameters<Parameters<typeof step.map>[0]>[0];

async function change(tx: Tx, now: number, { verb, kind, id, name, refers, onDuty }: Step): Promise<unknown> {
  const entry = entryOf(kind, name, refers ? [id] : []);
  if (verb === 'create') return createPeopleEntry.run(tx, now, entry);
  if (verb === 'replace') return replacePeopleEntry.run(tx, now, { ...entry, id });
  if (verb === 'remove') return removePeopleEntry.run(tx, now, { kind, caller, id });
  if (verb === 'duty') return setDuty.run(tx, now, { caller, id, onDuty, replacedById: undefined });
  const override = { teamId: undefined, userId: 1, from: '2026-11-15T22:00', to: '2026-11-15T23:00', reason: name };
  if (verb === 'override') return addOverride.run(tx, now, { caller, id, override: { ...override, lock: false } });
  const fields = readProvider({ name, channel: 'voice', kind: 'simulator' });
  return createProvider.run(tx, now, { caller, fields, secrets: {} });
}

/** The directory is read in the transaction, as the guard of the last resort does, and then it may be undone. */
const changeAndLook: Operation<Step, void> = {
  name: 'change-and-look',
  async run(tx, now, given) {
    await change(tx, now, given);
    await expectRows(tx);
    if (given.isUndone) throw new AppError('unprocessable', 'No.');
  },
};

async function expectRows(tx: ReadTx): Promise<void> {
  const { snapshot, scenarios, providers } = await readCallConfiguration(tx);
  const rows = { snapshot: await loadPeopleSnapshot(tx), scenarios: await loadScenarioIndex(tx) };
  assert.deepEqual({ snapshot, scenarios }, rows);
  assert.deepEqual(providers, await loadProviders(tx));
  const orderOf = ({ people, groups }: typeof snapshot) => [...people.keys(), '|', ...groups.keys()];
  assert.deepEqual(orderOf(snapshot), orderOf(rows.snapshot));
}

let epochs = 0;

async function emptySite(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.write(firstStart, 0, { epoch: `directory ${++epochs}`, adminPasswordHash: '' });
  return store;
}

test('the cached directory equals its rows after any changes, also after some that were undone', async () => {
  let refused = 0;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const store = await emptySite();
      for (const [now, one] of steps.entries()) {
        await store.write(changeAndLook, now, one).then(
          () => done++,
          (error) => {
            if (!(error instanceof AppError)) throw error;
            refused++;
          },
        );
        await store.read({ name: 'look', run: expectRows }, {});
      }
      store.close();
    }),
    { numRuns: soak(300) },
  );
  assert.ok(done > refused / 4, `${done} changes were made, ${refused} refused`);
});

/** Counts the rows that statements return. */
function counted(tx: Tx): { readonly tx: Tx; readonly rows: () => number } {
  let rows = 0;
  const all: Tx['all'] = async (...args) => {
    const found = await tx.all(...args);
    rows += found.length;
    return found;
  };
  const counting = new Proxy(tx, {
    get: (target, name) => {
      if (name === 'all') return all;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { tx: counting, rows: () => rows };
}

const first: Step = {
  ...{ verb: 'duty', kind: 'user', id: 2, name: 'renamed', refers: true, onDuty: false, isUndone: false },
};
const changes: Readonly<Record<string, Step>> = {
  'a change of duty': first,
  'an override': { ...first, verb: 'override', id: 1 },
  'a change of a person': { ...first, verb: 'replace' },
  'a change of a team': { ...first, verb: 'replace', kind: 'team' },
  'a change of a call group': { ...first, verb: 'replace', kind: 'callGroup' },
};

for (const [name, given] of Object.entries(changes))
  test(`${name} reads as many rows with 400 people, teams and groups as with 20`, async () => {
    const rowsWith = async (people: number): Promise<number> => {
      const store = await emptySite();
      await store.write(createPeopleEntry, 0, entryOf('schedule', 'Round the clock', []));
      for (let n = 1; n <= people; n++) {
        await store.write(createPeopleEntry, n, entryOf('user', `person ${n}`, []));
        await store.write(createPeopleEntry, n, entryOf('team', `team ${n}`, [n]));
        await store.write(createPeopleEntry, n, entryOf('callGroup', `group ${n}`, [n]));
      }
      const look: Operation<Step, number> = {
        name: 'counted-change',
        async run(tx, now, one) {
          const { tx: counting, rows } = counted(tx);
          await change(counting, now, one);
          await readCallConfiguration(counting);
          return rows();
        },
      };
      await store.write(look, people + 1, given);
      const again = { ...given, name: 'renamed again', onDuty: !given.onDuty };
      const rows = await store.write(look, people + 2, again);
      store.close();
      return rows;
    };
    const few = await rowsWith(20);
    assert.ok(few > 0);
    assert.equal(await rowsWith(400), few);
  });
