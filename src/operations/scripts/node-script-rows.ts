// Reads which scripts each node has.

import { statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';

type ScriptList = readonly (readonly [id: number, pattern: string | null])[];
export type StoredScripts = { readonly name: string; readonly scripts: ScriptList | null };
export type NodeScripts = StoredScripts & { readonly node: string };

/** Begins the names under which the scripts of nodes are stored; the id of the node follows. */
export const keyPrefix = 'node_scripts/';

export async function readNodeScripts(tx: ReadTx): Promise<readonly NodeScripts[]> {
  const rows = await tx.all(selectAll, { like: `${keyPrefix}%` });
  return rows.map(({ key, value }) => ({ node: key.slice(keyPrefix.length), ...(JSON.parse(value) as StoredScripts) }));
}

/** Returns the ids of the scripts that other nodes have and this one lacks, as a JSON list. */
export async function scriptsElsewhere(tx: ReadTx, own: readonly number[]): Promise<string> {
  const all = (await readNodeScripts(tx)).flatMap(({ scripts }) => (scripts ?? []).map(([id]) => id));
  return JSON.stringify([...new Set(all)].filter((id) => !own.includes(id)));
}

const selectAll = statement((db, args: { like: string }) =>
  db.selectFrom('meta').select(['key', 'value']).where('key', 'like', args.like).orderBy('key'),
);
