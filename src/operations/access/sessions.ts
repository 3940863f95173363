// Opens and ends sessions of signed-in users. An ended session is removed; the event log keeps a record.

import type { Caller } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';
import { appendAudit, onlyStation } from '../audit/append.ts';
import { findUser, selectUserStations } from './queries.ts';
import { noteSuccessfulSignIn } from './sign-in-guesses.ts';

type NewSession = {
  readonly name: string;
  /** The hash the password was checked against: if the password was changed meanwhile, the sign-in fails. */
  readonly passwordHash: string;
  readonly tokenHash: string;
  readonly address: string;
  /** The network of the address, which becomes known to the user. */
  readonly network: string;
  /** The hash of the mark by which the browser becomes, or stays, known to the user. */
  readonly markHash: string | undefined;
  readonly expiresAt: Instant;
};

type OpenedSession = { readonly id: number; readonly userName: string };

/** The sessions a user may have at a time; a further sign-in ends the oldest. */
export const maxSessions = 500;
/** How many are ended by one sign-in; earlier versions set no limit. */
const maxEndedAtOnce = 50;

/** Opens a session; returns undefined when the user or the password changed since the check. */
export const openSession: Operation<NewSession, OpenedSession | undefined> = {
  name: 'open-session',
  async run(tx, now, { name, passwordHash, tokenHash, address, network, markHash, expiresAt }) {
    const user = await findUser(tx, name);
    if (user?.passwordHash !== passwordHash) return undefined;
    const id = await tx.insert(insertSession, { userId: user.id, tokenHash, address, now, expiresAt });
    await noteSuccessfulSignIn(tx, now, { userId: user.id, name, network, markHash });
    await appendEvent(tx, now, {
      kind: 'session.opened',
      actor: `user:${user.id}`,
      subjectId: id,
      data: { address },
    });
    await appendAudit(tx, now, {
      kind: 'sign-in',
      origin: { actor: `user:${user.id}`, address },
      stationId: await stationOfUser(tx, user.id),
      subject: `user:${user.id}`,
      after: { name: user.name, sessionId: id, expiresAt },
    });
    await endOldest(tx, now, user.id);
    return { id, userName: user.name };
  },
};

async function endOldest(tx: Tx, now: Instant, userId: number): Promise<void> {
  for (const { id, address, created_at } of await tx.all(selectBeyond, { userId })) {
    await tx.run(removeSession, { id, userId });
    await appendEvent(tx, now, { kind: 'session.ended', actor: `user:${userId}`, subjectId: id });
    await appendAudit(tx, now, {
      kind: 'session.ended',
      origin: { actor: `user:${userId}`, address },
      stationId: await stationOfUser(tx, userId),
      subject: `user:${userId}`,
      before: { sessionId: id, address, createdAt: created_at },
      after: { reason: `more than ${maxSessions} sessions` },
    });
  }
}

/** Ends a session, of the given user only (or, with userId 0, of anyone). `isOwn` marks the session of the request. */
export const endSession: Operation<{ caller: Caller; id: number; userId: number; isOwn: boolean }, void> = {
  name: 'end-session',
  async run(tx, now, { caller, id, userId, isOwn }) {
    const session = await tx.one(selectSession, { id });
    const removed = await tx.run(removeSession, { id, userId });
    if (removed === 0 || session === undefined) throw new AppError('not-found', `There is no open session ${id}.`);
    await appendEvent(tx, now, { kind: 'session.ended', actor: caller.actor, subjectId: id });
    await appendAudit(tx, now, {
      kind: isOwn ? 'sign-out' : 'session.ended',
      origin: caller,
      stationId: await stationOfUser(tx, session.user_id),
      subject: `user:${session.user_id}`,
      before: { sessionId: id, address: session.address, createdAt: session.created_at },
    });
  },
};

/** The station of a user bound to exactly one: its supervisors see the sign-ins. */
export async function stationOfUser(tx: ReadTx, id: number): Promise<number | undefined> {
  return onlyStation((await tx.all(selectUserStations, { id })).map(({ station_id }) => station_id));
}

const selectSession = statement((db, args: { id: number }) =>
  db.selectFrom('sessions').select(['user_id', 'address', 'created_at']).where('id', '=', args.id),
);

const selectBeyond = statement((db, args: { userId: number }) =>
  db
    .selectFrom('sessions')
    .select(['id', 'address', 'created_at'])
    .where('user_id', '=', args.userId)
    .orderBy('id', 'desc')
    .offset(maxSessions)
    .limit(maxEndedAtOnce),
);

const insertSession = statement<
  { userId: number; tokenHash: string; address: string; now: number; expiresAt: number },
  { id: number }
>((db, args) =>
  db
    .insertInto('sessions')
    .values({
      user_id: args.userId,
      token_hash: args.tokenHash,
      address: args.address,
      created_at: args.now,
      expires_at: args.expiresAt,
    })
    .returning('id'),
);

const removeSession = statement<{ id: number; userId: number }>((db, args) =>
  db
    .deleteFrom('sessions')
    .where('id', '=', args.id)
    .where((eb) => eb.or([eb(eb.val(args.userId), '=', 0), eb('user_id', '=', args.userId)])),
);
