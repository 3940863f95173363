// Wakes the calls that are held for a telephone line when the line is free again.

import { sharingLines } from '../../domain/calls/busy-lines.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { selectCallsHeldByLine, wakeCalls, wakeCyclesHeldByLine } from './queries.ts';

/** To be called after attempts for these people have ended; returns the ids of the calls that are due now. */
export async function freeLines(tx: Tx, now: Instant, userIds: readonly number[]): Promise<readonly number[]> {
  if (userIds.length === 0) return [];
  const { snapshot } = await readCallConfiguration(tx);
  const people = { userIds: JSON.stringify([...sharingLines(userIds, snapshot)]) };
  const calls = (await tx.all(selectCallsHeldByLine, people)).map(({ call_id }) => call_id);
  if (calls.length === 0) return [];
  await tx.run(wakeCyclesHeldByLine, { ...people, now });
  await tx.run(wakeCalls, { ids: JSON.stringify(calls), now });
  return calls;
}
