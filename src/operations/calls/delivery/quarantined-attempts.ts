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
import { getMeta, setMeta } from '../../../store/meta.ts';
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
  selectSuspectAttempts,
} from '../../quarantine/rows.ts';
import { storeEnds } from '../attempt-ends.ts';
import { selectAttempt } from '../attempts.ts';

const kind = 'attempt';
/** Longer than anybody needs to look at what was given up. */
const keptMs = 604_800_000;
/** The number is not tried again for the alarm, and no try of the person is used up. */
const verdict = { counts: false, isFinal: true, retryAfterMs: undefined } as const;

type Row = NonNullable<Awaited<ReturnType<typeof openAttempt>>>;

type UnplannedEnd = {
  readonly attemptIds: readonly number[];
  readonly node: string;
  /** Tells the ends of the node apart. */
  readonly mark: string;
};

/**
 * Notes the attempts that were under way on a server when it ended without being stopped; returns how many are given up. An end counts
 * once, also if the next start ended as well before it had anything in hand.
 */
export const noteUnplannedEnd: Operation<UnplannedEnd, number> = {
  name: 'note-unplanned-end',
  async run(tx, now, { attemptIds, node, mark }) {
    const key = `unplanned-end/${node}`;
    if ((await getMeta(tx, key)) === mark) return 0;
    await setMeta(tx, key, mark);
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

type Taker = {
  /** Attempts that the node carries, or whose far ends it is releasing. */
  readonly heldIds: readonly number[];
};

/**
 * Returns the suspects that are not to be begun now: all but a few, unless the pause after those that were begun last is over. They
 * are not even looked at, so that they keep no others from being begun, however many they are.
 */
export async function suspectsThatWait(tx: Tx, now: Instant, { heldIds }: Taker): Promise<readonly number[]> {
  const all = (await tx.all(selectSuspectAttempts, {})).map((row) => ({
    ...row,
    ends: JSON.parse(row.ends) as number[],
  }));
  if (all.length === 0) return [];
  const held = new Set(heldIds);
  const isToBegin = ({ id, state, lease_until, cancel_reason }: (typeof all)[number]): boolean =>
    cancel_reason === null && !held.has(id) && (state === 'due' || (lease_until ?? 0) <= now);
  const left = all.filter(isToBegin);
  const pause = pauseAfter(Math.max(...all.map(({ ends }) => ends.length)));
  const isTried = ({ tried_at }: (typeof all)[number]): boolean =>
    tried_at !== null && Math.abs(now - tried_at) < pause;
  if (all.some(isTried)) return left.filter((row) => !isTried(row)).map(({ id }) => id);
  // One that was begun and still waits for a line lets those pass that were not.
  const order = left.toSorted(
    (a, b) => (a.tried_at ?? 0) - (b.tried_at ?? 0) || a.priority - b.priority || a.id - b.id,
  );
  const inOrder = order.map(({ id }) => id);
  const count = begunTogether(left.length);
  for (const id of inOrder.slice(0, count)) await tx.run(noteTried, { kind, id, at: now });
  return inOrder.slice(count);
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

async function readKnown(tx: ReadTx): Promise<ReadonlyMap<number, Quarantined>> {
  const rows = await tx.all(selectQuarantined, { kind });
  return new Map(
    rows.map(({ subject_id, ends, state }) => [
      subject_id,
      { ends: JSON.parse(ends) as number[], state: state as QuarantineState },
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
