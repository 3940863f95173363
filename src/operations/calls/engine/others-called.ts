// Whether somebody else is called after a person has declined or only heard something, as the person is told.

import type { OthersCalled } from '../../../domain/calls/words/words.ts';
import { applyDecision } from '../../../domain/escalation/apply.ts';
import { decide } from '../../../domain/escalation/decide.ts';
import { isOver } from '../../../domain/escalation/part.ts';
import type { PlacedPart } from '../../../domain/escalation/place.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { type Calling, readCalling } from './read-calling.ts';

type After = { readonly others: OthersCalled; readonly isCalledBack: boolean };

/** Decides on what is stored after the answer, without carrying it out: the decision follows at once. */
export async function othersCalled(
  tx: ReadTx,
  now: Instant,
  userId: number,
  causeIds: readonly number[],
): Promise<After> {
  const asked = new Set(causeIds);
  if (asked.size === 0) return { others: 'nobody', isCalledBack: false };
  const calling = await readCalling(tx, now);
  const { attempts } = calling;
  const open = partsAfter(calling).filter((one) => one.alike.causes.some(({ id }) => asked.has(id)) && isCalled(one));
  const others = open.filter(({ of }) => of.userId !== userId);
  const called = new Set(
    attempts.flatMap((one) => (one.tries.some(({ causeId }) => asked.has(causeId)) ? [one.userId] : [])),
  );
  const isNext = others.some(({ of }) => !called.has(of.userId));
  return {
    others: others.length === 0 ? 'nobody' : isNext ? 'next' : 'others',
    isCalledBack: open.some(({ of }) => of.userId === userId),
  };
}

/** The parts after what the answer leads to at once, such as the last resort. */
function partsAfter({ world, causes, escalations, attempts, decisionTime }: Calling): readonly PlacedPart[] {
  const decision = decide(world, causes, escalations, attempts, decisionTime);
  if (decision.opened.length === 0) return decision.parts;
  let lastId = 0;
  const stored = { escalations, attempts, turns: world.turns };
  const after = applyDecision(stored, decision, decisionTime.engine, () => --lastId);
  return decide({ ...world, turns: after.turns }, causes, after.escalations, after.attempts, decisionTime).parts;
}

function isCalled({ part }: PlacedPart): boolean {
  return !isOver(part) && part.state !== 'out-of-reach';
}
