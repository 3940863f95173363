// Restores into PostgreSQL in one transaction: the old content stays until all of the new content is in.

import { Client } from 'pg';
import type { RowBatch } from '../backup/format.ts';
import { type RestoredContent, type RestoreTarget, whichRows } from '../backup/restore-target.ts';
import { type Schema, stepsFrom } from '../schema.ts';
import { raiseIds, readIds } from './issued-ids.ts';
import { asStartError } from './postgres-errors.ts';
import { noTimeoutConfig, PreparedConnection } from './prepared-connection.ts';
import {
  emptyTables,
  hasTable,
  isEmptyStore,
  lockOutNodes,
  migrateInTransaction,
  rebuildTables,
  refuseUnsafeServer,
  schemaVersion,
} from './schema.ts';

export async function openPostgresTarget(url: string, schema: Schema): Promise<RestoreTarget> {
  const client = new Client(noTimeoutConfig(url));
  client.on('error', () => {});
  const close = (): Promise<void> => client.end().catch(() => {});
  try {
    await client.connect();
    await refuseUnsafeServer(client);
    await lockOutNodes(client);
    stepsFrom(schema, await schemaVersion(client));
    return {
      isEmpty: await isEmptyStore(client, schema),
      ids: await readIds(client),
      rowsOf: async (table, which = 'all') => {
        if (!(await hasTable(client, table))) return [];
        const values = typeof which === 'string' ? [] : [which.value];
        return (await client.query(`select * from ${table}${whichRows(which, '$1')}`, values)).rows;
      },
      load: async (content) => {
        await load(client, schema, content).catch((error) => {
          throw asStartError(error);
        });
        return undefined;
      },
      close,
    };
  } catch (error) {
    await close();
    throw asStartError(error);
  }
}

async function load(client: Client, schema: Schema, content: RestoredContent): Promise<void> {
  const { schemaVersion: version, batches, epoch, ids, finish } = content;
  await client.query('begin');
  try {
    if ((await schemaVersion(client)) === version) await emptyTables(client, schema);
    else await rebuildTables(client, schema, version);
    for await (const batch of batches) await insert(client, batch);
    await migrateInTransaction(client, schema);
    // A store that was never started has no row to update; its first start inserts one.
    await client.query(`update meta set value = $1 where key = 'epoch'`, [epoch]);
    await raiseIds(client, ids);
    const connection = new PreparedConnection(client);
    await finish(connection.tx);
    await connection.settle();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Inserts a batch in one statement; the table definition gives the type of each column. */
async function insert(client: Client, { table, columns, rows }: RowBatch): Promise<void> {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  await client.query(
    `insert into "${table}" (${names}) select ${names} from json_populate_recordset(null::"${table}", $1)`,
    [JSON.stringify(objects)],
  );
}
