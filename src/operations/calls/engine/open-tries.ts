// What is open for a person now: what a call to them is for, and everything else that they are called for and have not answered.

import { triesAt } from '../../../domain/escalation/alike.ts';
import { decide } from '../../../domain/escalation/decide.ts';
import type { TryFor } from '../../../domain/escalation/escalation.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { readCalling } from './read-calling.ts';
import { triesOf } from './rows/attempt-rows.ts';

type Called = { readonly user_id: number; readonly tries: string };

/** Returns the escalations of causes, some of which may have ended. */
export async function openTriesOf(tx: ReadTx, now: Instant, { user_id, tries }: Called): Promise<readonly TryFor[]> {
  const { world, causes, escalations, attempts, decisionTime } = await readCalling(tx, now);
  const { parts } = decide(world, causes, escalations, attempts, decisionTime);
  const own = parts.filter(({ of }) => of.userId === user_id);
  const hasAnswered = ({ part: { state } }: (typeof own)[number]): boolean => state === 'heard' || state === 'declined';
  const placedTries = (placed: typeof own): readonly TryFor[] =>
    placed.flatMap(({ alike, place, level }) => triesAt(alike, place, level));
  const answered = new Set(placedTries(own.filter(hasAnswered)).map(({ causeId }) => causeId));
  return [...triesOf({ tries }), ...placedTries(own)].filter(({ causeId }) => !answered.has(causeId));
}
