// Keys that sign links and reply addresses: rows, so that all nodes have the same; no backup contains them.

import { statement } from '../../../store/statement.ts';
import type { Instant, Operation } from '../../../store/store.ts';

type NewKey = { readonly name: string; readonly secret: string };

/** Returns the secret of the key; stores the given one if there is none yet. */
export const ensureSigningKey: Operation<NewKey, string> = {
  name: 'ensure-signing-key',
  async run(tx, now, { name, secret }) {
    const known = await tx.one(selectKey, { name });
    if (known === undefined) await tx.run(insertKey, { name, secret, now });
    return known?.secret ?? secret;
  },
};

const selectKey = statement((db, args: { name: string }) =>
  db.selectFrom('signing_keys').select('secret').where('name', '=', args.name),
);

const insertKey = statement<NewKey & { readonly now: Instant }>((db, args) =>
  db.insertInto('signing_keys').values({ name: args.name, secret: args.secret, created_at: args.now }),
);
