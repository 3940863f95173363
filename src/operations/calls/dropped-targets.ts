// Ends the calling of targets that an alarm, changed while it is raised, does not name any more.

import { targetName } from '../../domain/calls/call.ts';
import type { Reason } from '../../domain/escalation/reason.ts';
import { isOneOfIds, statement } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { selectEscalations, targetOf } from './engine/rows/escalation-rows.ts';
import { appendSteps } from './engine/steps.ts';
import { selectOpenCausesOf } from './queries.ts';

export type Dropped = {
  readonly alarmId: number;
  readonly at: Instant;
  /** The names of the targets. */
  readonly targets: ReadonlySet<string>;
  /** Whether the alarm calls nobody any more, so that its last resort ends as well. */
  readonly isAll: boolean;
};

const reason = { code: 'not-named' } as const satisfies Reason;

/** A phone that rings rings on to the end of that ring, and its keys count. */
export async function dropTargets(tx: Tx, dropped: readonly Dropped[]): Promise<void> {
  if (dropped.length === 0) return;
  const ofAlarms = new Map(dropped.map((one) => [one.alarmId, one]));
  const open = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify([...ofAlarms.keys()]) });
  const rows = open.filter((row) => {
    const { targets, isAll } = ofAlarms.get(row.alarm_id ?? 0) ?? { targets: new Set(), isAll: false };
    const isNamed = row.target_kind === 'last-resort' ? !isAll : !targets.has(targetName(targetOf(row)));
    return row.list === 'alarm' && row.state !== 'done' && !isNamed;
  });
  if (rows.length === 0) return;
  const ids = JSON.stringify(rows.map(({ id }) => id));
  await tx.run(endEscalations, { ids, reason: JSON.stringify(reason) });
  const called = rows.filter(({ call_id }) => call_id !== null);
  const known = {
    rows: new Map((await tx.all(selectEscalations, { ids })).map((row) => [row.id, row])),
    callIds: new Map(called.flatMap(({ id, call_id }) => (call_id === null ? [] : [[id, call_id] as const]))),
  };
  const steps = called.map(({ id, round }) => ({ kind: 'done', escalationIds: [id], round, reason }) as const);
  await appendSteps(tx, Math.max(...dropped.map(({ at }) => at)), { changed: [], begin: [], steps }, known);
}

const endEscalations = statement((db, args: { ids: string; reason: string }, kind) =>
  db
    .updateTable('call_causes')
    .set((eb) => ({ state: 'done', trouble: null, reason: args.reason, version: eb('version', '+', 1) }))
    .where(isOneOfIds('id', args.ids, kind)),
);
