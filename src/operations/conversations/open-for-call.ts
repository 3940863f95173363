// What is open for the person of a call, worked out before the transaction that reads it to them: it takes a decision on everything
// that is open, which with thousands of alarms would hold up those that come in.

import type { TryFor } from '../../domain/escalation/escalation.ts';
import type { Instant, Query, ReadTx, Store } from '../../store/store.ts';
import { selectAttempt } from '../calls/attempts.ts';
import { getCallingSize, manyOpen } from '../calls/engine/decide-calls.ts';
import { openTriesOf } from '../calls/engine/open-tries.ts';
import { selectByAttempt } from './conversation-rows.ts';
import { isReadAnew } from './menu-steps.ts';

type Asked = { readonly attemptId: number; readonly now: Instant };

/** Undefined if the conversation goes on with what it has begun to read, or is over. */
async function openFor(tx: ReadTx, { attemptId, now }: Asked): Promise<readonly TryFor[] | undefined> {
  const row = await tx.one(selectByAttempt, { attemptId });
  if (row === undefined || row.ended_at !== null || !isReadAnew(row)) return undefined;
  const attempt = await tx.one(selectAttempt, { id: attemptId });
  return attempt === undefined ? undefined : openTriesOf(tx, now, attempt);
}

export const getOpenForCall: Query<Asked, readonly TryFor[] | undefined> = {
  name: 'get-open-for-call',
  isQuick: true,
  run: openFor,
};

/** With so many open that deciding has a thread of its own. */
export const getOpenForCallAmongMany: Query<Asked, readonly TryFor[] | undefined> = {
  name: 'get-open-for-call-among-many',
  isDecision: true,
  run: openFor,
};

export async function openForCall(store: Store, asked: Asked): Promise<readonly TryFor[] | undefined> {
  const size = await store.read(getCallingSize, { atMost: manyOpen });
  return store.read(size >= manyOpen ? getOpenForCallAmongMany : getOpenForCall, asked);
}
