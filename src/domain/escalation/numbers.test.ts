// The limits of the day within one decision, and how long failures of providers count.

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

test('a failure of a provider stops counting at an instant that was announced, not when its attempt is no longer read', () => {
  const story = new Story({
    people: { ana: [{}], bo: [{}] },
    groups: { pumps: { members: ['ana'] } },
    administrators: ['bo'],
  });
  story.raise(1, 'pumps');
  story.providerFails('ana');
  story.pass(15);
  story.providerFails('ana');
  story.take(1);
  story.pass(44 * 60 + 30 - 15);
  story.raise(2, 'pumps');
  assert.equal(story.began.at(-1), 'ana for 2: raised');
  // The third in a row: 60 s. Half a minute later the first one is 45 minutes old, and two make a pause of 30 s.
  story.providerFails('ana');
  assert.equal(story.began.at(-1), 'bo for 2: last-resort');
  story.reads('bo', [2]);
  story.pass(29);
  assert.deepEqual(story.began, []);
  story.pass(1);
  assert.deepEqual(story.began, ['ana for 2: tried-again']);
});

test('it is decided again when the lock of a called person’s number ends, and not when that of somebody else does', () => {
  const lockedUntil = (
    story: Story,
    locks: readonly (readonly [numberId: number, until: number])[],
  ): number | undefined => {
    const cause = { id: 1, priority: 3, asks: true, ended: undefined };
    const escalation = { ...newEscalation(1, 1, { kind: 'group', id: 1 }), dueAt: story.now };
    const time = new DecisionTime(story.now, story.now);
    return decide({ ...story.world, locks: new Map(locks) }, [cause], [escalation], [], time).lookAgainAt;
  };
  const story = new Story({ people: { ana: [{}], bo: [{}] }, groups: { pumps: { members: ['ana'] } } });
  const [ana, bo] = [...story.world.snapshot.people.values()].map(({ numbers }) => numbers[0]?.id ?? 0);
  const until = story.now + 60_000;
  assert.equal(lockedUntil(story, [[ana ?? 0, until]]), until);
  assert.equal(lockedUntil(story, [[bo ?? 0, until]]), lockedUntil(story, []));
});
