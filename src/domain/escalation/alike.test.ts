// Which causes one decision may serve: those that nothing tells apart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupAlike } from './alike.ts';
import type { Attempt, Cause, Escalation } from './escalation.ts';

const cause: Cause = { id: 1, priority: 2, asks: true, ended: undefined };
const escalation: Escalation = {
  ...{ id: 1, causeId: 1, target: { kind: 'group', id: 7 }, dueAt: 0, actedPriority: 2, round: 1, roundSince: 5 },
  entered: [{ key: 'duty 7', at: 5, reason: { code: 'raised' } }],
  picked: [{ key: 'duty 7', userId: 3, at: 5 }],
  ...{ pausedUntil: undefined, roundsInVain: 0, state: 'open', trouble: undefined, reason: { code: 'raised' } },
};
const call = {
  ...{ id: 1, kind: 'call', userId: 3, numberId: 1, channel: 'voice', address: '1', providerId: 1, begunAt: 6 },
  tries: [{ causeId: 1, escalationId: 1, level: 'duty 7' }],
  ...{ announced: undefined, isDue: false, hasLeft: true, isUrgent: false, isExempt: false, end: undefined },
  ...{ answers: [], tookAllAt: undefined },
} as const satisfies Attempt;
const tried = { ...call, tries: [...call.tries, { causeId: 2, escalationId: 2, level: 'duty 7' }] } as const;

/** How many groups there are of the cause and one that differs by these fields. */
function groups(ofCause: Partial<Cause>, ofEscalation: Partial<Escalation>, attempts: readonly Attempt[] = [tried]) {
  const other = { ...escalation, id: 2, causeId: 2, ...ofEscalation };
  return groupAlike([cause, { ...cause, id: 2, ...ofCause }], [escalation, other], attempts).length;
}

test('causes in the same state with the same attempts are alike, whenever they were raised', () => {
  assert.equal(groups({}, {}), 1);
  assert.equal(groups({ alarmId: 9 }, { dueAt: 3 }), 1);
});

const [level] = escalation.entered;
const [person] = escalation.picked;
const differences: Readonly<Record<string, [Partial<Cause>, Partial<Escalation>]>> = {
  priority: [{ priority: 1 }, {}],
  asks: [{ asks: false }, {}],
  ended: [{ ended: { code: 'heard' } }, {}],
  'kind of target': [{}, { target: { kind: 'user', id: 7 } }],
  target: [{}, { target: { kind: 'group', id: 8 } }],
  state: [{}, { state: 'exhausted' }],
  round: [{}, { round: 2 }],
  'begin of the round': [{}, { roundSince: 6 }],
  pause: [{}, { pausedUntil: 9 }],
  'rounds in vain': [{}, { roundsInVain: 1 }],
  'priority acted upon': [{}, { actedPriority: 1 }],
  reason: [{}, { reason: { code: 'heard' } }],
  trouble: [{}, { trouble: { kind: 'locked', groupId: 7, round: 1, reason: { code: 'raised' } } }],
  'levels entered': [{}, { entered: [] }],
  level: [{}, { entered: [{ ...level, key: 'relief 7' } as never] }],
  'when the level was entered': [{}, { entered: [{ ...level, at: 6 } as never] }],
  'person picked': [{}, { picked: [{ ...person, userId: 4 } as never] }],
  'when the person was picked': [{}, { picked: [{ ...person, at: 6 } as never] }],
};
for (const [what, [ofCause, ofEscalation]] of Object.entries(differences))
  test(`causes that differ by ${what} are not alike`, () => assert.equal(groups(ofCause, ofEscalation), 2));

test('causes with other attempts or answers are not alike', () => {
  const answered = { ...tried, answers: [{ causeId: 1, answer: 'heard', at: 7 }] } as const;
  assert.equal(groups({}, {}, [call]), 2);
  assert.equal(groups({}, {}, [answered]), 2);
  assert.equal(groups({}, {}, [{ ...tried, announced: [1] }]), 2);
});

test('causes whose delays end at other times are not alike', () => {
  const waiting = { ...escalation, round: 0, entered: [], picked: [] };
  const later = { ...waiting, id: 2, causeId: 2, dueAt: 9 };
  assert.equal(groupAlike([cause, { ...cause, id: 2 }], [waiting, later], []).length, 2);
});
