// Tests would-reach.ts: whom a call would reach, and for whom nobody would be called.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GroupOnDuty, UnreadyGroup, User } from '@tocsin/client';
import { type Target, wouldReach } from './would-reach.ts';

const byTeam = { via: '', viaCode: 'member-of-team' } as const;

function duty(callGroupId: number, ids: readonly number[], locked = false): GroupOnDuty {
  // Members with an id below 0 are relief.
  const members = ids.map((id) => ({ userId: Math.abs(id), user: '', relief: id < 0, ...byTeam }));
  const place = { name: `g${callGroupId}`, stationId: 1 };
  return { callGroupId, ...place, members, passedOver: [], nobody: null, locked, until: null };
}

function unready(callGroupId: number, ids: readonly number[], insteadGroupId: number | null = null): UnreadyGroup {
  const unreachable = ids.map((userId) => ({ userId, user: '', cause: 'noNumber' as const }));
  const place = { name: `g${callGroupId}`, stationId: 1, ahead: [] };
  const wrong = { reasons: [''], reasonCodes: ['unreachable' as const], unreachable };
  return { callGroupId, ...place, reachable: insteadGroupId !== null, ...wrong, insteadGroupId };
}

const user = (id: number, verified: boolean, replacedById: number | null = null): readonly [number, User] => [
  id,
  { id, replacedById, numbers: [{ valid: true, verified }] } as unknown as User,
];
const target = (kind: Target['kind'], id: number): Target => ({ kind, id, name: `${kind} ${id}` });
const known = {
  duties: [duty(1, [1, 2, -3]), duty(2, [4]), duty(3, [5]), duty(4, [], true), duty(5, [-6])],
  unready: [unready(1, [2]), unready(2, [4], 3)],
  users: new Map([user(1, true), user(7, false), user(8, false, 1)]),
};
const reach = (...targets: readonly Target[]) => {
  const { userIds, missed } = wouldReach(targets, known);
  return [userIds, missed.map(({ name }) => name)];
};

test('of a group those on duty who can be reached, without its relief', () => {
  assert.deepEqual(reach(target('group', 1)), [[1], []]);
  assert.deepEqual(reach(target('group', 5)), [[6], []], 'relief where nobody else is');
});

test('if nobody of a group can be reached, the relief group that is called instead', () => {
  assert.deepEqual(reach(target('group', 2)), [[5], []]);
});

test('a group that is locked, and a person without a verified number, are missed', () => {
  assert.deepEqual(reach(target('group', 4), target('user', 7)), [[], ['group 4', 'user 7']]);
});

test('who is replaced is reached through the replacement, and nobody is named twice', () => {
  assert.deepEqual(reach(target('user', 8), target('user', 1), target('group', 1)), [[1], []]);
});
