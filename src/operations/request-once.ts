// A request that may be sent again: the first answer is kept with what was asked, in the transaction of the change.

import { AppError } from '../errors.ts';
import { statement } from '../store/statement.ts';
import type { Instant, Tx } from '../store/store.ts';

export type RequestOnce = { readonly key: string; readonly bodyHash: string };

/** How long the same key gets the same answer. */
export const rememberedMs = 86_400_000;

/** What the first request with this key was answered; refuses a key that came with another body. */
export async function earlierAnswer(
  tx: Tx,
  actor: string,
  { key, bodyHash }: RequestOnce,
): Promise<number | undefined> {
  const earlier = await tx.one(selectKey, { actor, key });
  if (earlier !== undefined && earlier.body_hash !== bodyHash) {
    throw new AppError(
      'unprocessable',
      'This Idempotency-Key was used for another body: use a new key for a new request.',
    );
  }
  return earlier?.answer;
}

export async function rememberAnswer(
  tx: Tx,
  now: Instant,
  actor: string,
  once: RequestOnce,
  answer: number,
): Promise<void> {
  await tx.run(insertKey, { actor, key: once.key, bodyHash: once.bodyHash, answer, now });
}

const selectKey = statement((db, args: { actor: string; key: string }) =>
  db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'answer'])
    .where('actor', '=', args.actor)
    .where('key', '=', args.key),
);

const insertKey = statement<{ actor: string; key: string; bodyHash: string; answer: number; now: number }>((db, args) =>
  db
    .insertInto('idempotency_keys')
    .values({ actor: args.actor, key: args.key, body_hash: args.bodyHash, answer: args.answer, created_at: args.now }),
);
