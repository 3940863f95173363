// The forecast says what then happens if nobody answers, for it makes the same decisions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../../test/harness/escalation/story.ts';
import { unusedProvider } from '../channels/choose-provider.ts';
import { noTollLimits } from '../channels/toll-limits.ts';
import { decide } from './decide.ts';
import { escalate } from './escalate.ts';
import { forecast } from './forecast.ts';
import { DecisionTime } from './world.ts';

const people = {
  ana: [{ countTry: 2 }, { timeToRetrySeconds: 90 }],
  bo: [{ countTry: 3, timeToRetrySeconds: 45 }],
  cleo: [{}],
  dan: [{}],
};
const groups = {
  pumps: { members: ['ana', 'bo'], reliefMembers: ['cleo'], timeToTakeSeconds: 240, relief: 'site' },
  site: { members: ['dan', 'cleo'], callMode: 'turn' },
} as const;
const unlimited = { steps: 10_000, isTimeUp: () => false };

test('the calls of three hours are those that are made, with joins and one line', () => {
  const story = new Story({ people, groups, administrators: ['ana'], providers: [{ lines: 1 }] });
  story.raise(1, 'pumps', { priority: 2 });
  story.passUnanswered(70);
  story.raise(2, 'site');
  story.raise(3, 'pumps', { priority: 1 });
  story.passUnanswered(10);
  const from = story.now;
  const uses = new Map([[1, unusedProvider]]);
  const world = { ...story.world, providers: { ...story.world.providers, uses } };
  const span = { from, until: from + 10_800_000, civilOffset: 0 };
  const { steps, stoppedAt } = forecast(world, story.causes, story.stored, span, unlimited);
  assert.equal(stoppedAt, undefined);
  const forecasted = steps.flatMap((step) =>
    step.what === 'attempt' ? [`${step.at} ${step.attempt.userId}/${step.attempt.numberId}`] : [],
  );
  story.passUnanswered(10_800);
  const made = story.attempts
    .filter(({ begunAt }) => begunAt >= from && begunAt < span.until)
    .map(({ begunAt, userId, numberId }) => `${begunAt} ${userId}/${numberId}`);
  assert.ok(made.length > 50, `${made.length} calls`);
  assert.deepEqual(forecasted, made);
});

test('what is foreseen counts towards the limits of the day, until the next day begins', () => {
  const story = new Story({ people: { bo: people.bo }, groups: { pumps: { members: ['bo'] } } });
  story.raise(1, 'pumps', { priority: 2 });
  const limits = { ...noTollLimits, perPersonDay: 2 };
  const rules = { limits, providers: story.world.providers.providers, hasSimulator: false, timeZone: 'UTC' };
  const hour = 3_600_000;
  // Midnight is in an hour.
  const span = { from: 0, until: 2 * hour, civilOffset: 23 * hour };
  const tolls = { use: { dayEnd: 24 * hour, deliveries: [] }, rules };
  const { steps } = forecast({ ...story.world, tolls }, story.causes, story.stored, span, unlimited);
  const attempts = steps.flatMap(({ what, at }) => (what === 'attempt' ? [at] : []));
  assert.deepEqual([attempts.filter((at) => at < hour).length, attempts.filter((at) => at >= hour).length], [2, 2]);
});

test('in a forecast a text to a number of which being reached is the acknowledgement has been heard', () => {
  const pager = { channel: 'sms', acksWhenReached: true };
  const story = new Story({
    people: { ana: [pager, {}], bo: [{}] },
    groups: { pumps: { members: ['ana'], relief: 'site' }, site: { members: ['bo'] } },
    administrators: ['ana'],
    providers: [{}, { channel: 'sms' }],
  });
  story.raise(1, 'pumps');
  const span = { from: 0, until: 3_600_000, civilOffset: 0 };
  const { steps } = forecast(story.world, story.causes, story.stored, span, unlimited);
  const called = steps.flatMap((step) => (step.what === 'attempt' ? [step.attempt.userId] : []));
  assert.deepEqual(called, [2], 'neither her telephone nor the last resort calls her');
});

test('a forecast that would take too many steps says up to when it is complete', () => {
  const story = new Story({ people, groups });
  story.raise(1, 'pumps', { priority: 1 });
  const span = { from: story.now, until: story.now + 86_400_000, civilOffset: 0 };
  const { steps, stoppedAt } = forecast(story.world, story.causes, story.stored, span, { ...unlimited, steps: 20 });
  assert.ok(steps.length >= 20);
  assert.ok(stoppedAt !== undefined && stoppedAt < span.until);
});

test('who stands where is said with the reason: who rings, who rests, who cannot be called', () => {
  const story = new Story({
    people: { ...people, eva: [{ verified: false }] },
    groups: { pumps: { members: ['ana', 'bo', 'eva'] } },
  });
  story.raise(1, 'pumps');
  story.ringsOut('bo');
  const time = new DecisionTime(story.now, story.now);
  const { escalations, attempts } = story.stored;
  const { parts } = decide(story.world, story.causes, escalations, attempts, time);
  assert.deepEqual(
    parts.map(({ of: { userId }, part }) => [userId, part.state, part.state === 'wants' ? '' : part.reason?.code]),
    [
      [1, 'waits', 'rings'],
      [2, 'waits', 'rests'],
      [5, 'failed', 'unverified'],
    ],
  );
});

test('escalating by hand calls the relief group at once; the people on duty and their relief are called on', () => {
  const story = new Story({ people, groups });
  story.raise(1, 'pumps');
  const [before] = story.escalations(1);
  assert.ok(before !== undefined);
  const time = new DecisionTime(story.now, story.now);
  const after = escalate(before, story.world, time, 'user:9');
  assert.deepEqual(
    after?.entered.map(({ key, reason }) => [key, reason.code]),
    [
      ['duty 1', 'raised'],
      ['duty 2', 'escalated'],
    ],
  );
  assert.equal(after && escalate(after, story.world, time, 'user:9'), undefined, 'there is no further group');
});
