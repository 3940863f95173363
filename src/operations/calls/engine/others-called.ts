// Whether somebody else is called after a person has declined or only heard something, as the person is told.

import { sql } from 'kysely';
import type { OthersCalled } from '../../../domain/calls/words/words.ts';
import { applyDecision } from '../../../domain/escalation/apply.ts';
import { decide } from '../../../domain/escalation/decide.ts';
import { isOver } from '../../../domain/escalation/part.ts';
import type { PlacedPart } from '../../../domain/escalation/place.ts';
import { isOneOfIds, sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { type Calling, readCalling } from './read-calling.ts';

type After = { readonly others: OthersCalled; readonly isCalledBack: boolean };

/** Of more causes, two of each state stand for all. */
const mostDecided = 50;
const mostStates = 25;

/** Decides on what is stored after the answer, without carrying it out: the decision follows at once. */
export async function othersCalled(
  tx: ReadTx,
  now: Instant,
  userId: number,
  causeIds: readonly number[],
): Promise<After> {
  if (causeIds.length === 0) return { others: 'nobody', isCalledBack: false };
  const decided = await decidedOf(tx, causeIds);
  const asked = new Set(decided);
  const calling = await readCalling(tx, now, decided);
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

/** The causes that are decided on: in a storm most are in the same state, and the answer is given in a write. */
async function decidedOf(tx: ReadTx, causeIds: readonly number[]): Promise<readonly number[]> {
  if (causeIds.length <= mostDecided) return causeIds;
  const found = await tx.all(selectTwoOfEachState, { ids: JSON.stringify(causeIds), limit: mostStates });
  return [...new Set(found.flatMap(({ first, last }) => [first, last]))];
}

/** The times in `entered` and `picked` are of one length, so that their lengths say how many levels and people they name. */
const selectTwoOfEachState = sqlStatement<{ ids: string; limit: number }, { first: number; last: number }>(
  (args, kind) => sql`select min(cause_id) as first, max(cause_id) as last from ${table('call_causes')}
    where ${isOneOfIds('cause_id', args.ids, kind)} and ended_at is null
    group by target_kind, target_id, priority, state, round, paused_until is null, length(entered), length(picked)
    order by priority, first limit ${args.limit}`,
);

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
