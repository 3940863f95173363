// Finds the people who need not be rung by the last resort, because they have heard the call that nobody took.

import { sql } from 'kysely';
import type { CallTarget } from '../../../domain/calls/call.ts';
import { sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { ReadTx } from '../../../store/store.ts';

const prefix = 'nobody-took-it/';

/** Returns the path of the system alarm that says that nobody took what this target was called for. */
export function untakenPath({ kind, id }: CallTarget): string {
  return `${prefix}${kind}/${id}`;
}

/** Returns the ids of the people who heard, in their latest round, the calls that the last resort is called about. */
export async function heardAlready(tx: ReadTx, callId: number): Promise<ReadonlySet<number>> {
  const heard = new Set<number>();
  for (const { path } of await tx.all(selectUntaken, { callId })) {
    const [kind = '', id = ''] = path.slice(`system/${prefix}`.length).split('/');
    for (const row of await tx.all(selectHeard, { kind, id: Number(id) })) heard.add(row.user_id);
  }
  return heard;
}

const selectUntaken = sqlStatement<{ callId: number }, { path: string }>(
  (args) => sql`select distinct alarms.path from ${table('call_causes')}
    inner join ${table('alarms')} on alarms.id = call_causes.alarm_id
    inner join ${table('data_servers')} on data_servers.id = alarms.data_server_id
    where call_causes.call_id = ${args.callId} and call_causes.ended_at is null and data_servers.is_system = 1
      and alarms.path like ${sql.lit(`system/${prefix}%`)}`,
);

const selectHeard = sqlStatement<{ kind: string; id: number }, { user_id: number }>(
  (args) => sql`select call_cycles.user_id from ${table('call_cycles')} inner join ${table('calls')}
    on calls.id = call_cycles.call_id and calls.round = call_cycles.round
    where calls.id = (select max(id) from ${table('calls')} where target_kind = ${args.kind} and target_id = ${args.id})
      and call_cycles.phase in ('acknowledged', 'followed')`,
);
