// Leases script runs to nodes and records their outcomes. No run is ever started twice.

import type { ScriptOrder, ScriptResult } from '../../domain/script.ts';
import { quietOutcomes } from '../../domain/script.ts';
import { appendEvent } from '../../store/event-log.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { scriptsElsewhere } from './node-script-rows.ts';
import {
  endedRow,
  latestStartMs,
  type RunRow,
  renewRuns,
  runRows,
  scriptRunEnded,
  selectDueRuns,
  selectLapsedRuns,
  selectLateRuns,
  selectRun,
} from './queries.ts';

const lapsedPerStep = 100;

type Take = {
  readonly node: string;
  readonly leaseMs: number;
  /** How many it can begin; a node without scripts only ends the runs that nobody can. */
  readonly room: number;
  /** The scripts of the node; those that only others have are left to them. */
  readonly scriptIds: readonly number[];
  /** The runs the node still works on: it is alive, even if their lease has lapsed. */
  readonly heldRunIds: readonly number[];
};

/** Leases due runs to a node. A run whose node is gone is not started again, because it may have done its work. */
export const takeScriptRuns: Operation<Take, readonly ScriptOrder[]> = {
  name: 'take-script-runs',
  async run(tx, now, { node, leaseMs, room, scriptIds, heldRunIds }) {
    const lapsed = await tx.all(selectLapsedRuns, { now, limit: lapsedPerStep });
    const isOwn = ({ id, lease_by }: RunRow): boolean => lease_by === node && heldRunIds.includes(id);
    const own = lapsed.filter(isOwn).map(({ id }) => id);
    if (own.length > 0) await tx.run(renewRuns, { ids: JSON.stringify(own), node, until: now + leaseMs });
    for (const run of lapsed.filter((row) => !isOwn(row))) await finish(tx, now, run, lost);
    const before = now - latestStartMs;
    for (const run of await tx.all(selectLateRuns, { before, limit: lapsedPerStep })) await finish(tx, now, run, late);
    if (room === 0) return [];
    const due = await tx.all(selectDueRuns, { limit: room, elsewhere: await scriptsElsewhere(tx, scriptIds) });
    const taken = due.filter(({ created_at }) => created_at >= before);
    await tx.each(
      runRows.start,
      taken.map(({ id }) => ({ id, state: 'started', started_at: now, lease_by: node, lease_until: now + leaseMs })),
    );
    return taken.map(({ id, script_id, parameter, alarm_id, alarm_path }) => ({
      id,
      scriptId: script_id,
      parameter,
      alarmId: alarm_id,
      alarmPath: alarm_path,
    }));
  },
};

const lost: ScriptResult = {
  outcome: 'unknown',
  detail: 'the server that ran it is gone: nobody knows what became of it, and it is not run again',
  output: '',
};

const late: ScriptResult = {
  outcome: 'too-late',
  detail: 'it could not be begun in time and was left out',
  output: '',
};

type HeldRuns = { readonly node: string; readonly leaseMs: number; readonly ids: readonly number[] };

export const renewScriptRuns: Operation<HeldRuns, void> = {
  name: 'renew-script-runs',
  async run(tx, now, { node, leaseMs, ids }) {
    await tx.run(renewRuns, { ids: JSON.stringify(ids), node, until: now + leaseMs });
  },
};

type EndedRun = { readonly node: string; readonly id: number; readonly result: ScriptResult };

/** Records the outcome of a run. A run already given up as unknown stays so. */
export const endScriptRun: Operation<EndedRun, void> = {
  name: 'end-script-run',
  async run(tx, now, { node, id, result }) {
    const run = await tx.one(selectRun, { id });
    if (run?.state === 'started' && run.lease_by === node) await finish(tx, now, run, result);
  },
};

async function finish(tx: Tx, now: Instant, run: RunRow, result: ScriptResult): Promise<void> {
  await tx.each(runRows.end, [endedRow(run, now, result)]);
  await appendEvent(tx, now, scriptRunEnded(run, result));
  if (quietOutcomes.has(result.outcome)) return;
  await raiseSystemAlarm(tx, now, {
    path: `command/${run.script_id}`,
    stationId: run.station_id,
    priority: 2,
    message: {
      code: 'command',
      parameters: {
        scriptId: run.script_id,
        alarmId: run.alarm_id,
        alarm: run.alarm_path,
        detail: result.detail,
      },
    },
  });
}
