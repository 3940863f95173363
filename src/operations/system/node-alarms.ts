// The system alarms about a node: those about its machine last as long as their cause, and are over with the node.

import { sql } from 'kysely';
import type { SystemText } from '../../domain/alarms/system-texts/texts.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { endSystemAlarm, raiseSystemAlarm } from '../alarms/intake/report.ts';

type NodeTrouble = 'disk-low' | 'few-descriptors' | 'events-delayed' | 'providers-unopened';

type NodeText = Extract<SystemText, { readonly code: NodeTrouble }>;

const nodeTroubles: readonly NodeTrouble[] = ['disk-low', 'few-descriptors', 'events-delayed', 'providers-unopened'];

function raise(tx: Tx, now: Instant, message: NodeText): Promise<void> {
  const { code, parameters } = message;
  return raiseSystemAlarm(tx, now, { path: `${code}/${parameters.node}`, priority: 2, message, isCalled: true });
}

/** Raised while the disk still has room to store the alarm. */
export const reportDiskLow: Operation<{ readonly nodeName: string; readonly percent: number }, void> = {
  name: 'report-disk-low',
  run: (tx, now, { nodeName, percent }) =>
    raise(tx, now, { code: 'disk-low', parameters: { node: nodeName, percent } }),
};

/** Raised while connections can still be accepted: an alarm whose connection is refused is not even noticed. */
export const reportFewDescriptors: Operation<
  { readonly nodeName: string; readonly open: number; readonly limit: number },
  void
> = {
  name: 'report-few-descriptors',
  run: (tx, now, { nodeName, open, limit }) =>
    raise(tx, now, { code: 'few-descriptors', parameters: { node: nodeName, open, limit } }),
};

/** Raised because consoles show an old state and telephones ring on: the alarms themselves are stored, and people called. */
export const reportEventsDelayed: Operation<{ readonly nodeName: string; readonly seconds: number }, void> = {
  name: 'report-events-delayed',
  run: (tx, now, { nodeName, seconds }) =>
    raise(tx, now, { code: 'events-delayed', parameters: { node: nodeName, seconds } }),
};

/** Raised because one node less carries calls, and the one that does may be alone. */
export function reportProvidersUnopened(
  tx: Tx,
  now: Instant,
  parameters: Extract<NodeText, { readonly code: 'providers-unopened' }>['parameters'],
): Promise<void> {
  return raise(tx, now, { code: 'providers-unopened', parameters });
}

export function endProvidersUnopened(tx: Tx, now: Instant, nodeName: string): Promise<void> {
  return endOpenSystemAlarm(tx, now, `providers-unopened/${nodeName}`, 'end-calls');
}

/** The calls that were cut off are failed attempts, and the people are called again; somebody has to look at the log. */
export const reportTelephonyEnded: Operation<{ readonly nodeName: string }, void> = {
  name: 'report-telephony-ended',
  run: (tx, now, { nodeName }) =>
    raiseSystemAlarm(tx, now, {
      path: `telephony-ended/${nodeName}`,
      priority: 2,
      message: { code: 'telephony-ended', parameters: { node: nodeName } },
      isRepeated: true,
      isCalled: true,
    }),
};

export const endNodeTrouble: Operation<{ readonly nodeName: string; readonly trouble: NodeTrouble }, void> = {
  name: 'end-node-trouble',
  run: (tx, now, { nodeName, trouble }) => endOpenSystemAlarm(tx, now, `${trouble}/${nodeName}`, 'end-calls'),
};

/** Ends the alarms about nodes that are gone: they would stay for ever, as after a start in a container of another name. */
export async function endTroublesOfGone(tx: Tx, now: Instant): Promise<void> {
  const running = new Set((await tx.all(selectNames, {})).map(({ name }) => name));
  // While a node of an earlier version runs, which does not say its name, none counts as gone.
  if (running.has(null)) return;
  for (const trouble of nodeTroubles) {
    for (const { path, station_id } of await tx.all(selectOpen, { path: `system/${trouble}/%` })) {
      const own = path.slice('system/'.length);
      if (!running.has(own.slice(trouble.length + 1))) await endSystemAlarm(tx, now, own, station_id, 'end-calls');
    }
  }
}

const selectNames = statement((db) => db.selectFrom('nodes').select('name'));

const selectOpen = sqlStatement<{ path: string }, { path: string; station_id: number }>(
  ({ path }) => sql`select alarms.path, alarms.station_id from ${table('data_servers')}
    join ${table('alarms')} on alarms.data_server_id = data_servers.id
    where data_servers.is_system = 1 and alarms.path like ${path} and alarms.state in (1, 3)`,
);
