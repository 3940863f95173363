// Which scripts each node has: what one node cannot run another does, and an alarm says while they differ.

import { sql } from 'kysely';
import { systemCaller } from '../../domain/access/access.ts';
import type { Scripts } from '../../domain/script.ts';
import { removeMeta, setMeta } from '../../store/meta.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { Instant, Operation, Query, Tx } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { appendAudit } from '../audit/append.ts';
import { scriptsKey } from '../configuration/call-configuration.ts';
import { keyPrefix, type NodeScripts, readNodeScripts, type StoredScripts } from './node-script-rows.ts';

type SetNodeScripts = {
  readonly node: string;
  readonly nodeName: string;
  /** Prefix of the ids of nodes that have ended; undefined: others may still run. */
  readonly endedNodes?: string | undefined;
  /** Undefined if the node has no folder of scripts. */
  readonly scripts: Scripts | undefined;
};

/** Stores which scripts the node has. Alarms may run every script that some node has. */
export const setNodeScripts: Operation<SetNodeScripts, void> = {
  name: 'set-node-scripts',
  async run(tx, now, { node, nodeName, endedNodes, scripts }) {
    if (endedNodes !== undefined) await tx.run(removeOfEnded, { like: `${keyPrefix}${endedNodes}%` });
    const list = scripts && [...scripts].map(([id, pattern]) => [id, pattern ?? null] as const);
    const stored: StoredScripts = { name: nodeName, scripts: list ?? null };
    await setMeta(tx, `${keyPrefix}${node}`, JSON.stringify(stored));
    await takeStock(tx, now, node);
  },
};

/** Whether the scripts of the node are stored: another node may have taken it for gone before it was announced. */
export const hasNodeScripts: Query<{ readonly node: string }, boolean> = {
  name: 'has-node-scripts',
  isQuick: true,
  run: async (tx, { node }) => (await readNodeScripts(tx)).some((one) => one.node === node),
};

/**
 * To be called in the transaction that withdraws a node. Its scripts stay until the node is forgotten, so that commands wait
 * for it; a node without a folder leaves nothing, unless it is the last and being restarted.
 */
export async function withdrawNodeScripts(tx: Tx, now: Instant, node: string): Promise<void> {
  const all = await readNodeScripts(tx);
  const own = all.find((one) => one.node === node);
  if (own === undefined || own.scripts !== null || all.length === 1) return;
  await removeMeta(tx, `${keyPrefix}${node}`);
  await takeStock(tx, now);
}

/** Forgets the scripts of nodes that are gone, and stores which scripts alarms may run. `own` may not be announced yet. */
export async function takeStock(tx: Tx, now: Instant, own = ''): Promise<void> {
  await tx.run(removeOfGone, { own: `${keyPrefix}${own}` });
  const nodes = await readNodeScripts(tx);
  if (nodes.length === 0) return;
  await storeUnion(tx, now, nodes);
  await tellDifference(tx, now, nodes);
}

/** A node that runs a script checks the parameter against its own pattern, so any of several patterns will do here. */
async function storeUnion(tx: Tx, now: Instant, nodes: readonly NodeScripts[]): Promise<void> {
  const lists = nodes.flatMap(({ scripts }) => (scripts === null ? [] : [scripts]));
  const union = new Map(lists.flat().toSorted(([one], [other]) => one - other));
  const before = (await tx.one(selectScripts, { key: scriptsKey }))?.value;
  const after = lists.length === 0 ? undefined : JSON.stringify([...union]);
  if (after === before) return;
  if (after === undefined) await removeMeta(tx, scriptsKey);
  else await setMeta(tx, scriptsKey, after);
  const shown = (text: string | undefined) => (text === undefined ? undefined : { scripts: JSON.parse(text) });
  const values = { before: shown(before), after: shown(after) };
  await appendAudit(tx, now, { kind: 'scripts.changed', origin: systemCaller, ...values });
}

const path = 'scripts-differ';

async function tellDifference(tx: Tx, now: Instant, nodes: readonly NodeScripts[]): Promise<void> {
  const isSame = new Set(nodes.map(({ scripts }) => JSON.stringify(scripts))).size <= 1;
  if (isSame) return endOpenSystemAlarm(tx, now, path, 'end-calls');
  const lists = nodes.map(({ name, scripts }) => ({ node: name, scripts }));
  await raiseSystemAlarm(tx, now, {
    path,
    priority: 2,
    message: { code: 'scripts-differ', parameters: { nodes: lists } },
  });
}

const selectScripts = statement((db, args: { key: string }) =>
  db.selectFrom('meta').select('value').where('key', '=', args.key),
);

const removeOfEnded = statement((db, args: { like: string }) => db.deleteFrom('meta').where('key', 'like', args.like));

const removeOfGone = sqlStatement<{ own: string }>(
  (args) => sql`delete from ${target('meta')} where key like ${sql.lit(`${keyPrefix}%`)} and key <> ${args.own}
    and not exists (select 1 from ${table('nodes')} where key = ${sql.lit(keyPrefix)} || nodes.id)`,
);
