// Deciding on some causes comes to the same as deciding on all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../../../test/harness/escalation/story.ts';
import { applyDecision, newEscalation } from '../apply.ts';
import type { Attempt, Cause, Escalation } from '../escalation.ts';
import { DecisionTime } from '../world.ts';
import { decideRelated } from './decide-related.ts';
import { KnownCalling } from './known-calling.ts';

const { world } = new Story({
  people: { ana: [{ countTry: 3, timeToRetrySeconds: 200 }] },
  groups: { pumps: { members: ['ana'] } },
});
const timeAt = (at: number): DecisionTime => new DecisionTime(at, at);
const ringsOut = { at: 20_000, outcome: 'failed', isFinal: false, counts: true, notBefore: undefined } as const;

/** An alarm whose one call rang out, and that waits for the number to rest; nothing changes for it any more. */
function restingAlarm(): KnownCalling {
  const known = new KnownCalling();
  const cause: Cause = { id: 1, priority: 2, asks: true, ended: undefined };
  let stored = { escalations: [newEscalation(1, 1, { kind: 'group', id: 1 })], attempts: [], turns: new Map() } as {
    escalations: readonly Escalation[];
    attempts: readonly Attempt[];
    turns: ReadonlyMap<number, number>;
  };
  known.setCause({ cause, escalations: stored.escalations });
  const decideAt = (at: number, underWay: readonly Attempt[]) =>
    decideRelated(known, known.due(timeAt(at), false), { world, underWay, newTime: () => timeAt(at) }).decision;
  stored = applyDecision(stored, decideAt(0, []), 0, () => 7);
  const attempts = stored.attempts.map((attempt) => ({ ...attempt, hasLeft: true, end: ringsOut }));
  known.setCause({ cause, escalations: stored.escalations });
  for (const attempt of attempts) known.setAttempt(attempt);
  known.noteDecided(decideAt(20_000, []).outlooks, new Set(), 20_000);
  return known;
}

test('an alarm that rests is not decided on before its rest is over', () => {
  const known = restingAlarm();
  assert.deepEqual([...known.due(timeAt(219_999), true)], []);
  assert.deepEqual([...known.due(timeAt(220_000), false)], [1]);
  assert.equal(known.nextDue(timeAt(20_000)), 220_000);
});

test('a call that one alarm begins is for all that are open for its person, also those for which nothing has changed', () => {
  const known = restingAlarm();
  const cause: Cause = { id: 2, priority: 1, asks: true, ended: undefined };
  known.setCause({ cause, escalations: [newEscalation(2, 2, { kind: 'group', id: 1 })] });
  const begin = known.due(timeAt(90_000), false);
  assert.deepEqual([...begin], [2]);
  const { decision } = decideRelated(known, begin, { world, underWay: [], newTime: () => timeAt(90_000) });
  assert.deepEqual(
    decision.begin.map(({ tries }) => tries.map(({ causeId }) => causeId)),
    [[1, 2]],
  );
});
