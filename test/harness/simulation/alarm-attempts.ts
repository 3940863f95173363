// The attempts that were made for an alarm, and the causes that alarms of Tocsin's own have added.

import type { Query } from '../../../src/store/store.ts';
import { testStatement } from '../stores/test-statement.ts';

const selectCauseIds = testStatement((db, args: { alarmId: number }) =>
  db.selectFrom('call_causes').select('cause_id').where('alarm_id', '=', args.alarmId).where('list', '=', 'alarm'),
);

const selectAttempts = testStatement((db) =>
  db
    .selectFrom('call_attempts')
    .select(['created_at', 'user_id', 'channel', 'address', 'tries'])
    .where('number_id', 'is not', null)
    .orderBy('id'),
);

export type MadeAttempt = {
  readonly at: number;
  readonly userId: number;
  readonly channel: string;
  readonly address: string;
};

export const getAttemptsOf: Query<{ alarmId: number }, readonly MadeAttempt[]> = {
  name: 'test-attempts-of',
  async run(tx, args) {
    const causeIds = new Set((await tx.all(selectCauseIds, args)).map(({ cause_id }) => cause_id));
    const isOwn = (tries: string): boolean =>
      (JSON.parse(tries) as readonly (readonly [number])[]).some(([causeId]) => causeIds.has(causeId));
    return (await tx.all(selectAttempts, {})).flatMap(({ created_at: at, user_id: userId, channel, address, tries }) =>
      isOwn(tries) ? [{ at, userId, channel, address }] : [],
    );
  },
};

const selectCauses = testStatement((db) => db.selectFrom('call_causes').select('cause_id').distinct());

/** How many causes there are, of all alarms. */
export const countCauses: Query<Record<string, never>, number> = {
  name: 'test-count-causes',
  run: async (tx) => (await tx.all(selectCauses, {})).length,
};
