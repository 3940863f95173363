// Reads and writes single named values in the table meta.

import { statement } from './statement.ts';
import type { ReadTx, Tx } from './store.ts';

type Entry = { key: string; value: string };

const updateValue = statement<Entry>((db, args) =>
  db.updateTable('meta').set({ value: args.value }).where('key', '=', args.key),
);

const insertValue = statement<Entry>((db, args) => db.insertInto('meta').values({ key: args.key, value: args.value }));

const selectValue = statement((db, args: { key: string }) =>
  db.selectFrom('meta').select('value').where('key', '=', args.key),
);

const deleteValue = statement((db, args: { key: string }) => db.deleteFrom('meta').where('key', '=', args.key));

export async function getMeta(tx: ReadTx, key: string): Promise<string | undefined> {
  return (await tx.one(selectValue, { key }))?.value;
}

export async function removeMeta(tx: Tx, key: string): Promise<void> {
  await tx.run(deleteValue, { key });
}

export async function setMeta(tx: Tx, key: string, value: string): Promise<void> {
  if ((await tx.run(updateValue, { key, value })) === 0) await tx.run(insertValue, { key, value });
}
