// Routes of the resources that decide who is called: users, teams, call groups, groupings, schedules and scenarios.

import { type Static, type TObject, Type } from 'typebox';
import { hashPassword, type PasswordCost, refuseWeakPassword } from '../access/password.ts';
import type { Principals } from '../access/principals.ts';
import { type Caller, callerAt, callerOf, type Scope } from '../domain/access/access.ts';
import type { CallGroup } from '../domain/people/call-group.ts';
import {
  type PeopleEntries,
  type PeopleFields,
  type PeopleKind,
  peopleKinds,
  type Stored,
} from '../domain/people/entities.ts';
import { AppError } from '../errors.ts';
import { type ChangeCall, type ConditionalCall, resourceRoutes } from '../http/resource-routes.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { getGroupPass } from '../operations/calls/views/group-pass.ts';
import { entityTagOf } from '../operations/entity-tag.ts';
import {
  createPeopleEntryOnce,
  type NewPeopleEntry,
  removePeopleEntry,
  replacePeopleEntry,
} from '../operations/people/change-resource.ts';
import { getPeopleEntry, listPeopleEntries, listTeamsOf } from '../operations/people/queries.ts';
import { removeUser } from '../operations/people/users/remove-user.ts';
import type { Store } from '../store/store.ts';
import { printSchedule, readSchedule, scheduleBody, scheduleSchema } from '../wire/on-call/schedule.ts';
import { choice, idParams, pagingCollection, printPage } from '../wire/paging.ts';
import {
  callGroupBody,
  callGroupSchema,
  groupingBody,
  groupingSchema,
  printCallGroup,
  printGrouping,
  readCallGroup,
  readGrouping,
} from '../wire/people/call-group.ts';
import { printScenario, readScenario, scenarioBody, scenarioSchema } from '../wire/people/scenario.ts';
import { printTeam, readTeam, teamBody, teamSchema } from '../wire/people/team.ts';
import { printUser, readUser, type Secrets, type UserBody, userBody, userSchema } from '../wire/people/user.ts';
import { warningsHeader } from './alarms.ts';
import { idempotencyHeaders, makeOnce } from './make-once.ts';
import { warnOf } from './schedules.ts';

type PeopleRouteParts = {
  readonly store: Store;
  readonly principals: Principals;
  /** Default time zone of users, groups and schedules that name none. */
  readonly timeZone: string;
  /** Hashing cost of passwords and PINs; undefined means the server's default. */
  readonly passwordCost: PasswordCost | undefined;
};

/** As in the operation ids of their routes. */
const operationNames: Readonly<Record<PeopleKind, string>> = {
  user: 'User',
  team: 'Team',
  callGroup: 'CallGroup',
  grouping: 'CallGroupGrouping',
  schedule: 'Schedule',
  scenario: 'Scenario',
};

