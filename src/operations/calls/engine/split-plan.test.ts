// A large plan is written in parts, each of which leaves a state that can be decided on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newEscalation } from '../../../domain/escalation/apply.ts';
import { slicesOf } from './split-plan.ts';

type Sliced = Parameters<typeof slicesOf>[0];

const changed = [1, 1, 2, 3].map((causeId, index) => ({
  escalation: newEscalation(index + 1, causeId, { kind: 'group', id: 1 }),
  version: 1,
  earlier: undefined,
}));

test('a large plan is written in parts: escalations of one cause with the calls for them, the most urgent first', () => {
  const callFor = (causeId: number, priority: number) => ({
    tries: [{ escalationId: causeId + 1, causeId, level: 'duty 1' }],
    columns: { priority },
  });
  const bundle = {
    ...callFor(1, 3),
    tries: [2, 3].map((causeId) => ({ escalationId: causeId + 1, causeId, level: 'duty 1' })),
  };
  const begin = [callFor(1, 3), callFor(3, 1), callFor(9, 2), bundle];
  const steps = [{ kind: 'round', escalationIds: [1, 2, 3, 4], round: 1, reason: { code: 'raised' } }];
  const none = { notCalled: [], turns: [], troubles: { raise: [], end: [] }, now: 0 };
  const seen = [
    [7, 1],
    [8, 1],
  ];
  const cancel = [{ attemptId: 7, reason: { code: 'sent' } }];
  const opened = [
    { causeId: 3, dueAt: 0 },
    { causeId: 8, dueAt: 0 },
  ];
  const slices = slicesOf({ ...none, changed, opened, begin, cancel, steps, seen } as unknown as Sliced, 2);
  const shown = slices.map((slice) => ({
    changed: slice.changed.map(({ escalation }) => escalation.id),
    opened: slice.opened.map(({ causeId }) => causeId),
    begun: slice.begin.map(({ tries }) => tries.map(({ causeId }) => causeId)),
    stopped: slice.cancel.length,
    seen: slice.seen.map(([id]) => id),
    steps: slice.steps.flatMap(({ escalationIds }) => escalationIds),
  }));
  assert.deepEqual(shown, [
    { changed: [4, 1, 2], opened: [3], begun: [[1], [3], [9]], stopped: 1, seen: [7, 8], steps: [1, 2, 4] },
    { changed: [3], opened: [], begun: [[2, 3]], stopped: 0, seen: [8], steps: [3] },
    { changed: [], opened: [8], begun: [], stopped: 0, seen: [], steps: [] },
  ]);
});
