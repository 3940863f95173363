// Writes the steps of escalations into the event log, where the timelines of alarms and the consoles find them.

import { systemCaller } from '../../../domain/access/access.ts';
import { type Escalation, groupOf, type LevelKey, type TryFor } from '../../../domain/escalation/escalation.ts';
import type { Reason } from '../../../domain/escalation/reason.ts';
import { appendEvents } from '../../../store/event-log.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { callsChanged } from './call-events.ts';
import type { CallIds } from './rows/call-ids.ts';
import { type EscalationRow, targetOf } from './rows/escalation-rows.ts';

type Known = { readonly rows: ReadonlyMap<number, EscalationRow>; readonly callIds: CallIds };

/** A step of escalations that the timelines of their alarms show. */
export type Step = {
  readonly kind: 'round' | 'level' | 'waiting' | 'exhausted' | 'done';
  readonly escalationIds: readonly number[];
  readonly round: number;
  readonly level?: LevelKey;
  readonly reason: Reason;
};

type Stepped = {
  readonly changed: readonly { readonly escalation: Pick<Escalation, 'id'> }[];
  readonly begin: readonly { readonly tries: readonly TryFor[] }[];
  readonly steps: readonly Step[];
};

export async function appendSteps(tx: Tx, now: Instant, plan: Stepped, known: Known): Promise<void> {
  const about = { actor: systemCaller.actor, at: now };
  const steps = plan.steps.flatMap((step) =>
    [...ofCalls(step, known)].map(([callId, rows]) => ({
      ...about,
      kind: `call.${step.kind}`,
      subjectId: callId,
      data: dataOf(step, rows),
    })),
  );
  const shown = new Set(steps.map(({ subjectId }) => subjectId));
  const changed = new Set([...plan.changed.map(({ escalation: { id } }) => id), ...triedIn(plan)]);
  const others = new Set([...changed].flatMap((id) => known.callIds.get(id) ?? []));
  await appendEvents(tx, [
    ...steps,
    ...[...others].filter((id) => !shown.has(id)).map((id) => ({ ...about, kind: callsChanged, subjectId: id })),
  ]);
}

function triedIn({ begin }: Stepped): readonly number[] {
  return begin.flatMap(({ tries }) => tries.map(({ escalationId }) => escalationId));
}

function ofCalls({ escalationIds }: Step, { rows, callIds }: Known): ReadonlyMap<number, readonly EscalationRow[]> {
  const found = escalationIds.flatMap((id) => rows.get(id) ?? []);
  return Map.groupBy(found, ({ id }) => callIds.get(id) ?? id);
}

function dataOf({ round, level, reason }: Step, rows: readonly EscalationRow[]) {
  const [first] = rows;
  const groupId = groupOf(level);
  const isRelief = level?.startsWith('relief');
  return {
    round,
    reason,
    ...(first === undefined ? {} : { target: targetOf(first) }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(isRelief ? { isRelief } : {}),
    causes: rows.map(({ cause_id, id }) => cause_id ?? id),
  };
}