type Kind<K extends PeopleKind, S extends TObject, B extends TObject> = {
  readonly kind: K;
  readonly path: string;
  readonly tag: string;
  readonly writeScope?: Scope;
  readonly schema: S;
  readonly body: B;
  readonly read: (body: Static<B>, call: ChangeCall) => PeopleFields[K] | Promise<PeopleFields[K]>;
  /** As `read`, for a body that replaces a stored object, if that is another. */
  readonly readChange?: (body: Static<B>, call: ConditionalCall) => PeopleFields[K];
  readonly print: (object: Stored<PeopleEntries[K]>) => Static<S>;
  /** Called after a change, before the response is sent. */
  readonly onChange?: () => void;
  readonly onReplaced?: (object: Stored<PeopleEntries[K]>, body: Static<B>, call: ConditionalCall) => Promise<void>;
  /** What a removal may be asked, and how one that takes it is carried out. */
  readonly removal?: { readonly query: TObject; readonly description: string };
  readonly remove?: (
    input: { readonly id: number; readonly caller: Caller; readonly ifMatch: readonly string[] | undefined },
    query: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
};

const removalOfUser = {
  query: Type.Object({
    keys: Type.Optional(
      choice(
        [
          ['revoke', 'they end with the user'],
          ['keep', 'they go on working, and the caller counts as the one who made them'],
        ],
        { description: 'What becomes of the API keys that the user has made.' },
      ),
    ),
  }),
  description: 'API keys that the user has made count as referrers, unless `keys` says what becomes of them.',
};

export function peopleRoutes(parts: PeopleRouteParts): Route[] {
  const { store, principals, timeZone, passwordCost } = parts;
  return [
    ...routesOf(store, {
      kind: 'user',
      path: 'users',
      tag: 'Users',
      writeScope: 'admin',
      schema: userSchema,
      body: userBody,
      read: async (body) => readUser(body, await secretsOf(body, passwordCost), timeZone),
      print: printUser,
      // Without this, the token cache of this node would be stale for some seconds after the change.
      onChange: () => principals.onEvent({ kind: 'user.changed' }),
      removal: removalOfUser,
      remove: async (input, query) => {
        const { keys } = query as Static<typeof removalOfUser.query>;
        await store.write(removeUser, { ...input, keys });
        principals.onEvent({ kind: 'key.revoked' });
      },
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
      read: async (body, call) => {
        const group = readCallGroup(body, timeZone);
        await warnOfTime(store, group, call);
        return group;
      },
      readChange: (body) => readCallGroup(body, timeZone),
      onReplaced: (group, _body, call) => warnOfTime(store, group, call),
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
    ...scheduleRoutesOf(parts),
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

function scheduleRoutesOf({ store, timeZone }: PeopleRouteParts): Route[] {
  return routesOf(store, {
    kind: 'schedule',
    path: 'schedules',
    tag: 'Schedules',
    schema: scheduleSchema,
    body: scheduleBody,
    read: async (body, call) => {
      const schedule = readSchedule(body, timeZone);
      await warnOf(store, { id: 0, ...schedule, overrides: schedule.overrides ?? [] }, call);
      return schedule;
    },
    // An old copy must not undo what was taken or swapped since, so its overrides count only with the version it was read in.
    readChange: ({ overrides, ...body }, { ifMatch }) =>
      readSchedule(ifMatch === undefined || overrides === undefined ? body : { ...body, overrides }, timeZone),
    onReplaced: (schedule, { overrides }, call) => {
      const isLeftOut = overrides !== undefined && call.ifMatch === undefined;
      return warnOf(
        store,
        schedule,
        call,
        isLeftOut ? ['overrides stay as they are: send If-Match to change them'] : [],
      );
    },
    print: printSchedule,
  });
}

/** A number may be tried a hundred times, a day apart. */
const longestPassSeconds = 86_400;

/** Warns if the next level would be called before everybody of the group was tried, or days later. */
async function warnOfTime(
  store: Store,
  group: Pick<CallGroup, 'callMode' | 'teamIds' | 'scheduleId' | 'timeToTakeSeconds'>,
  { setHeader }: Pick<ChangeCall, 'setHeader'>,
): Promise<void> {
  const { callMode, teamIds, scheduleId, timeToTakeSeconds = 0 } = group;
  const pass = await store.read(getGroupPass, { group: { callMode, teamIds, scheduleId } });
  if (timeToTakeSeconds === 0 && pass > longestPassSeconds)
    setHeader(
      warningsHeader,
      `one pass of the group takes up to ${Math.round(pass / longestPassSeconds)} days, by the tries and pauses of its numbers: without a timeToTake the next level may be called only then`,
    );
  if (timeToTakeSeconds > 0 && timeToTakeSeconds < pass)
    setHeader(
      warningsHeader,
      `timeToTake is shorter than one pass of the group, which takes up to ${pass} s: the next level is called before everybody was tried`,
    );
}

/** Hashed before the operation, because hashing is slow and the writer must not wait for it. */
async function secretsOf({ name, password, pin }: UserBody, cost: PasswordCost | undefined): Promise<Secrets> {
  if (password !== undefined) await refuseWeakPassword(password, name);
  return {
    passwordHash: password === undefined ? undefined : await hashPassword(password, cost),
    pinHash: typeof pin === 'string' ? await hashPassword(pin, cost) : pin,
  };
}

function routesOf<K extends PeopleKind, S extends TObject, B extends TObject>(
  store: Store,
  { kind, path, tag, writeScope = 'directory:write', schema, body, print, ...own }: Kind<K, S, B>,
): Route[] {
  const { noun, stationBinding } = peopleKinds[kind];
  const printed = (object: unknown): Static<S> => print(object as Stored<PeopleEntries[K]>);
  const tagged = (object: object) => ({ json: printed(object), tag: entityTagOf(object) });
  const inputOf = ({ principal, request }: ChangeCall, fields: PeopleFields[K]): NewPeopleEntry =>
    ({ kind, caller: callerAt(principal, request), fields }) as NewPeopleEntry<K> as NewPeopleEntry;
  const { read, readChange = read, onChange, onReplaced } = own;
  return resourceRoutes({
    noun,
    name: operationNames[kind],
    // The administrator is user 1.
    exampleId: kind === 'user' ? 2 : 1,
    path,
    tag,
    readScope: 'directory:read',
    writeScope,
    byStation: stationBinding !== 'shared',
    schema,
    body,
    list: async (listing) => {
      const { items, total } = await store.read(listPeopleEntries, { kind, ...listing });
      return { items: items.map(printed), total };
    },
    find: async (id, caller) => {
      const object = await store.read(getPeopleEntry, { kind, id, caller });
      return object && tagged(object);
    },
    creationHeaders: idempotencyHeaders,
    create: async (given, call) => {
      const input = inputOf(call, await read(given, call));
      return makeOnce(store, createPeopleEntryOnce, input, call, { address: path, body: given });
    },
    replace: async (id, given, call) => {
      const input = { ...inputOf(call, await readChange(given, call)), id, ifMatch: call.ifMatch };
      const object = await store.write(replacePeopleEntry, input);
      onChange?.();
      await onReplaced?.(object as unknown as Stored<PeopleEntries[K]>, given, call);
      return tagged(object);
    },
    removal: own.removal,
    remove: async (id, { principal, request, ifMatch }, query) => {
      const input = { id, caller: callerAt(principal, request), ifMatch };
      if (own.remove === undefined) await store.write(removePeopleEntry, { kind, ...input });
      else await own.remove(input, query);
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
    operationId: 'listTeamsOfCallGroup',
    summary: 'List the teams of a call group',
    description: 'In the order of the group.',
    params: idParams('call group'),
    responses: { 200: pagingCollection(teamSchema, { withOffset: true }) },
    refusals: ['not-found'],
    handle: async ({ params: { id }, principal }) => {
      const teams = await store.read(listTeamsOf, { callGroupId: id, caller: callerOf(principal) });
      if (teams === undefined) throw new AppError('not-found', `There is no call group ${id}.`);
      const total = teams.length;
      return printPage(teams.map(printTeam), { offset: 0, limit: total, total });
    },
  });
}
