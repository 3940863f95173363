// Calling people again for an alarm that becomes more urgent, and the reasons for not doing so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatingRules } from './call.ts';
import { type Reprioritised, recall } from './recall-on-priority.ts';

const pumps = { kind: 'group', id: 7 } as const;
const ana = { kind: 'user', id: 3 } as const;
const raised: Reprioritised = {
  life: { state: 3, mask: undefined },
  before: 3,
  priority: 1,
  wanted: [pumps, ana],
  underWay: [],
};
const policy = { priorities: [1, 2].map((priority) => ({ priority, ...repeatingRules })) };
const mask = { until: 9, reason: 'works', by: 'op' };

const table: readonly [change: Partial<Reprioritised>, targets: readonly object[], reason: RegExp][] = [
  [{}, [pumps, ana], /^priority 1 instead of 3, and nobody has acknowledged it$/],
  [{ priority: 2 }, [pumps, ana], /^priority 2 instead of 3/],
  [{ before: 2 }, [pumps, ana], /^priority 1 instead of 2/],
  [{ underWay: [pumps] }, [ana], /^priority 1/],
  [{ underWay: [ana, pumps] }, [], /not being called/],
  [{ wanted: [] }, [], /not being called/],
  [{ before: 1 }, [], /not more urgent/],
  [{ before: 1, priority: 2 }, [], /not more urgent/],
  [{ before: 5, priority: 3 }, [], /priority 3 is called for once/],
  [{ life: { state: 0, mask: undefined } }, [], /at rest/],
  [{ life: { state: 1, mask: undefined } }, [], /acknowledged/],
  [{ life: { state: 2, mask: undefined } }, [], /back to normal/],
  [{ life: { state: 3, mask } }, [], /masked by op/],
];

for (const [change, targets, reason] of table) {
  test(`${JSON.stringify(change)}: ${reason.source}`, () => {
    const decided = recall({ ...raised, ...change }, policy);
    assert.deepEqual(decided.targets, targets);
    assert.match(decided.reason, reason);
  });
}

test('priority 1 is called again even if the policy calls no priority until it is acknowledged', () => {
  assert.deepEqual(recall(raised, { priorities: [] }).targets, [pumps, ana]);
  assert.deepEqual(recall({ ...raised, priority: 2 }, { priorities: [] }).targets, []);
});
