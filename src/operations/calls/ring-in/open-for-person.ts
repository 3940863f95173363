// The alarms that are open for a person who rings in: nobody has taken them, and the person is called or on the way up.

import { seesStation } from '../../../domain/access/access.ts';
import { type CallPolicy, type CallTarget, targetName } from '../../../domain/calls/call.ts';
import { peopleInReach } from '../../../domain/calls/decision-context.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { idsIn, statement } from '../../../store/statement.ts';
import type { ReadTx } from '../../../store/store.ts';

/** More are not looked at; a person who has taken some rings in again. */
const mostLookedAt = 2_000;

export type OpenAlarm = {
  readonly id: number;
  readonly priority: number;
  readonly station_id: number;
  readonly kind: string;
  readonly list: string;
  readonly alarm_id: number | null;
  readonly is_transitory: number;
  readonly message_id: number | null;
  readonly text: string;
  readonly short_text: string;
};

/** Returns a cause of each alarm, the most urgent first. */
export async function openForPerson(
  tx: ReadTx,
  userId: number,
  snapshot: PeopleSnapshot,
  policy: CallPolicy,
): Promise<readonly OpenAlarm[]> {
  const person = snapshot.people.get(userId);
  if (person === undefined) return [];
  const rows = await tx.all(selectUntaken, { limit: mostLookedAt });
  const callIds = [...new Set(rows.flatMap(({ call_id }) => call_id ?? []))];
  const called = new Set(
    (await tx.all(selectCalled, { userId, callIds: JSON.stringify(callIds) })).map(({ call_id }) => call_id),
  );
  const inReach = new Map<string, ReadonlySet<number>>();
  const isOnTheWayUp = (target: CallTarget): boolean => {
    const name = targetName(target);
    const people = inReach.get(name) ?? peopleInReach(target, snapshot, policy);
    inReach.set(name, people);
    return people.has(userId);
  };
  const isOwn = (row: (typeof rows)[number]): boolean =>
    seesStation(person, row.station_id) && (called.has(row.call_id ?? 0) || isOnTheWayUp(targetOf(row)));
  const byAlarm = new Map<number, OpenAlarm>();
  for (const row of rows.filter(isOwn)) {
    const alarmId = row.alarm_id ?? 0;
    if (!byAlarm.has(alarmId)) byAlarm.set(alarmId, row);
  }
  return [...byAlarm.values()];
}

function targetOf({ target_kind, target_id }: { target_kind: string; target_id: number }): CallTarget {
  return { kind: target_kind as CallTarget['kind'], id: target_id };
}

/** The causes of the present occurrences of alarms that nobody has taken; a call for them has begun. */
const selectUntaken = statement((db, args: { limit: number }) =>
  db
    .selectFrom('alarms')
    .innerJoin('call_causes', (join) =>
      join.onRef('call_causes.alarm_id', '=', 'alarms.id').onRef('call_causes.history_id', '=', 'alarms.occurrence_id'),
    )
    .select([
      'call_causes.id',
      'call_causes.call_id',
      'call_causes.kind',
      'call_causes.list',
      'call_causes.target_kind',
      'call_causes.target_id',
      'call_causes.station_id',
      'call_causes.alarm_id',
      'call_causes.message_id',
      'call_causes.is_transitory',
      'call_causes.text',
      'call_causes.short_text',
      'alarms.priority',
    ])
    .where('alarms.state', 'in', [2, 3])
    .where('alarms.mask_until', 'is', null)
    .where('call_causes.list', '=', 'alarm')
    .where('call_causes.call_id', 'is not', null)
    .orderBy('alarms.priority')
    .orderBy('call_causes.id')
    .limit(args.limit),
);

const selectCalled = statement((db, args: { userId: number; callIds: string }, kind) =>
  db
    .selectFrom('call_cycles')
    .select('call_id')
    .where('user_id', '=', args.userId)
    .where('call_id', 'in', idsIn(args.callIds, kind)),
);
