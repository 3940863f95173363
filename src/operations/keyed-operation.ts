// Makes an operation safe to repeat: with an idempotency key its outcome is stored in the same transaction, and the same
// key returns it for a day.

import { AppError } from '../errors.ts';
import { statement } from '../store/statement.ts';
import type { Operation } from '../store/store.ts';
import { type IdempotencyKey, otherBodyError } from './alarms/intake/idempotency.ts';

type Keyed<I> = {
  readonly input: I;
  readonly actor: string;
  readonly once: IdempotencyKey | undefined;
  /** Takes the same key with another body as another request; without this it is refused. */
  readonly takesOtherBody?: true;
  /** Refuses the same key with another body, and an outcome with warnings, with nothing stored. */
  readonly isStrict?: true | undefined;
};

type KeyedOutcome<O> = { readonly outcome: O; readonly isOtherBody: boolean };

export type KeyedOperation<I, O> = Operation<Keyed<I>, KeyedOutcome<O>>;

/** The outcome of the operation must be JSON. One that `isPassing` says of is not stored: the next request may succeed. */
export function keyed<I, O>(
  operation: Operation<I, O>,
  isPassing: (outcome: O) => boolean = () => false,
): KeyedOperation<I, O> {
  return {
    name: `${operation.name}-once`,
    async run(tx, now, { input, actor, once, takesOtherBody, isStrict }) {
      const carryOut = async (): Promise<O> => {
        const outcome = await operation.run(tx, now, input);
        if (isStrict) refuseWarnings(outcome);
        return outcome;
      };
      if (once === undefined) return { outcome: await carryOut(), isOtherBody: false };
      const { bodyHash } = once;
      // No header contains a carriage return, so no client sends such a key.
      const plain = `${operation.name}\r${once.key}`;
      const first = await tx.one(selectKey, { actor, key: plain });
      const isOtherBody = first !== undefined && first.body_hash !== bodyHash;
      if (isOtherBody && (takesOtherBody !== true || isStrict)) throw otherBodyError();
      const key = isOtherBody ? `${plain}\r${bodyHash}` : plain;
      const earlier = isOtherBody ? await tx.one(selectKey, { actor, key }) : first;
      if (earlier !== undefined) return { outcome: JSON.parse(earlier.response ?? 'null') as O, isOtherBody };
      const outcome = await carryOut();
      if (!isPassing(outcome))
        await tx.run(insertKey, { actor, key, bodyHash, response: JSON.stringify(outcome ?? null), now });
      return { outcome, isOtherBody };
    },
  };
}

/** The error undoes what the operation has written. */
function refuseWarnings(outcome: unknown): void {
  const { warnings = [] } = outcome as { readonly warnings?: readonly string[] };
  const [first] = warnings;
  if (first === undefined) return;
  const errors = warnings.map((warning) => {
    const [field = '', ...message] = warning.split(': ');
    return { field, message: message.join(': ') };
  });
  throw new AppError('unprocessable', `${first}.`, { errors });
}

const selectKey = statement((db, args: { actor: string; key: string }) =>
  db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'response'])
    .where('actor', '=', args.actor)
    .where('key', '=', args.key),
);

type KeyArgs = { actor: string; key: string; bodyHash: string; response: string; now: number };

const insertKey = statement<KeyArgs>((db, args) =>
  db.insertInto('idempotency_keys').values({
    actor: args.actor,
    key: args.key,
    body_hash: args.bodyHash,
    answer: 0,
    warnings: '',
    response: args.response,
    created_at: args.now,
  }),
);
