// What is open for the person whose simulated phone is in use, read before the transaction that reads it to them.

import type { TryFor } from '../../domain/escalation/escalation.ts';
import type { Instant, Store } from '../../store/store.ts';
import { openForCall } from '../conversations/open-for-call.ts';
import { getPhoneLine } from './phone-rows.ts';

export async function openForPhone(store: Store, userId: number, now: Instant): Promise<readonly TryFor[] | undefined> {
  const line = await store.read(getPhoneLine, { userId });
  return line && openForCall(store, { attemptId: line.attemptId, now });
}
