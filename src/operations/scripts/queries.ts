// Queries on script runs: which are due, leased, lapsed or to be stopped.

import { sql } from 'kysely';
import type { ScriptResult } from '../../domain/script.ts';
import type { NewEvent } from '../../store/event-log.ts';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import { idsIn, isOneOfIds, statement } from '../../store/statement.ts';
import type { Instant, Query } from '../../store/store.ts';
import { scriptsElsewhere } from './node-script-rows.ts';

/**
 * Runs later than this are skipped and reported: a door that opens hours after the alarm is worse than one that stays
 * shut.
 */
export const latestStartMs = 600_000;

const id = { id: 'int' } as const;

/** Literals, so that the partial indexes on these states are used. */
const due = sql.lit('due');
const started = sql.lit('started');

export const runRows = {
  insert: insertRows('command_runs', {
    alarm_id: 'int',
    alarm_path: 'text',
    station_id: 'int',
    script_id: 'int',
    parameter: 'text',
    state: 'text',
    created_at: 'int',
    detail: 'text',
  }),
  start: updateRows('command_runs', id, { state: 'text', started_at: 'int', lease_by: 'text', lease_until: 'int' }),
  stop: updateRows('command_runs', id, { stop_at: 'int' }),
  end: updateRows('command_runs', id, {
    state: 'text',
    ended_at: 'int',
    exit_code: 'int',
    detail: 'text',
    lease_until: 'int',
  }),
};

const columns = [
  'id',
  'alarm_id',
  'alarm_path',
  'station_id',
  'script_id',
  'parameter',
  'state',
  'created_at',
  'lease_by',
] as const;

export type RunRow = {
  readonly id: number;
  readonly alarm_id: number;
  readonly alarm_path: string;
  readonly station_id: number;
  readonly script_id: number;
  readonly parameter: string;
  readonly state: string;
  readonly created_at: Instant;
  readonly lease_by: string | null;
};

/** `elsewhere`: the scripts that only other nodes have. */
export const selectDueRuns = statement((db, args: { limit: number; elsewhere: string }, kind) =>
  db
    .selectFrom('command_runs')
    .select(columns)
    .where('state', '=', due)
    .where('script_id', 'not in', idsIn(args.elsewhere, kind))
    .orderBy('id')
    .limit(args.limit),
);

/** Runs that nobody has begun in time, whichever node has their script. */
export const selectLateRuns = statement((db, args: { before: Instant; limit: number }) =>
  db
    .selectFrom('command_runs')
    .select(columns)
    .where('state', '=', due)
    .where('created_at', '<', args.before)
    .orderBy('id')
    .limit(args.limit),
);

/** Runs whose lease has lapsed: their node is gone and the outcome is unknown. */
export const selectLapsedRuns = statement((db, args: { now: Instant; limit: number }) =>
  db
    .selectFrom('command_runs')
    .select(columns)
    .where('state', '=', started)
    .where('lease_until', '<=', args.now)
    .orderBy('lease_until')
    .limit(args.limit),
);

export const selectRun = statement((db, args: { id: number }) =>
  db.selectFrom('command_runs').select(columns).where('id', '=', args.id),
);

/** The runs of the alarms that have not ended. */
export const selectOpenRuns = statement((db, args: { alarmIds: string }, kind) =>
  db
    .selectFrom('command_runs')
    .select(columns)
    .where(isOneOfIds('alarm_id', args.alarmIds, kind))
    .where('ended_at', 'is', null),
);

export const renewRuns = statement((db, args: { ids: string; node: string; until: Instant }, kind) =>
  db
    .updateTable('command_runs')
    .set({ lease_until: args.until })
    .where(isOneOfIds('id', args.ids, kind))
    .where('lease_by', '=', args.node)
    .where('state', '=', started),
);

const anyDue = statement((db, args: { elsewhere: string }, kind) =>
  db
    .selectFrom('command_runs')
    .select('id')
    .where('state', '=', due)
    .where('script_id', 'not in', idsIn(args.elsewhere, kind))
    .limit(1),
);

const anyLate = statement((db, args: { before: Instant }) =>
  db.selectFrom('command_runs').select('id').where('state', '=', due).where('created_at', '<', args.before).limit(1),
);

const anyLapsed = statement((db, args: { now: Instant }) =>
  db.selectFrom('command_runs').select('id').where('state', '=', started).where('lease_until', '<=', args.now).limit(1),
);

const selectAskedToStop = statement((db, args: { node: string }) =>
  db
    .selectFrom('command_runs')
    .select('id')
    .where('state', '=', started)
    .where('lease_by', '=', args.node)
    .where('stop_at', 'is not', null),
);

type ScriptWork = {
  readonly isDue: boolean;
  /** Runs wait that must be ended: their node is gone, or it is too late to begin them. */
  readonly hasLapsed: boolean;
  /** The runs of this node that were asked to stop. */
  readonly toStop: readonly number[];
};

/** Finds the work for a node, which may have no scripts itself, with a few index lookups. */
export const findScriptWork: Query<{ now: Instant; node: string; scriptIds: readonly number[] }, ScriptWork> = {
  name: 'find-script-work',
  isQuick: true,
  async run(tx, { now, node, scriptIds }) {
    return {
      isDue: (await tx.one(anyDue, { elsewhere: await scriptsElsewhere(tx, scriptIds) })) !== undefined,
      hasLapsed:
        (await tx.one(anyLapsed, { now })) !== undefined ||
        (await tx.one(anyLate, { before: now - latestStartMs })) !== undefined,
      toStop: (await tx.all(selectAskedToStop, { node })).map((row) => row.id),
    };
  },
};

/** The event of an ended run, for the timeline of its alarm. */
export function scriptRunEnded(run: RunRow, result: ScriptResult): NewEvent {
  const { outcome, exitCode, detail, output } = result;
  return {
    kind: 'alarm.command-ended',
    actor: 'system',
    stationId: run.station_id,
    subjectId: run.alarm_id,
    data: {
      scriptId: run.script_id,
      outcome,
      ...(exitCode === undefined ? {} : { exitCode }),
      detail,
      output,
    },
  };
}

export function endedRow({ id }: RunRow, at: Instant, { outcome, exitCode = null, detail }: RunResult) {
  return { id, state: outcome, ended_at: at, exit_code: exitCode, detail, lease_until: null };
}

type RunResult = Pick<ScriptResult, 'outcome' | 'detail'> & { readonly exitCode?: number | null };
