// People in groups with relief who never answer, and alarms for them that join one another, go up and are taken by an operator,
// while servers are killed. What then happened is judged by the checkers of the calling engine, from the interface alone.

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallTarget } from '../../../src/domain/calls/call.ts';
import type { CallGroup, PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import type { ContactNumber, Person } from '../../../src/domain/people/person.ts';
import type { Admin } from './admin.ts';

/** An alarm that was asked for, and what it calls. */
export type AskedAlarm = {
  readonly id: number;
  readonly priority: number;
  readonly target: CallTarget;
  readonly raisedAt: number;
  readonly dueAt: number;
  /** When it was taken, at the earliest and at the latest. */
  taken: { readonly from: number; readonly to: number } | undefined;
};

export type Crew = { readonly snapshot: PeopleSnapshot };

/** The only number of each of them: texts are at once with the person, and wait for an answer. */
const pager = { channel: 'pager', countTry: 1, timeToRetry: 30, countAck: 1, timeToAck: 20 } as const;
const alarmsEach = 3;
/** Timelines show when a level was stored, on a busy machine so much later than it was entered. */
const storedLaterSeconds = 5;

/** Two people and one for relief in each group; every other group has 45 s to take an alarm. */
export async function makeCrew(admin: Admin, groups: number): Promise<Crew> {
  const made: CrewGroup[] = [];
  for (let n = 0; n < groups; n++) {
    const userIds: number[] = [];
    for (const name of ['first', 'second', 'relief']) {
      const numbers = [{ ...pager, address: `crew ${n} ${name}` }];
      userIds.push(await admin.ask('POST', '/users', { name: `crew ${n} ${name}`, role: 'operator', numbers }));
    }
    const members = userIds.map((userId, place) => ({ userId, relief: place === 2 }));
    const teamId = await admin.ask<number>('POST', '/teams', { name: `Crew ${n}`, members });
    const timeToTake = n % 2 === 0 ? 45 : null;
    const group = { name: `Crew ${n}`, teamIds: [teamId], callMode: 'all', reliefMode: 'nobodyReached', timeToTake };
    made.push({ id: await admin.ask('POST', '/callgroups', group), teamId, timeToTake, userIds });
  }
  return crewOf(made);
}

type CrewGroup = {
  readonly id: number;
  readonly teamId: number;
  readonly timeToTake: number | null;
  /** The last one is the relief. */
  readonly userIds: readonly number[];
};

export function crewOf(groups: readonly CrewGroup[]): Crew {
  const teams = groups.map(({ teamId, userIds }) => {
    const members = userIds.map((userId, place) => ({ userId, relief: place === userIds.length - 1 }));
    return [teamId, { id: teamId, name: `team ${teamId}`, colour: '', members }] as const;
  });
  const snapshot = {
    people: new Map(groups.flatMap(({ userIds }) => userIds).map((id) => [id, personOf(id)])),
    teams: new Map(teams),
    groups: new Map(groups.map((group) => [group.id, groupOf(group)])),
    schedules: new Map(),
  };
  return { snapshot };
}

function personOf(id: number): Person {
  const number: ContactNumber = {
    ...{ id, channel: pager.channel, address: '', valid: true, verified: true, final: true, acksWhenReached: false },
    ...{ countTry: pager.countTry, timeToRetrySeconds: pager.timeToRetry, countAck: pager.countAck },
    ...{ timeToAckSeconds: pager.timeToAck, scheduleId: undefined, priorities: undefined },
  };
  return {
    ...{ id, name: '', firstName: '', lastName: '', displayName: '', language: 'en', timeZone: 'UTC', onDuty: true },
    ...{ replacedById: undefined, isAdministrator: false, stationIds: [], numbers: [number] },
  };
}

function groupOf({ id, teamId, timeToTake }: CrewGroup): CallGroup {
  return {
    ...{ id, name: `group ${id}`, names: {}, stationId: 0, timeZone: 'UTC', callMode: 'all', teamIds: [teamId] },
    ...{ reliefMode: 'nobodyReached', reliefGroupId: undefined, scheduleId: undefined, discardWhenNobodyOnCall: false },
    timeToTakeSeconds: timeToTake === null ? undefined : timeToTake - storedLaterSeconds,
  };
}

/** Raises alarms for each group that fall due within the seconds. */
export async function raiseForCrew(admin: Admin, { snapshot }: Crew, seconds: number): Promise<readonly AskedAlarm[]> {
  const alarms: AskedAlarm[] = [];
  for (const groupId of snapshot.groups.keys())
    for (let n = 0; n < alarmsEach; n++) {
      const delay = randomInt(0, Math.max(1, seconds));
      const priority = randomInt(1, 3);
      const alarmActions = [{ type: 'CallGroup', id: groupId, parameter: String(delay) }];
      const path = `Crew of ${groupId}, ${n}`;
      const raisedAt = Date.now();
      const id = await admin.ask<number>('POST', '/alarms', { path, alarmMessage: path, priority, alarmActions });
      const target = { kind: 'group', id: groupId } as const;
      alarms.push({ id, priority, target, raisedAt, dueAt: raisedAt + delay * 1_000, taken: undefined });
    }
  return alarms;
}

/** Takes one alarm of three at some time within the seconds, whatever becomes of the servers. */
export async function takeSome(admin: Admin, alarms: readonly AskedAlarm[], seconds: number): Promise<void> {
  await Promise.all(
    alarms.map(async (alarm, place) => {
      if (place % alarmsEach > 0) return;
      await pause(randomInt(0, Math.max(1, seconds)) * 1_000);
      const from = Date.now();
      // Again where the answer was lost.
      await admin.ask('POST', `/alarms/${alarm.id}/acknowledge`, {}, [200, 409]);
      alarm.taken = { from, to: Date.now() };
    }),
  );
}
