// Stores a random organisation by the operations that an administrator has, and changes its directory by them.

import { systemCaller } from '../../../src/domain/access/access.ts';
import type { CallPolicy } from '../../../src/domain/calls/call.ts';
import type { Provider } from '../../../src/domain/channels/provider.ts';
import type { StoredSchedule } from '../../../src/domain/on-call/schedule.ts';
import type { CallGroup, PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import type { PeopleFields, PeopleKind } from '../../../src/domain/people/entities.ts';
import type { Person, Team } from '../../../src/domain/people/person.ts';
import {
  replaceCallPolicy,
  seedCallPolicy,
  setCallingMeans,
} from '../../../src/operations/calls/control/call-policy.ts';
import { readCallConfiguration } from '../../../src/operations/configuration/call-configuration.ts';
import {
  createPeopleEntry,
  type NewPeopleEntry,
  removePeopleEntry,
  replacePeopleEntry,
} from '../../../src/operations/people/change-resource.ts';
import { incrementPeopleVersion } from '../../../src/operations/people/version.ts';
import { noteCheck } from '../../../src/operations/providers/health.ts';
import { insertProvider } from '../../../src/operations/providers/provider-rows.ts';
import { firstStart } from '../../../src/operations/system/first-start.ts';
import type { Instant, Operation, Query, Tx } from '../../../src/store/store.ts';
import type { Organisation } from '../escalation/organisation.ts';
import type { MemoryStore } from '../stores/memory-store.ts';

const callers = { caller: systemCaller };

/** Returns the organisation as it is stored, with the ids that it has there. */
export async function settle(
  store: MemoryStore,
  organisation: Organisation,
  seed: number,
  now: Instant,
): Promise<Organisation> {
  const { snapshot, policy, providers, failing } = organisation;
  await store.write(firstStart, now, { epoch: `seed ${seed}`, adminPasswordHash: '', hasSimulator: false });
  await store.write(setCallingMeans, now, { hasSimulator: false, timeZone: 'UTC' });
  await store.write(settleDirectory, now, snapshot);
  await store.write(storeProviders, now, providers);
  await store.write(seedCallPolicy, now, policy);
  // Otherwise the first delivery that succeeds would be a recovery, of which the rows of health do not tell afterwards.
  for (const { id } of providers) await store.write(noteCheck, now, { providerId: id, isUp: true, reason: '' });
  const stored = await store.read(readSnapshot, {});
  const numberIds = new Map(
    [...snapshot.people.values()].flatMap(({ id, numbers }) =>
      numbers.map((number, place) => [number.id, stored.people.get(id)?.numbers[place]?.id ?? 0] as const),
    ),
  );
  return { ...organisation, snapshot: stored, failing: new Set([...failing].map((id) => numberIds.get(id) ?? 0)) };
}

/** The directory as it is stored. */
export const readSnapshot: Query<Record<string, never>, PeopleSnapshot> = {
  name: 'test-read-snapshot',
  run: async (tx) => (await readCallConfiguration(tx)).snapshot,
};

/** People and groups keep their ids; what refers to entries that come later is set at the end. */
const settleDirectory: Operation<PeopleSnapshot, void> = {
  name: 'test-settle-directory',
  async run(tx, now, { people, teams, groups, schedules }) {
    const create = (entry: Pick<NewPeopleEntry, 'kind' | 'fields'>): Promise<number> =>
      createPeopleEntry.run(tx, now, { ...entry, ...callers } as NewPeopleEntry);
    for (const person of people.values())
      if (person.id > 1) await create({ kind: 'user', fields: fieldsOf.user(withoutHours(person)) });
    await replace(tx, now, 'user', 1, fieldsOf.user(withoutHours(people.get(1) as Person)));
    for (const team of teams.values()) await create({ kind: 'team', fields: team });
    const ids = new Map<number, number>();
    for (const schedule of schedules.values())
      ids.set(schedule.id, await create({ kind: 'schedule', fields: schedule }));
    const scheduleOf = (id: number | undefined): number | undefined => (id === undefined ? undefined : ids.get(id));
    for (const person of people.values()) {
      const numbers = storedNumbers(await storedPerson(tx, person.id), person, scheduleOf);
      await replace(tx, now, 'user', person.id, fieldsOf.user({ ...person, numbers }));
    }
    const scheduled = [...groups.values()].map((group) => ({ ...group, scheduleId: scheduleOf(group.scheduleId) }));
    for (const group of scheduled) await create({ kind: 'callGroup', fields: { ...group, reliefGroupId: undefined } });
    for (const group of scheduled) await replace(tx, now, 'callGroup', group.id, group);
  },
};

function withoutHours(person: Person): Person {
  return { ...person, numbers: person.numbers.map((number) => ({ ...number, id: 0, scheduleId: undefined })) };
}

async function storedPerson(tx: Tx, id: number): Promise<Person> {
  return (await readCallConfiguration(tx)).snapshot.people.get(id) as Person;
}

function storedNumbers(
  stored: Person,
  { numbers }: Person,
  scheduleOf: (id: number | undefined) => number | undefined,
): Person['numbers'] {
  return numbers.map((number, place) => ({
    ...number,
    id: stored.numbers[place]?.id ?? 0,
    scheduleId: scheduleOf(number.scheduleId),
  }));
}

const fieldsOf = {
  user: (person: Person): PeopleFields['user'] => ({
    ...person,
    role: person.isAdministrator ? 'administrator' : 'operator',
    statusId: 1,
    virtual: false,
    identities: [],
    passwordHash: undefined,
    pinHash: undefined,
  }),
  team: (team: Team): PeopleFields['team'] => team,
  callGroup: (group: CallGroup): PeopleFields['callGroup'] => group,
  schedule: (schedule: StoredSchedule): PeopleFields['schedule'] => schedule,
};

async function replace<K extends keyof typeof fieldsOf>(
  tx: Tx,
  now: Instant,
  kind: K,
  id: number,
  fields: PeopleFields[K],
): Promise<void> {
  await replacePeopleEntry.run(tx, now, { kind, id, fields, ...callers } as Parameters<
    typeof replacePeopleEntry.run
  >[2]);
}

/** The rows of providers, without the settings by which their kinds would connect. */
const storeProviders: Operation<readonly Provider[], void> = {
  name: 'test-store-providers',
  async run(tx, now, providers) {
    for (const { name, channel, kind, order, lines, perSecond, perDay, cost, countries, node } of providers) {
      const id = await tx.insert(insertProvider, {
        ...{ name, words: name, channel, kind, place: order, isEnabled: 1, lines: lines ?? null },
        ...{ perSecond: perSecond ?? null, perDay: perDay ?? null, costMicros: cost * 1e6, node: node ?? null },
        ...{ countries: JSON.stringify(countries), settings: '{}', secrets: '{}', now },
      });
      await incrementPeopleVersion(tx, 'provider', id);
    }
  },
};

type Change = { readonly before: PeopleSnapshot; readonly after: PeopleSnapshot };

/** Stores what differs between two snapshots, in one write. */
export const changeDirectory: Operation<Change, void> = {
  name: 'test-change-directory',
  async run(tx, now, { before, after }) {
    const changed = <T>(of: (snapshot: PeopleSnapshot) => ReadonlyMap<number, T>): readonly (readonly [number, T])[] =>
      [...of(after)].filter(([id, entry]) => of(before).get(id) !== entry);
    for (const [id, team] of changed(({ teams }) => teams)) await replace(tx, now, 'team', id, team);
    for (const [id, person] of changed(({ people }) => people))
      await replace(tx, now, 'user', id, fieldsOf.user(person));
    for (const [id, group] of changed(({ groups }) => groups)) await replace(tx, now, 'callGroup', id, group);
    for (const [id, schedule] of changed(({ schedules }) => schedules))
      await replace(tx, now, 'schedule', id, schedule);
    for (const id of before.people.keys())
      if (!after.people.has(id))
        await removePeopleEntry.run(tx, now, { kind: 'user' satisfies PeopleKind, id, ...callers });
  },
};

export const changePolicy: Operation<CallPolicy, void> = {
  name: 'test-change-policy',
  async run(tx, now, settings) {
    await replaceCallPolicy.run(tx, now, { settings, ifMatch: undefined, ...callers });
  },
};
