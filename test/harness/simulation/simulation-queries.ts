// Queries by which a simulation checks its results: the end of calls, the attempts per alarm, and the end of each cause.

import { sql } from 'kysely';
import { table } from '../../../src/store/statement-tables.ts';
import type { Query } from '../../../src/store/store.ts';
import { testSqlStatement, testStatement } from '../stores/test-statement.ts';

const selectEnd = testStatement((db, args: { callId: number }) =>
  db.selectFrom('calls').select('ended_at').where('id', '=', args.callId),
);

/** The time at which the call ended; undefined while it is open. */
export const getCallEnd: Query<{ callId: number }, number | undefined> = {
  name: 'test-call-end',
  run: async (tx, args) => (await tx.one(selectEnd, args))?.ended_at ?? undefined,
};

/**
 * `wanted`: the alarm has a priority that is called for until it is acknowledged, somebody can be called, and it was not
 * acknowledged at once.
 */
const selectAlarms = testSqlStatement<
  Record<string, never>,
  { id: number; path: string; wanted: number; requests: number }
>(
  () => sql`select alarms.id, alarms.path,
      exists (select 1 from ${table('call_causes')} join ${table('call_cycles')} on call_cycles.call_id = call_causes.call_id
        where call_causes.alarm_id = alarms.id and priority <= 2 and number_id is not null) as wanted,
      (select count(*) from ${table('call_causes')} join ${table('call_attempts')} on call_attempts.call_id = call_causes.call_id
        where call_causes.alarm_id = alarms.id) as requests
    from ${table('alarms')}`,
);

type State = {
  readonly alarms: readonly {
    readonly id: number;
    readonly path: string;
    readonly isWanted: boolean;
    readonly requests: number;
  }[];
};

export const getAlarmsAsked: Query<Record<string, never>, State> = {
  name: 'test-alarms-asked',
  async run(tx) {
    const alarms = await tx.all(selectAlarms, {});
    return {
      alarms: alarms.map(({ id, path, wanted, requests }) => ({ id, path, isWanted: wanted === 1, requests })),
    };
  },
};

/** Without calls that can call nobody because nobody is on duty or has a number; a system alarm reports those. */
const selectCauses = testStatement((db, args: { before: number }) =>
  db
    .selectFrom('call_causes')
    .leftJoin('calls', 'calls.id', 'call_id')
    .select(['call_causes.id', 'end_reason'])
    .where('call_causes.created_at', '<', args.before)
    .where((eb) =>
      eb.or([
        eb('call_causes.ended_at', 'is not', null),
        eb('calls.phase', 'is', null),
        eb.and([
          eb('calls.phase', '<>', 'waiting'),
          eb.exists(
            eb
              .selectFrom('call_attempts')
              .select('call_attempts.id')
              .whereRef('call_attempts.call_id', '=', 'calls.id')
              .where('number_id', 'is not', null),
          ),
        ]),
      ]),
    ),
);

/** The causes that were created before the given time, with the reason of their end. */
export const getCauseEnds: Query<
  { before: number },
  readonly { readonly id: number; readonly reason: string | null }[]
> = {
  name: 'test-cause-ends',
  run: async (tx, args) => (await tx.all(selectCauses, args)).map(({ id, end_reason }) => ({ id, reason: end_reason })),
};

const selectNextDue = testStatement((db) =>
  db.selectFrom('alarms').select('next_due').where('next_due', 'is not', null).orderBy('next_due').limit(1),
);

/** When the next delay, mask or acknowledgement of an alarm ends. */
export const getNextDueAlarm: Query<Record<string, never>, number | undefined> = {
  name: 'test-next-due-alarm',
  run: async (tx) => (await tx.one(selectNextDue, {}))?.next_due ?? undefined,
};

const selectExpired = testStatement((db) =>
  db.selectFrom('call_causes').select('id').where('origin', '=', 'ack-expired'),
);

/** The number of causes that were added because an acknowledgement expired. */
export const getExpired: Query<Record<string, never>, number> = {
  name: 'test-expired',
  run: async (tx) => (await tx.all(selectExpired, {})).length,
};

const selectAttemptsOf = testSqlStatement<
  { alarmId: number },
  { callId: number; at: number; userId: number; channel: string; address: string }
>(
  (args) => sql`select call_id as "callId", created_at as "at", user_id as "userId", channel, address
    from ${table('call_attempts')} where number_id is not null and call_id in (
      select call_id from ${table('call_causes')} where alarm_id = ${args.alarmId} and list = 'alarm') order by id`,
);

const selectCallsOf = testStatement((db, args: { alarmId: number }) =>
  db
    .selectFrom('call_causes')
    .select('call_id')
    .distinct()
    .where('alarm_id', '=', args.alarmId)
    .where('ended_at', 'is', null)
    .where('call_id', 'is not', null),
);

/** The attempts of the calls for an alarm, and the ids of those calls that are open. */
export const getAttemptsOf: Query<
  { alarmId: number },
  {
    readonly rows: readonly { at: number; userId: number; channel: string; address: string }[];
    readonly callIds: readonly number[];
  }
> = {
  name: 'test-attempts-of',
  async run(tx, args) {
    const callIds = (await tx.all(selectCallsOf, args)).flatMap(({ call_id }) => call_id ?? []);
    return { rows: await tx.all(selectAttemptsOf, args), callIds };
  },
};
