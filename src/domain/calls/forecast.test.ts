// Forecasts under limits of work.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { aGroup, aPerson, aSnapshot, aTeam } from '../../../test/harness/simulation/call-contexts.ts';
import { soak } from '../../../test/harness/soak.ts';
import { defaultPolicy } from './call.ts';
import { alarmCauses } from './decision-context.ts';
import { type ForecastLimits, forecastCalls, unknownState } from './forecast.ts';

const weekMs = 7 * 24 * 3_600_000;
const groupIds = Array.from({ length: 10 }, (_, index) => index + 1);
/** Each group has a member of its own, and one whom the next group calls too. */
const snapshot = aSnapshot({
  people: groupIds.map((id) => aPerson(id)),
  teams: groupIds.map((id) => aTeam(id, [id, (id % groupIds.length) + 1])),
  groups: groupIds.map((id) => aGroup(id)),
});
const causes = alarmCauses(1, defaultPolicy);
const wanted = groupIds.map((id) => ({
  target: { kind: 'group' as const, id },
  joins: [id * 1_000],
  causes,
  alarmIds: [1],
}));
const none: ForecastLimits = { steps: Number.MAX_SAFE_INTEGER, people: Number.MAX_SAFE_INTEGER, isTimeUp: () => false };
const forecast = (limits: Partial<ForecastLimits>) =>
  forecastCalls(wanted, weekMs, unknownState(0), { snapshot, policy: defaultPolicy }, { ...none, ...limits });

test('a forecast without a limit reaches its end', () => {
  const { forecasts, stopped } = forecast({});
  assert.equal(stopped, undefined);
  assert.ok(forecasts.every(({ steps, isCut }) => steps.length > 100 && !isCut));
});

test('a forecast that a limit of steps ends is complete up to the instant it names, and says what continues', () => {
  const whole = forecast({});
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000 }), (steps) => {
      const { forecasts, stopped } = forecast({ steps });
      assert.equal(stopped?.limit, 'steps');
      const at = stopped?.at ?? 0;
      for (const [index, { steps: shown, isCut }] of forecasts.entries()) {
        const before = whole.forecasts[index]?.steps.filter((step) => step.at < at);
        assert.deepEqual(
          shown.filter((step) => step.at < at),
          before,
        );
        assert.equal(isCut, true);
      }
      const shown = forecasts.reduce((sum, { steps: own }) => sum + own.length, 0);
      assert.ok(shown >= steps && shown < steps + 100, `${shown} steps shown with a limit of ${steps}`);
    }),
    { numRuns: soak(200) },
  );
});

test('a forecast ends when the time for computing is used up', () => {
  let events = 0;
  const { stopped } = forecast({ isTimeUp: () => ++events > 50 });
  assert.equal(stopped?.limit, 'time');
  assert.equal(events, 51);
});

test('the people who are not called are limited over all calls', () => {
  const idle = aSnapshot({
    people: groupIds.map((id) => aPerson(id, { onDuty: false })),
    teams: [aTeam(1, groupIds)],
    groups: groupIds.map((id) => aGroup(id, { teamIds: [1] })),
  });
  const { forecasts, stopped } = forecastCalls(
    wanted,
    20_000,
    unknownState(0),
    { snapshot: idle, policy: defaultPolicy },
    { ...none, people: 25 },
  );
  assert.equal(stopped?.limit, 'people');
  assert.equal(
    forecasts.reduce((sum, { notCalled }) => sum + notCalled.length, 0),
    30,
  );
});
