// The rows of quarantined work.

import { sql } from 'kysely';
import { statement } from '../../store/statement.ts';
import type { Instant } from '../../store/store.ts';

export const selectQuarantined = statement((db) =>
  db.selectFrom('quarantine').select(['kind', 'subject_id', 'ends', 'state']).orderBy('kind').orderBy('subject_id'),
);

/** Suspected attempts that are not over. */
export const selectSuspectAttempts = statement((db) =>
  db
    .selectFrom('quarantine')
    .innerJoin('call_attempts', 'call_attempts.id', 'quarantine.subject_id')
    .select([
      'call_attempts.id',
      'call_attempts.priority',
      'call_attempts.state',
      'call_attempts.lease_until',
      'call_attempts.cancel_reason',
      'quarantine.ends',
      'quarantine.tried_at',
    ])
    .where('quarantine.kind', '=', 'attempt')
    .where('quarantine.state', '=', sql.lit('suspect'))
    .where('call_attempts.state', 'in', [sql.lit('due'), sql.lit('started')]),
);

type Row = {
  readonly kind: string;
  readonly id: number;
  readonly ends: string;
  readonly state: string;
  readonly lastEndAt: Instant;
};

export const putQuarantined = statement<Row>((db, args) =>
  db
    .insertInto('quarantine')
    .values({
      kind: args.kind,
      subject_id: args.id,
      ends: args.ends,
      state: args.state,
      last_end_at: args.lastEndAt,
      tried_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject_id'])
        .doUpdateSet({ ends: args.ends, state: args.state, last_end_at: args.lastEndAt, tried_at: null }),
    ),
);

export const noteTried = statement<{ kind: string; id: number; at: Instant }>((db, args) =>
  db
    .updateTable('quarantine')
    .set({ tried_at: args.at })
    .where('kind', '=', args.kind)
    .where('subject_id', '=', args.id),
);

export const removeQuarantined = statement<{ kind: string; id: number }>((db, args) =>
  db.deleteFrom('quarantine').where('kind', '=', args.kind).where('subject_id', '=', args.id),
);

export const removeOldQuarantined = statement<{ before: Instant }>((db, args) =>
  db.deleteFrom('quarantine').where('last_end_at', '<', args.before),
);
