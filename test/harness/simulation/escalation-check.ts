// Checks the escalation in a simulation: when the calling for an alarm ended without anybody taking it, everybody on the escalation path
// was called. Computed from the directory and the stored rows alone, without the escalation engine.

import type { CallTarget } from '../../../src/domain/calls/call.ts';
import { onDutyIn, standInFor } from '../../../src/domain/on-call/on-duty.ts';
import type { PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import { readCallConfiguration } from '../../../src/operations/configuration/call-configuration.ts';
import type { Query } from '../../../src/store/store.ts';
import { testStatement } from '../stores/test-statement.ts';

/** Causes of alarms whose call ended by itself: all rounds that the priority has are over, and nobody took the alarm. */
const selectUntaken = testStatement((db) =>
  db
    .selectFrom('call_causes')
    .innerJoin('calls', 'calls.id', 'call_causes.call_id')
    .select(['call_causes.id', 'call_causes.alarm_id', 'call_causes.history_id', 'call_causes.ended_at', 'call_id'])
    .select(['calls.target_kind', 'calls.target_id', 'calls.started_at'])
    .where('kind', '=', 'alarm')
    .where('list', '=', 'alarm')
    .where('call_causes.ended_by', '=', 'call'),
);

/** The first cause of the occurrence in the call: two actions may call the same group, one of them later. */
const selectFirst = testStatement((db, args: { callId: number; historyId: number }) =>
  db
    .selectFrom('call_causes')
    .select('due_at')
    .where('call_id', '=', args.callId)
    .where('history_id', '=', args.historyId)
    .orderBy('due_at')
    .limit(1),
);

const selectAttempts = testStatement((db, args: { callId: number }) =>
  db.selectFrom('call_attempts').select(['user_id', 'ended_at']).where('call_id', '=', args.callId),
);

export type Untaken = {
  readonly causeId: number;
  readonly alarmId: number;
  /** Ids of people on the escalation path who were not called for it. */
  readonly uncalled: readonly number[];
};

/** Returns each cause that ended untaken. */
export const getUntaken: Query<Record<string, never>, readonly Untaken[]> = {
  name: 'test-untaken',
  async run(tx) {
    const { snapshot, policy } = await readCallConfiguration(tx);
    const untaken: Untaken[] = [];
    for (const cause of await tx.all(selectUntaken, {})) {
      const period = { from: cause.started_at, to: cause.ended_at ?? cause.started_at };
      const attempts = await tx.all(selectAttempts, { callId: cause.call_id ?? 0 });
      const first = await tx.one(selectFirst, { callId: cause.call_id ?? 0, historyId: cause.history_id ?? 0 });
      // An attempt that was under way when the alarm joined the call announces it, or is followed by one that does. Where
      // people are not called again for a new alarm, those who were called before have had their call.
      const since = policy.callAgain ? (first?.due_at ?? 0) : 0;
      const called = attempts.filter(({ ended_at }) => (ended_at ?? period.to) >= since);
      const ids = new Set(called.map(({ user_id }) => user_id));
      const path = escalationPath(
        { kind: cause.target_kind as CallTarget['kind'], id: cause.target_id },
        snapshot,
        period,
      );
      const uncalled = path.filter((userId) => !ids.has(userId));
      untaken.push({ causeId: cause.id, alarmId: cause.alarm_id ?? 0, uncalled });
    }
    return untaken;
  },
};

type Period = { readonly from: number; readonly to: number };

/**
 * Returns the people who had the duty of the group, or of a relief group behind it, during the whole call; those whose duty
 * began or ended meanwhile may have been called or not. The last resort leaves out people who have heard it already.
 */
function escalationPath({ kind, id }: CallTarget, snapshot: PeopleSnapshot, { from, to }: Period): readonly number[] {
  if (kind === 'user') return snapshot.people.has(id) ? [standInFor(id, snapshot).userId] : [];
  const people = new Set<number>();
  const visited = new Set<number>();
  for (let groupId = kind === 'group' ? id : undefined; groupId !== undefined && !visited.has(groupId); ) {
    visited.add(groupId);
    const group = snapshot.groups.get(groupId);
    if (group === undefined) break;
    const { members, until = Number.POSITIVE_INFINITY } = onDutyIn(group, snapshot, from);
    if (until > to) for (const { userId } of members) people.add(userId);
    groupId = group.reliefGroupId;
  }
  return [...people];
}
