// A telephone line that a call of ours was on is free: whoever waits for it comes due.

import { lineInUse, sharingLines } from '../../domain/calls/busy-lines.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { readCallConfiguration } from './configuration.ts';
import { selectHeldCalls, wakeCalls, wakeCycles } from './queries.ts';

/** After attempts for these people have ended. Answers the calls that have waited for that, due now. */
export async function freeLines(tx: Tx, now: Instant, userIds: readonly number[]): Promise<readonly number[]> {
  if (userIds.length === 0) return [];
  const { directory } = await readCallConfiguration(tx);
  const those = { userIds: JSON.stringify([...sharingLines(userIds, directory)]), reason: lineInUse };
  const calls = (await tx.all(selectHeldCalls, those)).map(({ call_id }) => call_id);
  if (calls.length === 0) return [];
  await tx.run(wakeCycles, { ...those, now });
  await tx.run(wakeCalls, { ids: JSON.stringify(calls), now });
  return calls;
}
