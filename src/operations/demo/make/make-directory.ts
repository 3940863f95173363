// Makes the stations, people, teams, programme and groups of the demo plant, each as if an administrator had made it.

import {
  type DemoSchedule,
  demoCallGroups,
  demoGroups,
  demoPeople,
  demoSchedules,
  demoTeams,
} from '../../../domain/demo/people.ts';
import { demoStations, demoTagGroups, demoTags } from '../../../domain/demo/plant.ts';
import { isCalled } from '../../../domain/demo/tag.ts';
import { defaultNumber, type PeopleFields, type PeopleKind } from '../../../domain/people/entities.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { attachAlarmScenarios } from '../../alarms/attach-scenarios.ts';
import { swapDuty } from '../../on-call/overrides.ts';
import { createPeopleEntry, type NewPeopleEntry } from '../../people/change-resource.ts';
import { createPlantEntry } from '../../plant/change-resource.ts';
import { addEntries, callerNamed, DemoEntries, type DemoRow } from '../plant-rows.ts';

export async function makeStations(tx: Tx, now: Instant, { madeBy }: DemoRow): Promise<'done'> {
  const caller = callerNamed(madeBy);
  const stations = new Map<string, number>();
  for (const name of demoStations)
    stations.set(name, await createPlantEntry.run(tx, now, { kind: 'station', caller, name, stationId: 0 }));
  await addEntries(tx, 'station', [...stations]);
  const groups: [string, number][] = [];
  for (const { name, station } of demoTagGroups) {
    const stationId = stations.get(station) ?? 0;
    groups.push([name, await createPlantEntry.run(tx, now, { kind: 'tagGroup', caller, name, stationId })]);
  }
  await addEntries(tx, 'tagGroup', groups);
  return 'done';
}

export async function makePeople(tx: Tx, now: Instant, { madeBy, timeZone }: DemoRow): Promise<'done'> {
  const users = demoPeople.map(({ name, firstName, verified }) => userFields(name, firstName, verified, timeZone));
  await makeAll(tx, now, madeBy, 'user', users);
  const entries = await DemoEntries.load(tx);
  const teams = demoTeams.map(({ name, colour, members }) => ({
    name,
    colour,
    members: members.map(({ person, relief }) => ({ userId: entries.id('user', person), relief })),
  }));
  await makeAll(tx, now, madeBy, 'team', teams);
  return 'done';
}

export async function makeProgramme(tx: Tx, now: Instant, demo: DemoRow): Promise<'done'> {
  const { madeBy, madeAt, timeZone } = demo;
  const entries = await DemoEntries.load(tx);
  const planned = demoSchedules(madeAt, timeZone);
  const schedules = planned.map((schedule) => scheduleFields(schedule, timeZone, entries));
  await makeAll(tx, now, madeBy, 'schedule', schedules);
  for (const { name, swap } of planned) if (swap !== undefined) await makeSwap(tx, now, madeBy, name, swap);
  // One after another: a group refers to its relief group.
  for (const { name } of demoCallGroups) await makeGroup(tx, now, demo, name);
  const groups = await DemoEntries.load(tx);
  const scenarios = demoGroups.map((name) => ({
    name: `Call ${name}`,
    stationId: undefined,
    alarmActions: [
      { type: 'CallGroup', id: groups.id('callGroup', name), scriptId: 0, parameter: '', flags: 0 } as const,
    ],
    resetActions: [],
    ackActions: [],
  }));
  await makeAll(tx, now, madeBy, 'scenario', scenarios);
  return 'done';
}

async function makeSwap(
  tx: Tx,
  now: Instant,
  actor: string,
  schedule: string,
  { team, from, to, reason }: NonNullable<DemoSchedule['swap']>,
): Promise<void> {
  const entries = await DemoEntries.load(tx);
  const swap = { teamId: entries.id('team', team), userId: undefined, from, to, inReturn: undefined, reason };
  await swapDuty.run(tx, now, { caller: callerNamed(actor), id: entries.id('schedule', schedule), swap });
}

