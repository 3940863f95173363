// The due work of calls: causes that begin calls, calls that go on, and attempts that are made; a row that fails holds up no
// others.

import { randomInt } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { CallMessage } from '../../domain/calls/delivery.ts';
import { listDueRows, startCalls, stepCalls } from '../../operations/calls/advance.ts';
import { failAttempt, goOnAfterFault } from '../../operations/calls/delivery/attempt-faults.ts';
import { listOpenAttempts, takeAttempts } from '../../operations/calls/delivery/take-attempts.ts';
import type { Store } from '../../store/store.ts';
import { type DueRun, isStoreAway } from './due-rows.ts';

type Parts = { readonly store: Store; readonly clock: Clock; readonly onTrouble: (error: unknown) => void };

export function dueCauses({ store, clock }: Parts): DueRun {
  const start = async (input: { readonly onlyId?: number }): Promise<readonly number[]> => {
    await store.write(startCalls, input);
    return [];
  };
  return {
    kind: 'cause',
    all: () => start({}),
    one: (onlyId) => start({ onlyId }),
    due: async () => (await store.read(listDueRows, { now: clock.now() })).causes,
  };
}

export function dueCalls({ store, clock }: Parts): DueRun {
  return {
    kind: 'call',
    all: () => store.write(stepCalls, {}),
    one: (onlyId) => store.write(stepCalls, { onlyId }),
    due: async () => (await store.read(listDueRows, { now: clock.now() })).calls,
  };
}

/** A code that a person can answer a text with. */
export function newReplyCode(): string {
  return String(randomInt(1000, 10_000));
}

type Taking = Parameters<typeof takeAttempts.run>[2];

/**
 * Takes the attempts that are due. If that fails, takes them one after the other; one that cannot be made ends as failed, and
 * its call goes on with the next try, number or person.
 */
export async function takeDueAttempts(
  { store, clock, onTrouble }: Parts,
  taking: Taking,
): Promise<readonly CallMessage[]> {
  try {
    return await store.write(takeAttempts, taking);
  } catch (error) {
    if (isStoreAway(error)) throw error;
  }
  const messages: CallMessage[] = [];
  for (const onlyId of await store.read(listOpenAttempts, { now: clock.now() })) {
    try {
      messages.push(...(await store.write(takeAttempts, { ...taking, replyCodes: [newReplyCode()], onlyId })));
    } catch (error) {
      if (isStoreAway(error)) throw error;
      onTrouble(new Error(`The attempt ${onlyId} could not be made.`, { cause: error }));
      await store.write(failAttempt, { id: onlyId });
      await store.write(goOnAfterFault, { id: onlyId }).catch(onTrouble);
    }
  }
  return messages;
}
