// Attempts that were under way when the server ended without being stopped: suspects are begun last, few at a time, and one that
// was alone when it ended once more is given up. The person's next number, or the next person, follows.

import { storedReason } from '../../../domain/channels/words/provider-reason.ts';
import { begunTogether, pauseAfter, type Quarantined, type Work } from '../../../domain/quarantine.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { raiseSystemAlarm } from '../../alarms/intake/report.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { noteTried, selectSuspectAttempts } from '../../quarantine/rows.ts';
import { storeEnds } from '../attempt-ends.ts';
import { selectAttempt } from '../attempts.ts';

const kind = 'attempt';
/** The number is not tried again for the alarm, and no try of the person is used up. */
const verdict = { counts: false, isFinal: true, retryAfterMs: undefined } as const;

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

/** Returns the attempts that are suspected and not over, and those that were given up, with who was called. */
export async function shownAttempts(
  tx: ReadTx,
  all: readonly (Work & Quarantined)[],
): Promise<readonly (Work & Quarantined & { readonly user: string })[]> {
  if (all.length === 0) return [];
  const found = [];
  const { snapshot } = await readCallConfiguration(tx);
  for (const one of all) {
    const row = await tx.one(selectAttempt, { id: one.id });
    const isOver = row === undefined || (row.state !== 'due' && row.state !== 'started');
    if (row === undefined || one.state === 'watched' || (one.state === 'suspect' && isOver)) continue;
    found.push({ ...one, user: snapshot.people.get(row.user_id)?.name ?? '' });
  }
  return found;
}

export async function openAttempt(tx: ReadTx, id: number) {
  const row = await tx.one(selectAttempt, { id });
  return row?.state === 'due' || row?.state === 'started' ? row : undefined;
}

/** Ends it as failed, if it is not over. */
export async function giveUpAttempt(tx: Tx, now: Instant, id: number): Promise<void> {
  const row = await openAttempt(tx, id);
  if (row === undefined) return;
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
