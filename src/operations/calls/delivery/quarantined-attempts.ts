// Attempts that were under way when the server ended without being stopped: suspects are begun last, few at a time, and one that
// was alone when it ended once more is given up. The person's next number, or the next person, follows.

import type { Caller } from '../../../domain/access/access.ts';
import { storedReason } from '../../../domain/channels/words/provider-reason.ts';
import {
  afterEnd,
  begunTogether,
  pauseAfter,
  type Quarantined,
  type QuarantineState,
} from '../../../domain/quarantine.ts';
import { AppError } from '../../../errors.ts';
import type { Instant, Operation, Query, ReadTx, Tx } from '../../../store/store.ts';
import { raiseSystemAlarm } from '../../alarms/intake/report.ts';
import { appendAudit } from '../../audit/append.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import {
  noteTried,
  putQuarantined,
  removeOldQuarantined,
  removeQuarantined,
  selectQuarantined,
} from '../../quarantine/rows.ts';
import { storeEnds } from '../attempt-ends.ts';
import { selectAttempt } from '../attempts.ts';

const kind = 'attempt';
/** Longer than anybody needs to look at what was given up. */
const keptMs = 604_800_000;
/** The number is not tried again for the alarm, and no try of the person is used up. */
const verdict = { counts: false, isFinal: true, retryAfterMs: undefined } as const;

type Row = NonNullable<Awaited<ReturnType<typeof openAttempt>>>;

/** Notes the attempts that were under way on a server when it ended without being stopped; returns how many are given up. */
export const noteUnplannedEnd: Operation<{ readonly attemptIds: readonly number[] }, number> = {
  name: 'note-unplanned-end',
  async run(tx, now, { attemptIds }) {
    await tx.run(removeOldQuarantined, { before: now - keptMs });
    const known = await readKnown(tx);
    const suspects = attemptIds.filter((id) => known.get(id)?.state === 'suspect').length;
    let failed = 0;
    for (const id of attemptIds) {
      const row = await openAttempt(tx, id);
      if (row === undefined) {
        await tx.run(removeQuarantined, { kind, id });
        continue;
      }
      const { ends, state } = afterEnd(known.get(id), now, { suspects });
      await tx.run(putQuarantined, { kind, id, ends: JSON.stringify(ends), state, lastEndAt: now });
      if (state !== 'failed') continue;
      failed += 1;
      await giveUp(tx, now, row);
    }
    return failed;
  },
};

type Decision = { readonly caller: Caller; readonly id: number; readonly how: 'release' | 'drop' };

/** An administrator lets it be begun like any other, or gives it up. */
export const decideQuarantined: Operation<Decision, void> = {
  name: 'decide-quarantined',
  async run(tx, now, { caller, id, how }) {
    if (!(await readKnown(tx)).has(id)) throw new AppError('not-found', `There is no quarantined work ${id}.`);
    await tx.run(removeQuarantined, { kind, id });
    const row = await openAttempt(tx, id);
    if (how === 'drop' && row !== undefined) await giveUp(tx, now, row);
    await appendAudit(tx, now, {
      kind: how === 'drop' ? 'quarantine.dropped' : 'quarantine.released',
      origin: caller,
      subject: `attempt:${id}`,
    });
  },
};

/**
 * Returns those of the attempts that may be begun now: all that are no suspects, and then a few of the suspects, unless others were
 * begun a moment ago.
 */
export async function inTurn<R extends { readonly id: number; readonly priority: number }>(
  tx: Tx,
  now: Instant,
  rows: readonly R[],
): Promise<readonly R[]> {
  if (rows.length === 0) return rows;
  const known = await readKnown(tx);
  const suspects = rows.filter(({ id }) => known.get(id)?.state === 'suspect');
  if (suspects.length === 0) return rows;
  const others = rows.filter((row) => !suspects.includes(row));
  const all = [...known.values()].filter(({ state }) => state === 'suspect');
  const pause = pauseAfter(Math.max(...all.map(({ ends }) => ends.length)));
  if (all.some(({ triedAt }) => triedAt !== undefined && Math.abs(now - triedAt) < pause)) return others;
  const next = suspects
    .toSorted((a, b) => a.priority - b.priority || a.id - b.id)
    .slice(0, begunTogether(suspects.length));
  for (const { id } of next) await tx.run(noteTried, { kind, id, at: now });
  return [...others, ...next];
}

export type QuarantinedAttempt = Quarantined & { readonly id: number; readonly user: string };

/** Returns the suspects that are not over, and what was given up. */
export const listQuarantined: Query<Record<string, never>, readonly QuarantinedAttempt[]> = {
  name: 'list-quarantined',
  async run(tx) {
    const found: QuarantinedAttempt[] = [];
    const { snapshot } = await readCallConfiguration(tx);
    for (const [id, { ends, state }] of await readKnown(tx)) {
      const row = await tx.one(selectAttempt, { id });
      const isOver = row === undefined || (row.state !== 'due' && row.state !== 'started');
      if (row === undefined || state === 'watched' || (state === 'suspect' && isOver)) continue;
      found.push({ id, ends, state, user: snapshot.people.get(row.user_id)?.name ?? '' });
    }
    return found;
  },
};

type Known = Quarantined & { readonly triedAt: Instant | undefined };

async function readKnown(tx: ReadTx): Promise<ReadonlyMap<number, Known>> {
  const rows = await tx.all(selectQuarantined, { kind });
  return new Map(
    rows.map(({ subject_id, ends, state, tried_at }) => [
      subject_id,
      { ends: JSON.parse(ends) as number[], state: state as QuarantineState, triedAt: tried_at ?? undefined },
    ]),
  );
}

async function openAttempt(tx: ReadTx, id: number) {
  const row = await tx.one(selectAttempt, { id });
  return row?.state === 'due' || row?.state === 'started' ? row : undefined;
}

async function giveUp(tx: Tx, now: Instant, row: Row): Promise<void> {
  const detail = storedReason({ code: 'server-ended' });
  await storeEnds(tx, now, [
    { row, how: { state: 'failed', outcome: 'failed', failure: 'own-fault', verdict, detail } },
  ]);
  const { snapshot } = await readCallConfiguration(tx);
  const name = snapshot.people.get(row.user_id)?.name ?? '';
  await raiseSystemAlarm(tx, now, {
    path: `quarantine/attempts-of/${row.user_id}`,
    priority: 1,
    message: { code: 'attempt-given-up', parameters: { userId: row.user_id, name } },
    isRepeated: true,
    isCalled: true,
  });
}
