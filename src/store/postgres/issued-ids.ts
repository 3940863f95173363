// Reads the ids PostgreSQL has assigned, and raises its sequences so that later ids are higher.

import type { ClientBase, Pool } from 'pg';
import type { Ids } from '../backup/high-water.ts';

type Connection = Pick<ClientBase | Pool, 'query'>;

const selectSequences = `
  select table_name, pg_sequence_last_value(sequence) as last from (
    select table_name, pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass as sequence
    from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'
  ) as identities`;

/** Sequences are not transactional: the result includes ids of uncommitted transactions, as it should. */
export async function readIds(connection: Connection): Promise<Ids> {
  const { rows } = await connection.query(selectSequences);
  const ids = Object.fromEntries(rows.map(({ table_name, last }) => [String(table_name), Number(last ?? 0)]));
  if (ids.events === undefined) return ids;
  // Clients know events by position, which exceeds the ids only by as much as a restore raised it.
  const { rows: counters } = await connection.query('select last from event_counter');
  return { ...ids, events: Math.max(ids.events, Number(counters[0]?.last ?? 0)) };
}

/** Raises the sequences of the existing tables to at least `ids`; never lowers one, even while other nodes take ids. */
export async function raiseIds(connection: Connection, ids: Ids): Promise<void> {
  const present = await readIds(connection);
  for (const [table, id] of Object.entries(ids)) {
    if (present[table] === undefined || id === 0) continue;
    const sequence = `pg_get_serial_sequence('${table}', 'id')::regclass`;
    await connection.query(
      `select setval(${sequence}, greatest($1::bigint, coalesce(pg_sequence_last_value(${sequence}), 0)))`,
      [id],
    );
    if (table === 'events') await connection.query('update event_counter set last = greatest(last, $1)', [id]);
  }
}
