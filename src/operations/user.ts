// Adding a user and setting a password.

import type { Caller, Role } from '../domain/access.ts';
import { fold } from '../domain/search.ts';
import { AppError } from '../errors.ts';
import { findUser } from '../store/access.ts';
import { directoryStatements } from '../store/directory.ts';
import { appendEvent } from '../store/events.ts';
import { statement } from '../store/statement.ts';
import type { Instant, Operation, ReadTx, Tx } from '../store/store.ts';

type NewUser = {
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly stationIds: readonly number[];
};

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
    return id;
  },
};

/** Sets the password and ends every session of the user: whoever knew the old one is out. */
export const setPassword: Operation<{ caller: Caller; name: string; passwordHash: string }, void> = {
  name: 'set-password',
  async run(tx, now, { caller, name, passwordHash }) {
    const user = await findUser(tx, name);
    if (user === undefined) throw new AppError('not-found', `There is no user named "${name}".`);
    await tx.run(updatePassword, { id: user.id, passwordHash, now });
    await tx.run(removeSessionsOf, { userId: user.id });
    await appendEvent(tx, now, { kind: 'user.password-set', actor: caller.actor, subjectId: user.id });
  },
};

const insertUserRow = statement<
  { name: string; foldedName: string; role: string; passwordHash: string; now: number },
  { id: number }
>((db, args) =>
  db
    .insertInto('users')
    .values({
      name: args.name,
      folded_name: args.foldedName,
      role: args.role,
      password_hash: args.passwordHash,
      last_change: args.now,
    })
    .returning('id'),
);

const insertUserStation = statement<{ userId: number; stationId: number }>((db, args) =>
  db.insertInto('user_stations').values({ user_id: args.userId, station_id: args.stationId }),
);

const updatePassword = statement<{ id: number; passwordHash: string; now: number }>((db, args) =>
  db.updateTable('users').set({ password_hash: args.passwordHash, last_change: args.now }).where('id', '=', args.id),
);

const removeSessionsOf = statement<{ userId: number }>((db, args) =>
  db.deleteFrom('sessions').where('user_id', '=', args.userId),
);

export async function insertUser(tx: Tx, now: Instant, user: NewUser): Promise<number> {
  const { name, role, passwordHash } = user;
  const id = await tx.insert(insertUserRow, { name, foldedName: fold(name), role, passwordHash, now });
  for (const stationId of new Set(user.stationIds)) await tx.run(insertUserStation, { userId: id, stationId });
  return id;
}

export async function refuseUnknownStations(tx: ReadTx, stationIds: readonly number[]): Promise<void> {
  for (const id of stationIds) {
    if ((await tx.one(directoryStatements.station.byId, { id })) === undefined) {
      const message = `names station ${id}, which does not exist`;
      throw new AppError('unprocessable', `stationIds ${message}.`, { errors: [{ field: 'stationIds', message }] });
    }
  }
}
