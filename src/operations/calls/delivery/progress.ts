// Stores what providers report of deliveries, each step once and never a step back, however late it comes and to any node.

import type { Progress } from '../../../domain/calls/delivery.ts';
import { appendEvent } from '../../../store/event-log.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../../store/store.ts';

type Reported = { readonly attemptId: number; readonly progress: Progress; readonly at?: Instant };

export const noteProgress: Operation<Reported, void> = {
  name: 'note-progress',
  run: (tx, now, { attemptId, progress, at = now }) => store(tx, now, attemptId, progress, at),
};

type ReportedByRef = {
  readonly providerId: number;
  readonly ref: string;
  readonly progress: Progress;
  readonly at?: Instant;
};

/** For reports that name only the provider's reference; returns whether an attempt has it. */
export const noteProgressByRef: Operation<ReportedByRef, boolean> = {
  name: 'note-progress-by-ref',
  async run(tx, now, { providerId, ref, progress, at = now }) {
    const row = await tx.one(selectByRef, { providerId, ref });
    if (row === undefined) return false;
    await store(tx, now, row.id, progress, at);
    return true;
  },
};

/** The steps of a delivery in their order, each with its column. */
const steps = [
  ['accepted', 'accepted_at'],
  ['ringing', 'rang_at'],
  ['answered', 'answered_at'],
  ['delivered', 'delivered_at'],
  ['read', 'read_at'],
] as const;

async function store(tx: Tx, now: Instant, id: number, progress: Progress, at: Instant): Promise<void> {
  const row = await tx.one(selectSteps, { id });
  if (row === undefined) return;
  const place = steps.findIndex(([kind]) => kind === progress.kind);
  const [, own] = steps[place] ?? steps[0];
  const isPast = steps.some(([, column], index) => index > place && (row[column] ?? at) < at);
  if (row[own] !== null || isPast) return;
  if (progress.kind === 'accepted') await tx.run(setAccepted, { id, at, ref: progress.ref });
  else await tx.run(setters[progress.kind], { id, at });
  if (progress.kind === 'answered' && progress.ref !== undefined) await tx.run(setRef, { id, ref: progress.ref });
  await appendEvent(tx, now, { kind: 'calls.changed', actor: 'system', subjectId: row.call_id });
}

const selectSteps = statement((db, args: { id: number }) =>
  db
    .selectFrom('call_attempts')
    .select(['call_id', 'accepted_at', 'rang_at', 'answered_at', 'delivered_at', 'read_at'])
    .where('id', '=', args.id),
);

const selectByRef = statement((db, args: { providerId: number; ref: string }) =>
  db
    .selectFrom('call_attempts')
    .select('id')
    .where('provider_ref', '=', args.ref)
    .where('provider_id', '=', args.providerId),
);

const setAccepted = statement((db, args: { id: number; at: Instant; ref: string }) =>
  db.updateTable('call_attempts').set({ accepted_at: args.at, provider_ref: args.ref }).where('id', '=', args.id),
);

const setRef = statement((db, args: { id: number; ref: string }) =>
  db.updateTable('call_attempts').set({ provider_ref: args.ref }).where('id', '=', args.id),
);

const setters = {
  ringing: setter('rang_at'),
  answered: setter('answered_at'),
  delivered: setter('delivered_at'),
  read: setter('read_at'),
};

function setter(column: 'rang_at' | 'answered_at' | 'delivered_at' | 'read_at') {
  return statement((db, args: { id: number; at: Instant }) =>
    db
      .updateTable('call_attempts')
      .set({ [column]: args.at })
      .where('id', '=', args.id),
  );
}
