// The API keys that a user has made and that still count; the removal of the user decides what becomes of them.

import type { Caller } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, ReadTx, Tx } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';

const selectMade = statement((db, args: { actor: string }) =>
  db.selectFrom('api_keys').select(['id', 'name', 'expires_at']).where('created_by', '=', args.actor),
);

const handOver = statement<{ id: number; actor: string }>((db, args) =>
  db.updateTable('api_keys').set({ created_by: args.actor }).where('id', '=', args.id),
);

const actorOf = (userId: number): string => `user:${userId}`;

type Key = { readonly id: number; readonly name: string };

/** Also those that were made with one of these keys, which may have expired since. */
export async function keysMadeBy(tx: ReadTx, userId: number, now: Instant): Promise<readonly Key[]> {
  const found = new Map<number, Key & { readonly expires_at: Instant }>();
  for (let makers = [actorOf(userId)]; makers.length > 0; ) {
    const made = (await Promise.all(makers.map((actor) => tx.all(selectMade, { actor })))).flat();
    const further = made.filter(({ id }) => !found.has(id));
    for (const key of further) found.set(key.id, key);
    makers = further.map(({ id }) => `key:${id}`);
  }
  return [...found.values()].filter((key) => key.expires_at > now).toSorted((one, other) => one.id - other.id);
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
