// The API keys that a user has made and that still count; the removal of the user decides what becomes of them.

import type { Caller } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, ReadTx, Tx } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';

const selectMade = statement((db, args: { actor: string; now: Instant }) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('created_by', '=', args.actor)
    .where('expires_at', '>', args.now)
    .orderBy('id'),
);

const handOver = statement<{ id: number; actor: string }>((db, args) =>
  db.updateTable('api_keys').set({ created_by: args.actor }).where('id', '=', args.id),
);

const actorOf = (userId: number): string => `user:${userId}`;

type Key = { readonly id: number; readonly name: string };

export function keysMadeBy(tx: ReadTx, userId: number, now: Instant): Promise<readonly Key[]> {
  return tx.all(selectMade, { actor: actorOf(userId), now });
}

const maxNamed = 5;

/** Refuses a removal that says nothing about the keys: they would go on working, and nobody would answer for them. */
export async function refuseKeysLeft(tx: ReadTx, userId: number, now: Instant): Promise<void> {
  const keys = await keysMadeBy(tx, userId, now);
  if (keys.length === 0) return;
  const named = keys.slice(0, maxNamed).map(({ id, name }) => `API key ${id} "${name}"`);
  const more = keys.length > maxNamed ? ` and ${keys.length - maxNamed} more` : '';
  throw new AppError(
    'still-referred-to',
    `The user has made ${named.join(', ')}${more}, which would go on working: remove the user with keys=revoke, or with keys=keep to answer for them yourself.`,
  );
}

/** Makes the caller the one who made the keys. */
export async function takeOverKeys(tx: Tx, now: Instant, caller: Caller, userId: number): Promise<void> {
  for (const { id, name } of await keysMadeBy(tx, userId, now)) {
    await tx.run(handOver, { id, actor: caller.actor });
    const [before, after] = [actorOf(userId), caller.actor].map((createdBy) => ({ name, createdBy }));
    await appendAudit(tx, now, { kind: 'key.taken-over', origin: caller, subject: `key:${id}`, before, after });
  }
}
