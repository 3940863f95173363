// Writes users: accounts added at a terminal or by an administrator, passwords, stations and numbers.

import type { Caller, Role } from '../../domain/access/access.ts';
import { webhookProviders } from '../../domain/channels/kinds/webhook.ts';
import { readSettings } from '../../domain/channels/settings.ts';
import { addressErrors } from '../../domain/people/address-check.ts';
import { isReachable, type User, type UserFields } from '../../domain/people/entities.ts';
import type { ContactNumber } from '../../domain/people/person.ts';
import { withStandIn } from '../../domain/people/stand-in-number.ts';
import { fold, searchableText } from '../../domain/search.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';
import { refuseKeysLeft } from '../access/keys-of-user.ts';
import { findUser } from '../access/queries.ts';
import { forgetDevices } from '../access/sign-in-guesses.ts';
import { appendAudit } from '../audit/append.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { plantStatements } from '../plant/queries.ts';
import { putNumbers } from './contact-numbers.ts';
import { refuseFields, unprocessable } from './refusals.ts';
import { type Change, missingAmong, type ResourceHooks } from './resource-hooks.ts';
import { refuseTakenIdentities } from './users/identities.ts';
import { putIdentities } from './users/identity-rows.ts';
import { incrementPeopleVersion } from './version.ts';

type NewUser = {
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly stationIds: readonly number[];
  /** UTC by default. */
  readonly timeZone?: string;
};

/** Whether a user without a number gets a simulated phone; undefined: as the policy of calls says. */
type HasSimulator = boolean | undefined;

export const addUser: Operation<NewUser & { caller: Caller }, number> = {
  name: 'add-user',
  async run(tx, now, { caller, ...user }) {
    if ((await findUser(tx, user.name)) !== undefined) {
      throw new AppError('name-taken', `There is a user named "${user.name}" already.`);
    }
    await refuseUnknownStations(tx, user.stationIds);
    const id = await insertUser(tx, now, user);
    await appendEvent(tx, now, {
      kind: 'user.created',
      actor: caller.actor,
      subjectId: id,
      data: { name: user.name, role: user.role },
    });
    const { name, role, stationIds, timeZone } = user;
    const after = { name, role, stationIds, timeZone, passwordSet: true };
    await appendAudit(tx, now, { kind: 'user.created', origin: caller, subject: `user:${id}`, after });
    return id;
  },
};

/** Sets the password and ends every session of the user, which signs out anybody who knew the old one. */
export const setPassword: Operation<{ caller: Caller; name: string; passwordHash: string }, void> = {
  name: 'set-password',
  async run(tx, now, { caller, name, passwordHash }) {
    const user = await findUser(tx, name);
    if (user === undefined) throw new AppError('not-found', `There is no user named "${name}".`);
    await tx.run(touchUser, { id: user.id, now });
    await changePassword(tx, user.id, passwordHash);
    await incrementPeopleVersion(tx, 'user', user.id);
    await appendEvent(tx, now, { kind: 'user.password-set', actor: caller.actor, subjectId: user.id });
    const subject = `user:${user.id}`;
    await appendAudit(tx, now, { kind: 'user.password-set', origin: caller, subject, after: { name: user.name } });
  },
};

async function changePassword(tx: Tx, id: number, passwordHash: string): Promise<void> {
  await tx.run(updatePassword, { id, passwordHash });
  await tx.run(removeSessionsOf, { userId: id });
  await forgetDevices(tx, id);
}

/** Inserts a user who can sign in, with default values for everything else. */
export async function insertUser(tx: Tx, now: Instant, user: NewUser, hasSimulator?: HasSimulator): Promise<number> {
  const fields: UserFields = {
    ...user,
    firstName: '',
    lastName: '',
    displayName: '',
    language: '',
    timeZone: user.timeZone ?? 'UTC',
    statusId: 1,
    onDuty: true,
    replacedById: undefined,
    virtual: false,
    numbers: [],
    identities: [],
    pinHash: undefined,
  };
  const id = await insertWhole(tx, now, searchableText(user.name), fields, hasSimulator);
  // After the rows: what is read under a version is cached.
  await incrementPeopleVersion(tx, 'user', id);
  return id;
}

