// The limits of the day within one decision.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../../test/harness/escalation/story.ts';
import { noTollLimits } from '../channels/toll-limits.ts';
import { newEscalation } from './apply.ts';
import { decide } from './decide.ts';
import { DecisionTime } from './world.ts';

test('calls that begin at once together cost no more than the budget of the day allows', () => {
  const { world } = new Story({
    people: { ana: [{}], bo: [{}], cyd: [{}] },
    groups: { pumps: { members: ['ana', 'bo', 'cyd'] } },
    providers: [{ cost: 1 }],
  });
  const limits = { ...noTollLimits, budgetDay: 2 };
  const rules = { limits, providers: world.providers.providers, hasSimulator: false, timeZone: 'UTC' };
  const tolls = { use: { dayEnd: 86_400_000, deliveries: [] }, rules };
  const causes = [{ id: 1, priority: 3, asks: true, ended: undefined }];
  const { begin } = decide(
    { ...world, tolls },
    causes,
    [newEscalation(1, 1, { kind: 'group', id: 1 })],
    [],
    new DecisionTime(0, 0),
  );
  assert.equal(begin.length, 2);
});
