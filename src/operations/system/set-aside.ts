// Rows of due work that fail because of a fault in Tocsin: put off by a minute, so that they hold up no others, and named by an
// alarm for as long as they fail.

import { sql } from 'kysely';
import type { SystemText } from '../../domain/alarms/system-texts/texts.ts';
import { type CallTarget, targetName } from '../../domain/calls/call.ts';
import type { SetAside } from '../../domain/system-report.ts';
import { getMeta, removeMeta, setMeta } from '../../store/meta.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Operation, Query, Tx } from '../../store/store.ts';
import { endSystemAlarm, raiseSystemAlarm } from '../alarms/intake/report.ts';
import { findAlarmRecords } from '../alarms/queries.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { setAsidePrefix } from './set-aside-rows.ts';

/**
 * A cause that cannot be decided on, an alarm whose delay, mask or news cannot end, or a piece of an
 * acknowledgement or a move that cannot be carried out.
 */
export type DueRow = { readonly kind: 'cause' | 'alarm' | PieceKind; readonly id: number };

type PieceKind = 'acknowledgement' | 'move';

/** How long a row is put off before it is tried again. */
const putOffMs = 60_000;

/** Time after the end of a delay in which a row is tried again by some node. */
const graceMs = 30_000;

/** Puts the row off and raises the alarm that names it. */
export const setAsideRow: Operation<DueRow, void> = {
  name: 'set-aside-row',
  async run(tx, now, { kind, id }) {
    const until = now + putOffMs;
    // What is done in pieces is put off by the entry below alone.
    if (kind === 'cause' || kind === 'alarm') await tx.run(putOff[kind], { id, until });
    const { path, message } = kind === 'cause' ? await callOf(tx, id) : named[kind](id);
    await raiseSystemAlarm(tx, now, {
      path,
      priority: 1,
      message,
      isCalled: true,
    });
    await setMeta(tx, path, String(until));
  },
};

export function isPutOffByRow(work: { readonly kind: string; readonly id: number }): work is DueRow {
  return work.id !== 0 && putOffKinds.has(work.kind);
}

const putOffKinds: ReadonlySet<string> = new Set<DueRow['kind']>(['cause', 'alarm', 'acknowledgement', 'move']);

/** Puts the row off, without an alarm that it is tried again. */
export async function putOffRow(tx: Tx, { kind, id }: DueRow, until: Instant): Promise<void> {
  if (kind === 'cause' || kind === 'alarm') await tx.run(putOff[kind], { id, until });
  else await setMeta(tx, named[kind](id).path, String(until));
}

/** The row is due again at once, if it was put off. */
export async function endPutOff(tx: Tx, now: Instant, { kind, id }: DueRow): Promise<void> {
  if (kind === 'cause' || kind === 'alarm') await tx.run(endPuttingOff[kind], { id, now });
  else await removeMeta(tx, named[kind](id).path);
}

/** The alarm about a row that no node has set aside again since it was tried. */
type OverAlarm = { readonly path: string; readonly stationId: number };

/** Returns the alarms about rows that work again, or are gone. */
export const listSetAsideOver: Query<{ readonly now: Instant }, readonly OverAlarm[]> = {
  name: 'list-set-aside-over',
  isQuick: true,
  async run(tx, { now }) {
    const over: OverAlarm[] = [];
    for (const alarm of await tx.all(selectOpen, { path: `system/${setAsidePrefix}%` })) {
      const path = alarm.path.slice('system/'.length);
      const until = Number((await getMeta(tx, path)) ?? 0);
      if (now >= until + graceMs) over.push({ path, stationId: alarm.station_id });
    }
    return over;
  },
};

/** Returns all work that fails now, by the alarms that say so. */
export const listSetAside: Query<Record<string, never>, readonly SetAside[]> = {
  name: 'list-set-aside',
  async run(tx) {
    const open = await tx.all(selectOpen, { path: `system/${setAsidePrefix}%` });
    const alarms = await findAlarmRecords(
      tx,
      open.map(({ id }) => id),
    );
    const found: SetAside[] = [];
    for (const { id, path, definition } of alarms) {
      const until = await getMeta(tx, path.slice('system/'.length));
      found.push({ alarmId: id, definition, retryAt: until === undefined ? undefined : Number(until) });
    }
    return found;
  },
};

export const endSetAside: Operation<OverAlarm, void> = {
  name: 'end-set-aside',
  async run(tx, now, { path, stationId }) {
    await removeMeta(tx, path);
    await endSystemAlarm(tx, now, path, stationId, 'end-calls');
  },
};

type Named = { readonly path: string; readonly message: SystemText };

const named: { readonly [K in 'alarm' | PieceKind]: (id: number) => Named } = {
  alarm: (id) => ({
    path: `${setAsidePrefix}alarm/${id}`,
    message: { code: 'set-aside-alarm', parameters: { alarmId: id } },
  }),
  acknowledgement: (id) => ({
    path: `${setAsidePrefix}acknowledgement/${id}`,
    message: { code: 'set-aside-acknowledgement', parameters: {} },
  }),
  move: (id) => ({ path: `${setAsidePrefix}move/${id}`, message: { code: 'set-aside-move', parameters: {} } }),
};

const noNames: ReadonlyMap<number, { readonly name: string }> = new Map();

/** One alarm per group or person called: the alarm calls somebody itself, and must not lead to another one if that fails too. */
async function callOf(tx: Tx, id: number): Promise<Named> {
  const row = await tx.one(selectCause, { id });
  const target = { kind: (row?.target_kind ?? 'group') as CallTarget['kind'], id: row?.target_id ?? 0 };
  const { snapshot } = await readCallConfiguration(tx);
  // The alarm stands on the default station of the installation, like everything about Tocsin itself.
  const called = { group: snapshot.groups, user: snapshot.people, number: noNames, 'last-resort': noNames }[
    target.kind
  ];
  const name = called.get(target.id)?.name ?? '';
  return {
    path: `${setAsidePrefix}${targetName(target).replace(' ', '/')}`,
    message: { code: 'set-aside-call', parameters: { kind: target.kind, id: target.id, name } },
  };
}

const putOff = {
  alarm: statement((db, args: { id: number; until: Instant }) =>
    db.updateTable('alarms').set({ next_due: args.until }).where('id', '=', args.id),
  ),
  cause: statement((db, args: { id: number; until: Instant }) =>
    db.updateTable('call_causes').set({ retry_at: args.until }).where('cause_id', '=', args.id),
  ),
} as const;

const endPuttingOff = {
  alarm: statement((db, args: { id: number; now: Instant }) =>
    db.updateTable('alarms').set({ next_due: args.now }).where('id', '=', args.id).where('next_due', '>', args.now),
  ),
  cause: statement((db, args: { id: number; now: Instant }) =>
    db
      .updateTable('call_causes')
      .set({ retry_at: args.now })
      .where('cause_id', '=', args.id)
      .where('retry_at', '>', args.now),
  ),
} as const;

const selectCause = statement((db, args: { id: number }) =>
  db.selectFrom('call_causes').select(['target_kind', 'target_id']).where('id', '=', args.id),
);

const selectOpen = sqlStatement<{ path: string }, { id: number; path: string; station_id: number }>(
  ({ path }) => sql`select alarms.id, alarms.path, alarms.station_id from ${table('data_servers')}
    join ${table('alarms')} on alarms.data_server_id = data_servers.id
    where data_servers.is_system = 1 and alarms.path like ${path} and alarms.state in (1, 3)`,
);