async function insertWhole(
  tx: Tx,
  now: Instant,
  words: string,
  fields: UserFields,
  hasSimulator?: HasSimulator,
): Promise<number> {
  // Cached as it is before the change: read between the write and its version, it would be cached under the old version.
  await readCallConfiguration(tx);
  const id = await tx.insert(insertUserRow, {
    ...columnsOf(fields),
    name: fields.name,
    words,
    role: fields.role ?? 'operator',
    passwordHash: fields.passwordHash ?? null,
    pinHash: fields.pinHash ?? null,
    now,
  });
  await putStations(tx, id, fields.stationIds ?? []);
  await storeNumbers(tx, id, fields.numbers, [], hasSimulator);
  if (fields.identities.length > 0) await putIdentities(tx, id, fields.identities);
  return id;
}

export const userHooks: ResourceHooks<'user'> = {
  searchedBy: ({ name, firstName, lastName, displayName }) => [name, firstName, lastName, displayName],
  async check(tx, change) {
    const { caller, fields, before } = change;
    await refuseUnknownStations(tx, fields.stationIds ?? []);
    const schedules = fields.numbers.map(({ scheduleId }, index) => ({
      field: `numbers[${index}].scheduleId`,
      id: scheduleId,
    }));
    await refuseBadAddresses(tx, fields.numbers, before?.numbers ?? []);
    refuseFields([
      ...(await missingAmong(tx, caller, 'user', [{ field: 'replacedById', id: fields.replacedById }])),
      ...(await missingAmong(tx, caller, 'schedule', schedules)),
    ]);
    await refuseTakenIdentities(tx, before?.id, fields.identities);
    await refuseReplacementCycle(tx, before?.id, fields.replacedById);
    await refuseDemotingTheLast(tx, change);
  },
  insert: (tx, now, words, { fields }) => insertWhole(tx, now, words, fields),
  async update(tx, _now, id, { fields, before }) {
    await tx.run(updateUser, { ...columnsOf(fields), id });
    if (fields.role !== undefined) await tx.run(updateRole, { id, role: fields.role });
    if (fields.pinHash !== undefined) await tx.run(updatePin, { id, pinHash: fields.pinHash });
    if (fields.passwordHash !== undefined) await changePassword(tx, id, fields.passwordHash);
    if (fields.stationIds !== undefined) {
      await tx.run(removeStations, { id });
      await putStations(tx, id, fields.stationIds);
    }
    await storeNumbers(tx, id, fields.numbers, before?.numbers ?? []);
    await putIdentities(tx, id, fields.identities);
  },
  async checkRemoval(tx, user, now) {
    if (await isLastAdministrator(tx, user)) {
      throw new AppError('still-referred-to', 'The last administrator who can sign in cannot be removed.');
    }
    await refuseKeysLeft(tx, user.id, now);
  },
};

/** Refuses numbers that no channel could or should call; those stored before stay. */
export async function refuseBadAddresses(
  tx: ReadTx,
  numbers: readonly ContactNumber[],
  before: readonly ContactNumber[],
): Promise<void> {
  const { policy, providers } = await readCallConfiguration(tx);
  const webhooks = providers
    .filter(({ kind, isEnabled }) => isEnabled && kind === webhookProviders.name)
    .map(({ settings }) => readSettings(webhookProviders.fields, settings).values);
  refuseFields(addressErrors(numbers, before, { allowedPrefixes: policy.tolls.allowedPrefixes, webhooks }));
}

export async function refuseReplacementCycle(
  tx: ReadTx,
  id: number | undefined,
  replacedById: number | undefined,
): Promise<void> {
  if (id === undefined || replacedById === undefined) return;
  const rows = await tx.all(selectReplacements, {});
  const replacementOf = new Map(rows.map((row) => [row.id, row.replaced_by_id]));
  const next = (user: number): readonly number[] => [replacementOf.get(user)].flatMap((found) => found ?? []);
  if (isReachable(id, [replacedById], next)) {
    throw unprocessable('replacedById', `leads back to this user by way of user ${replacedById}`);
  }
}

/** Refuses to demote the last administrator, because nobody could restore the right to change users. */
async function refuseDemotingTheLast(tx: ReadTx, { fields, before }: Change<'user'>): Promise<void> {
  const isBound = (fields.stationIds ?? before?.stationIds ?? []).length > 0;
  const staysAdministrator = (fields.role ?? before?.role) === 'administrator' && !isBound;
  if (before === undefined || staysAdministrator || !(await isLastAdministrator(tx, before))) return;
  const message = 'must be left as it is: this is the last administrator who can sign in';
  throw unprocessable(isBound ? 'stationIds' : 'role', message);
}

