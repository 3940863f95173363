// Opens and ends sessions of signed-in users. An ended session is removed; the event log keeps a record.

import type { Caller } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation } from '../../store/store.ts';
import { findUser } from './queries.ts';
import { noteSuccessfulSignIn } from './sign-in-guesses.ts';

type NewSession = {
  readonly name: string;
  /** The hash the password was checked against: if the password was changed meanwhile, the sign-in fails. */
  readonly passwordHash: string;
  readonly tokenHash: string;
  readonly address: string;
  /** The network of the address, which becomes known to the user. */
  readonly network: string;
  readonly expiresAt: Instant;
};

type OpenedSession = { readonly id: number; readonly userName: string };

/** Opens a session; returns undefined when the user or the password changed since the check. */
export const openSession: Operation<NewSession, OpenedSession | undefined> = {
  name: 'open-session',
  async run(tx, now, { name, passwordHash, tokenHash, address, network, expiresAt }) {
    const user = await findUser(tx, name);
    if (user?.passwordHash !== passwordHash) return undefined;
    const id = await tx.insert(insertSession, { userId: user.id, tokenHash, address, now, expiresAt });
    await noteSuccessfulSignIn(tx, now, { userId: user.id, name, network });
    await appendEvent(tx, now, {
      kind: 'session.opened',
      actor: `user:${user.id}`,
      subjectId: id,
      data: { address },
    });
    return { id, userName: user.name };
  },
};

/** Ends a session, of the given user only (or, with userId 0, of anyone). */
export const endSession: Operation<{ caller: Caller; id: number; userId: number }, void> = {
  name: 'end-session',
  async run(tx, now, { caller, id, userId }) {
    const removed = await tx.run(removeSession, { id, userId });
    if (removed === 0) throw new AppError('not-found', `There is no open session ${id}.`);
    await appendEvent(tx, now, { kind: 'session.ended', actor: caller.actor, subjectId: id });
  },
};

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
