// Stores what providers report of deliveries, each step once and never a step back, however late it comes and to any node.

import type { Progress } from '../../../domain/calls/delivery.ts';
import { appendEvents } from '../../../store/event-log.ts';
import { updateRows } from '../../../store/row-batch.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import { type Instant, setOperation, type Tx } from '../../../store/store.ts';

type Reported = { readonly attemptId: number; readonly progress: Progress; readonly at?: Instant };

/** A set operation: every attempt reports, and those of one moment share their statements. */
export const noteProgress = setOperation<Reported, void>('note-progress', async (tx, jobs) => {
  await store(
    tx,
    jobs.map(({ now, input: { attemptId, progress, at = now } }) => ({ now, attemptId, progress, at })),
  );
  return jobs.map(() => ({ kind: 'done', outcome: undefined }));
});

/** The steps of a delivery in their order, each with its column. */
const steps = [
  ['accepted', 'accepted_at'],
  ['ringing', 'rang_at'],
  ['answered', 'answered_at'],
  ['delivered', 'delivered_at'],
  ['read', 'read_at'],
] as const;

type StepColumn = (typeof steps)[number][1];

type StepsRow = {
  readonly id: number;
  readonly call_id: number;
  readonly version: number;
  readonly provider_ref: string | null;
} & Readonly<Record<StepColumn, Instant | null>>;

type Step = { readonly now: Instant; readonly attemptId: number; readonly progress: Progress; readonly at: Instant };

async function store(tx: Tx, reported: readonly Step[]): Promise<void> {
  const ids = JSON.stringify([...new Set(reported.map(({ attemptId }) => attemptId))]);
  const rows = new Map<number, StepsRow>((await tx.all(selectSteps, { ids })).map((row) => [row.id, row]));
  const changed = new Map<number, Step>();
  for (const step of reported) {
    const row = rows.get(step.attemptId);
    const after = row && afterStep(row, step.progress, step.at);
    if (after === undefined) continue;
    rows.set(after.id, after);
    changed.set(after.id, step);
  }
  if (changed.size === 0) return;
  const after = [...changed.keys()].flatMap((id) => rows.get(id) ?? []);
  await tx.each(
    setSteps,
    after.map(({ call_id: _, version, ...columns }) => ({ ...columns, version: version + 1 })),
  );
  await appendEvents(
    tx,
    after.map(({ id, call_id }) => ({
      kind: 'calls.changed',
      actor: 'system',
      subjectId: call_id,
      at: changed.get(id)?.now ?? 0,
    })),
  );
}

/** Returns the row with the step; undefined if the step is known, or a later one was taken before it. */
function afterStep(row: StepsRow, progress: Progress, at: Instant): StepsRow | undefined {
  const place = steps.findIndex(([kind]) => kind === progress.kind);
  const [, own] = steps[place] ?? steps[0];
  const isPast = steps.some(([, column], index) => index > place && (row[column] ?? at) < at);
  const ref = 'ref' in progress ? progress.ref : undefined;
  // The conversation may have noted the answer before, and only this reference releases an answered call after a crash.
  if (progress.kind === 'answered' && ref !== undefined && row.answered_at !== null)
    return ref === row.provider_ref ? undefined : { ...row, provider_ref: ref };
  // A call that is made once more, or by another request, is released by its own reference.
  const isNewRef = progress.kind === 'accepted' && ref !== row.provider_ref;
  if (row[own] !== null || isPast) return isNewRef ? { ...row, provider_ref: ref ?? null } : undefined;
  return { ...row, [own]: at, provider_ref: ref ?? row.provider_ref };
}

const selectSteps = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select([
      'id',
      'call_id',
      'version',
      'provider_ref',
      'accepted_at',
      'rang_at',
      'answered_at',
      'delivered_at',
      'read_at',
    ])
    .where(isOneOfIds('id', args.ids, kind)),
);

const setSteps = updateRows('call_attempts', { id: 'int' } as const, {
  provider_ref: 'text',
  accepted_at: 'int',
  rang_at: 'int',
  answered_at: 'int',
  delivered_at: 'int',
  read_at: 'int',
  version: 'int',
});
