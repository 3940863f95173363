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

test('a large plan is written in parts: escalations of one cause together, then the calls for them', () => {
  const begin = [{ tries: [1, 2, 3].map((causeId) => ({ escalationId: causeId, causeId, level: 'duty 1' })) }];
  const steps = [{ kind: 'round', escalationIds: [1, 2, 3, 4], round: 1, reason: { code: 'raised' } }];
  const none = { notCalled: [], cancel: [], turns: [], troubles: { raise: [], end: [] }, seen: [], now: 0 };
  const opened = [{ causeId: 3, dueAt: 0 }];
  const slices = slicesOf({ ...none, changed, opened, begin, steps } as unknown as Sliced, 2);
  const shown = slices.map((slice) => ({
    changed: slice.changed.map(({ escalation }) => escalation.id),
    opened: slice.opened.map(({ causeId }) => causeId),
    begun: slice.begin.length,
    steps: slice.steps.flatMap(({ escalationIds }) => escalationIds),
  }));
  assert.deepEqual(shown, [
    { changed: [1, 2], opened: [], begun: 0, steps: [1, 2] },
    { changed: [3, 4], opened: [3], begun: 0, steps: [3, 4] },
    { changed: [], opened: [], begun: 1, steps: [] },
  ]);
});
