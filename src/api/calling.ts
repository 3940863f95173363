// Users, teams, call groups, groupings, schedules and scenarios: what decides who is called.

import { type Static, type TObject, Type } from 'typebox';
import { hashPassword, refuseWeakPassword } from '../access/password.ts';
import type { Principals } from '../access/principals.ts';
import { callerOf, type Scope } from '../domain/access.ts';
import {
  type CallingFields,
  type CallingKind,
  type CallingObjects,
  callingKinds,
  type Kept,
} from '../domain/calling.ts';
import { AppError } from '../errors.ts';
import { createCalling, type NewCalling, removeCalling, replaceCalling } from '../operations/calling.ts';
import { getCalling, listCalling, listTeamsOf } from '../store/calling.ts';
import type { Store } from '../store/store.ts';
import {
  callGroupBody,
  callGroupSchema,
  groupingBody,
  groupingSchema,
  printCallGroup,
  printGrouping,
  readCallGroup,
  readGrouping,
} from '../wire/call-group.ts';
import { pagingCollection, printPage, uint } from '../wire/paging.ts';
import { printScenario, readScenario, scenarioBody, scenarioSchema } from '../wire/scenario.ts';
import { printSchedule, readSchedule, scheduleBody, scheduleSchema } from '../wire/schedule.ts';
import { printTeam, readTeam, teamBody, teamSchema } from '../wire/team.ts';
import { printUser, readUser, type Secrets, type UserBody, userBody, userSchema } from '../wire/user.ts';
import { type ChangeCall, resourceRoutes } from './resource.ts';
import { defineRoute, type Route } from './route.ts';
import { warnOf } from './schedules.ts';

export type CallingParts = {
  readonly store: Store;
  readonly principals: Principals;
  /** Of those who name none. */
  readonly timeZone: string;
};

type Kind<K extends CallingKind, S extends TObject, B extends TObject> = {
  readonly kind: K;
  readonly path: string;
  readonly tag: string;
  readonly writeScope?: Scope;
  readonly schema: S;
  readonly body: B;
  readonly read: (body: Static<B>, call: ChangeCall) => CallingFields[K] | Promise<CallingFields[K]>;
  readonly print: (object: Kept<CallingObjects[K]>) => Static<S>;
  /** After a change, before it is answered. */
  readonly onChange?: () => void;
};

export function callingRoutes(parts: CallingParts): Route[] {
  const { store, principals, timeZone } = parts;
  return [
    ...routesOf(store, {
      kind: 'user',
      path: 'users',
      tag: 'Users',
      writeScope: 'admin',
      schema: userSchema,
      body: userBody,
      read: async (body) => readUser(body, await secretsOf(body), timeZone),
      print: printUser,
      // What this node remembers of tokens would outlive the change by some seconds.
      onChange: () => principals.onEvent({ kind: 'user.changed' }),
    }),
    ...routesOf(store, {
      kind: 'team',
      path: 'teams',
      tag: 'Teams',
      schema: teamSchema,
      body: teamBody,
      read: readTeam,
      print: printTeam,
    }),
    ...routesOf(store, {
      kind: 'callGroup',
      path: 'callgroups',
      tag: 'Call groups',
      schema: callGroupSchema,
      body: callGroupBody,
      read: (body) => readCallGroup(body, timeZone),
      print: printCallGroup,
    }),
    teamsOfGroupRoute(store),
    ...routesOf(store, {
      kind: 'grouping',
      path: 'callgroupgroupings',
      tag: 'Groupings',
      schema: groupingSchema,
      body: groupingBody,
      read: readGrouping,
      print: printGrouping,
    }),
    ...routesOf(store, {
      kind: 'schedule',
      path: 'schedules',
      tag: 'Schedules',
      schema: scheduleSchema,
      body: scheduleBody,
      read: (body, call) => {
        const schedule = readSchedule(body, timeZone);
        warnOf({ id: 0, ...schedule }, call);
        return schedule;
      },
      print: printSchedule,
    }),
    ...routesOf(store, {
      kind: 'scenario',
      path: 'scenarios',
      tag: 'Scenarios',
      schema: scenarioSchema,
      body: scenarioBody,
      read: readScenario,
      print: printScenario,
    }),
  ];
}

/** Hashed here, before the store: it takes long, and the writer must not wait for it. */
async function secretsOf({ password, pin }: UserBody): Promise<Secrets> {
  if (password !== undefined) await refuseWeakPassword(password);
  return {
    passwordHash: password === undefined ? undefined : await hashPassword(password),
    pinHash: typeof pin === 'string' ? await hashPassword(pin) : pin,
  };
}

function routesOf<K extends CallingKind, S extends TObject, B extends TObject>(
  store: Store,
  { kind, path, tag, writeScope = 'directory:write', schema, body, read, print, onChange }: Kind<K, S, B>,
): Route[] {
  const { noun, place } = callingKinds[kind];
  const printed = (object: unknown): Static<S> => print(object as Kept<CallingObjects[K]>);
  const command = async (given: Static<B>, call: ChangeCall): Promise<NewCalling> =>
    ({ kind, caller: callerOf(call.principal), fields: await read(given, call) }) as NewCalling<K> as NewCalling;
  return resourceRoutes({
    noun,
    path,
    tag,
    readScope: 'directory:read',
    writeScope,
    byStation: place !== 'shared',
    schema,
    body,
    list: async (listing) => {
      const { items, total } = await store.read(listCalling, { kind, ...listing });
      return { items: items.map(printed), total };
    },
    find: async (id, caller) => {
      const object = await store.read(getCalling, { kind, id, caller });
      return object && printed(object);
    },
    create: async (given, call) => store.write(createCalling, await command(given, call)),
    replace: async (id, given, call) => {
      const object = await store.write(replaceCalling, { ...(await command(given, call)), id });
      onChange?.();
      return printed(object);
    },
    remove: async (id, { principal }) => {
      await store.write(removeCalling, { kind, id, caller: callerOf(principal) });
      onChange?.();
    },
  });
}

function teamsOfGroupRoute(store: Store): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/callgroups/:id/teams',
    scope: 'directory:read',
    tag: 'Call groups',
    summary: 'List the teams of a call group',
    description: 'In the order of the group.',
    params: Type.Object({ id: uint() }),
    answers: { 200: pagingCollection(teamSchema, { withOffset: true }) },
    refusals: ['not-found'],
    handle: async ({ params: { id }, principal }) => {
      const teams = await store.read(listTeamsOf, { callGroupId: id, caller: callerOf(principal) });
      if (teams === undefined) throw new AppError('not-found', `There is no call group ${id}.`);
      const total = teams.length;
      return printPage(teams.map(printTeam), { offset: 0, limit: total, total });
    },
  });
}