async function makeGroup(tx: Tx, now: Instant, { madeBy, timeZone }: DemoRow, name: string): Promise<void> {
  const entries = await DemoEntries.load(tx);
  const planned = demoCallGroups.filter((group) => group.name === name);
  const groups = planned.map(({ station, reliefGroup, discardWhenNobodyOnCall, teams }) => ({
    name,
    names: {},
    stationId: entries.id('station', station),
    timeZone,
    callMode: 'all' as const,
    reliefMode: 'nobodyReached' as const,
    reliefGroupId: reliefGroup === undefined ? undefined : entries.id('callGroup', reliefGroup),
    timeToTakeSeconds: undefined,
    discardWhenNobodyOnCall,
    teamIds: teams.map((team) => entries.id('team', team)),
    scheduleId: entries.id('schedule', name),
  }));
  await makeAll(tx, now, madeBy, 'callGroup', groups);
}

/** Attaches the scenarios last: for the alarms that stand already nobody is called. */
export async function attachScenarios(tx: Tx, now: Instant, { madeBy }: DemoRow): Promise<'done'> {
  const entries = await DemoEntries.load(tx);
  const caller = callerNamed(madeBy);
  for (const tag of demoTags.filter(isCalled)) {
    const scenarioIds = [entries.id('scenario', `Call ${tag.group}`)];
    const id = entries.id('alarm', tag.path);
    await attachAlarmScenarios.run(tx, now, { caller, id, scenarioIds, ifMatch: undefined });
  }
  return 'done';
}

async function makeAll<K extends Exclude<PeopleKind, 'grouping'>>(
  tx: Tx,
  now: Instant,
  actor: string,
  kind: K,
  entries: readonly PeopleFields[K][],
): Promise<void> {
  const made: [string, number][] = [];
  for (const fields of entries) {
    const entry = { kind, caller: callerNamed(actor), fields } as NewPeopleEntry;
    made.push([fields.name, await createPeopleEntry.run(tx, now, entry)]);
  }
  await addEntries(tx, kind, made);
}

/** A person whose only number is a simulated phone: whatever providers there are, nothing leaves the machine. */
function userFields(name: string, firstName: string, verified: boolean, timeZone: string): PeopleFields['user'] {
  return {
    name,
    firstName,
    lastName: '',
    displayName: firstName,
    language: 'en',
    timeZone,
    role: 'operator',
    statusId: 1,
    onDuty: true,
    replacedById: undefined,
    virtual: false,
    stationIds: [],
    identities: [],
    passwordHash: undefined,
    pinHash: undefined,
    numbers: [
      {
        ...defaultNumber,
        id: 0,
        channel: 'simulator',
        address: `${firstName}’s phone`,
        verified,
        countTry: 3,
        timeToRetrySeconds: 30,
      },
    ],
  };
}

function scheduleFields(
  { name, weekly, rotation, overrides }: DemoSchedule,
  timeZone: string,
  entries: DemoEntries,
): PeopleFields['schedule'] {
  const teamId = (team: string): number => entries.id('team', team);
  return {
    name,
    timeZone,
    holidays: { dates: [], icalUrl: undefined, icalDates: [] },
    weekly: weekly.map(({ team, days, from, to }) => ({ teamId: teamId(team), days, from, to })),
    rotations:
      rotation === undefined
        ? []
        : [
            {
              teamIds: rotation.teams.map(teamId),
              every: rotation.every,
              handOver: '00:00',
              start: rotation.start,
              hours: undefined,
            },
          ],
    overrides: overrides.map(({ team, person, from, to, reason, lock }) => ({
      id: 0,
      teamId: team === undefined ? undefined : teamId(team),
      userId: person === undefined ? undefined : entries.id('user', person),
      from,
      to,
      reason,
      lock,
    })),
  };
}