async function isLastAdministrator(tx: ReadTx, { id, isAdministrator }: User): Promise<boolean> {
  return isAdministrator && (await tx.one(selectOtherAdministrator, { id })) === undefined;
}

export async function refuseUnknownStations(tx: ReadTx, stationIds: readonly number[]): Promise<void> {
  for (const id of stationIds) {
    if ((await tx.one(plantStatements.station.byId, { id })) === undefined) {
      throw unprocessable('stationIds', `names station ${id}, which does not exist`);
    }
  }
}

async function putStations(tx: Tx, userId: number, stationIds: readonly number[]): Promise<void> {
  for (const stationId of new Set(stationIds)) await tx.run(insertUserStation, { userId, stationId });
}

async function storeNumbers(
  tx: Tx,
  userId: number,
  sent: readonly ContactNumber[],
  former: readonly ContactNumber[],
  hasSimulator?: HasSimulator,
): Promise<void> {
  const isOn = hasSimulator ?? (await readCallConfiguration(tx)).policy.hasSimulator;
  await putNumbers(tx, userId, withStandIn(sent, former, isOn), former);
}

type UserColumns = {
  foldedName: string;
  firstName: string;
  lastName: string;
  displayName: string;
  language: string;
  timeZone: string;
  statusId: number;
  onDuty: number;
  replacedById: number | null;
  virtual: number;
};

function columnsOf(fields: UserFields): UserColumns {
  return {
    foldedName: fold(fields.name),
    firstName: fields.firstName,
    lastName: fields.lastName,
    displayName: fields.displayName,
    language: fields.language,
    timeZone: fields.timeZone,
    statusId: fields.statusId,
    onDuty: fields.onDuty ? 1 : 0,
    replacedById: fields.replacedById ?? null,
    virtual: fields.virtual ? 1 : 0,
  };
}

const written = (args: UserColumns) => ({
  folded_name: args.foldedName,
  first_name: args.firstName,
  last_name: args.lastName,
  display_name: args.displayName,
  language: args.language,
  time_zone: args.timeZone,
  status_id: args.statusId,
  on_duty: args.onDuty as 0 | 1,
  replaced_by_id: args.replacedById,
  virtual: args.virtual as 0 | 1,
});

type NewRow = UserColumns & {
  name: string;
  words: string;
  role: string;
  passwordHash: string | null;
  pinHash: string | null;
  now: number;
};

const insertUserRow = statement<NewRow, { id: number }>((db, args) =>
  db
    .insertInto('users')
    .values({
      ...written(args),
      name: args.name,
      words: args.words,
      role: args.role,
      password_hash: args.passwordHash,
      pin_hash: args.pinHash,
      last_change: args.now,
    })
    .returning('id'),
);

const updateUser = statement<UserColumns & { id: number }>((db, args) =>
  db.updateTable('users').set(written(args)).where('id', '=', args.id),
);

const updateRole = statement<{ id: number; role: string }>((db, args) =>
  db.updateTable('users').set({ role: args.role }).where('id', '=', args.id),
);

const updatePin = statement<{ id: number; pinHash: string | null }>((db, args) =>
  db.updateTable('users').set({ pin_hash: args.pinHash }).where('id', '=', args.id),
);

const updatePassword = statement<{ id: number; passwordHash: string }>((db, args) =>
  db.updateTable('users').set({ password_hash: args.passwordHash }).where('id', '=', args.id),
);

const touchUser = statement<{ id: number; now: number }>((db, args) =>
  db.updateTable('users').set({ last_change: args.now }).where('id', '=', args.id),
);

const removeSessionsOf = statement<{ userId: number }>((db, args) =>
  db.deleteFrom('sessions').where('user_id', '=', args.userId),
);

const insertUserStation = statement<{ userId: number; stationId: number }>((db, args) =>
  db.insertInto('user_stations').values({ user_id: args.userId, station_id: args.stationId }),
);

const removeStations = statement<{ id: number }>((db, args) =>
  db.deleteFrom('user_stations').where('user_id', '=', args.id),
);

const selectReplacements = statement((db) =>
  db.selectFrom('users').select(['id', 'replaced_by_id']).where('replaced_by_id', 'is not', null),
);

const selectOtherAdministrator = statement((db, args: { id: number }) =>
  db
    .selectFrom('users')
    .select('id')
    .where('id', '<>', args.id)
    .where('role', '=', 'administrator')
    .where('password_hash', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('user_stations').select('user_id').whereRef('user_id', '=', 'users.id'))),
    )
    .limit(1),
);
