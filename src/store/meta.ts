// Writes single named values in the table meta.

import { statement } from './statement.ts';
import type { Tx } from './store.ts';

type Entry = { key: string; value: string };

const updateValue = statement<Entry>((db, args) =>
  db.updateTable('meta').set({ value: args.value }).where('key', '=', args.key),
);

const insertValue = statement<Entry>((db, args) => db.insertInto('meta').values({ key: args.key, value: args.value }));

export async function setMeta(tx: Tx, key: string, value: string): Promise<void> {
  if ((await tx.run(updateValue, { key, value })) === 0) await tx.run(insertValue, { key, value });
}
