// The alarms that are open for a person who rings in: nobody has taken them, and the person is called or on the way up.

import { seesStation } from '../../../domain/access/access.ts';
import { type CallPolicy, type CallTarget, targetName } from '../../../domain/calls/call.ts';
import { peopleInReach } from '../../../domain/calls/people-in-reach.ts';
import type { PeopleSnapshot } from '../../../domain/people/call-group.ts';
import { statement } from '../../../store/statement.ts';
import type { ReadTx } from '../../../store/store.ts';
import { triesOf } from '../engine/rows/attempt-rows.ts';
import { targetOf } from '../engine/rows/escalation-rows.ts';

/** More are not looked at; a person who has taken some rings in again. */
const mostLookedAt = 2_000;

export type OpenAlarm = {
  readonly id: number;
  readonly priority: number;
  readonly station_id: number;
  readonly kind: string;
  readonly list: string;
  readonly alarm_id: number | null;
  readonly is_transitory: 0 | 1;
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
  const since = Math.min(...rows.map(({ created_at }) => created_at));
  const attempts = rows.length === 0 ? [] : await tx.all(selectCalled, { userId, since });
  const called = new Set(attempts.flatMap((attempt) => triesOf(attempt).map(({ causeId }) => causeId)));
  const inReach = new Map<string, ReadonlySet<number>>();
  const isOnTheWayUp = (target: CallTarget): boolean => {
    const name = targetName(target);
    const people = inReach.get(name) ?? peopleInReach(target, snapshot, policy);
    inReach.set(name, people);
    return people.has(userId);
  };
  const isOwn = (row: (typeof rows)[number]): boolean =>
    seesStation(person, row.station_id) && (called.has(row.cause_id ?? row.id) || isOnTheWayUp(targetOf(row)));
  const byAlarm = new Map<number, OpenAlarm>();
  for (const row of rows.filter(isOwn)) {
    const alarmId = row.alarm_id ?? 0;
    if (!byAlarm.has(alarmId)) byAlarm.set(alarmId, row);
  }
  return [...byAlarm.values()];
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
      'call_causes.cause_id',
      'call_causes.created_at',
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
    .where('call_causes.round', '>', 0)
    .orderBy('alarms.priority')
    .orderBy('call_causes.id')
    .limit(args.limit),
);

const selectCalled = statement((db, args: { userId: number; since: number }) =>
  db
    .selectFrom('call_attempts')
    .select('tries')
    .where('user_id', '=', args.userId)
    .where('created_at', '>=', args.since),
);
